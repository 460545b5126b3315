// The key views look as they did when someone last looked at them. Renew them with node tests/web/baselines.mjs, and look.
import assert from "node:assert/strict";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { baselineOf, bytesOf, difference, folder, host, take, views } from "./baselines.mjs";
import { artifacts, launch } from "./browser.mjs";
import { missing } from "./visit.mjs";

const sizeLimit = 320e3;

describe("looks as it was reviewed", { skip: missing }, () => {
  let browser, server;
  before(async () => {
    server = await host();
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  for (const [name, view] of Object.entries(views)) {
    test(name, async (t) => {
      const actual = await take(browser, server.url, view);
      const { text, worst, diff } = difference(actual, baselineOf(name));
      if (text) for (const [kind, picture] of Object.entries({ actual, diff })) writeFileSync(`${artifacts}baseline-${name}-${kind}.png`, bytesOf(picture));
      t.diagnostic(`${name}: a tile differs by ${worst.toFixed(1)} of 255`);
      assert.equal(text, undefined, `${name}: ${text}; see build/artifacts/baseline-${name}-*.png and, if it is meant so, run node tests/web/baselines.mjs`);
    });
  }

  // What must be noticed, and what must not.
  const hidden = (selector) => (page) => page.locator(selector).first().evaluate((element) => (element.style.visibility = "hidden"));
  const style = (text) => (page) => page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, text);
  const breakages = {
    "the text beside the grid vanishes": hidden("attention-figure aside"),
    "the grid's colours vanish": (page) => page.locator("attention-figure alignment-grid").evaluate((grid) => (grid.shadowRoot.querySelector("canvas").style.visibility = "hidden")),
    "the translation vanishes": hidden("translation-text"),
    "the choice of models vanishes": hidden("#model"),
    "colours are inverted": style(":root { filter: invert(1) }"),
    "the styles are lost": (page) => page.evaluate(() => { for (const sheet of document.styleSheets) sheet.disabled = true; }),
    "the notebook is moved": style(".notebook { translate: 60px 0 }"),
  };
  test("a page that is broken is noticed", async (t) => {
    for (const [what, breakIt] of Object.entries(breakages)) {
      const { text, worst } = difference(await take(browser, server.url, views["grid-light"], breakIt), baselineOf("grid-light"));
      t.diagnostic(`${what}: a tile differs by ${worst.toFixed(1)} of 255`);
      assert.notEqual(text, undefined, what);
    }
  });

  test("what another version of a browser does to letters and edges is not", async (t) => {
    const changes = {
      "letters smoothed in another way": style("* { -webkit-font-smoothing: none; text-rendering: geometricPrecision; font-optical-sizing: none }"),
      "everything moved by half a pixel": style("body { translate: 0.5px 0.5px }"),
      "a slightly heavier font": style(":root { font-weight: 420 }"),
    };
    for (const [what, change] of Object.entries(changes)) {
      const { text, worst } = difference(await take(browser, server.url, views["grid-light"], change), baselineOf("grid-light"));
      t.diagnostic(`${what}: a tile differs by ${worst.toFixed(1)} of 255`);
      assert.equal(text, undefined, what);
    }
  });

  test("the baselines are small", () => {
    const size = readdirSync(folder).reduce((sum, file) => sum + statSync(`${folder}${file}`).size, 0);
    assert.ok(size < sizeLimit, `${size} bytes`);
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(views).map((name) => `${name}.png`).sort());
  });
});
