// The package and the page in the system's Firefox, driven through WebDriver BiDi as it is shipped. (Playwright drives a Firefox
// of its own only.)
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { findFirefox } from "../../scripts/browsers.mjs";
import { Installed } from "../package/installed.mjs";
import { artifacts, fromRoot, watch } from "./browser.mjs";
import { serve } from "./server.mjs";
import { layOut, translation, unbundled } from "./stranger.mjs";

const executablePath = findFirefox();
const built = fromRoot("build/web");
/** Generous: other work may share the machine. */
const timeout = 120_000;

describe("in Firefox", { skip: executablePath ? false : "Firefox is missing: apt-get install firefox-esr" }, () => {
  let browser, installed, expected;
  before(async () => {
    browser = await puppeteer.launch({ browser: "firefox", executablePath, headless: true, timeout });
    installed = await Installed.install();
    expected = await translation(installed);
  });
  after(async () => {
    await browser?.close();
    await installed?.remove();
  });

  /** Serves a folder and opens it in a tab of its own, which must not complain. */
  async function visit(folder, body) {
    const server = await serve(folder);
    server.answers.set(/favicon\.ico$/, (response) => response.writeHead(204).end());
    const context = await browser.createBrowserContext();
    try {
      const tab = await context.newPage();
      tab.setDefaultTimeout(timeout);
      const complaints = watch(tab);
      await tab.goto(server.url);
      await body(tab, complaints, server);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
      server.close();
    }
  }

  for (const [name, files] of Object.entries(unbundled)) {
    test(`the package translates ${name}`, () => visit(layOut(installed, name, files), async (tab, complaints) => {
      await tab.waitForFunction(() => document.title).catch(() => assert.fail(`no title; ${complaints}`));
      assert.equal(await tab.title(), expected);
    }));
  }

  const skip = existsSync(`${built}/index.html`) ? false : "build/web is missing: npm run build";
  test("the page translates what one types, and draws its grid", { skip }, async (t) => {
    t.diagnostic(await browser.version());
    await visit(built, async (tab) => {
      for (const [typed, words] of [["", ["I", "am", "cold"]], ["Where is my book?", ["Where", "is", "my", "book", "?"]]]) {
        if (typed) {
          await tab.$eval("source-text textarea", (area) => area.select());
          await tab.keyboard.type(typed);
        }
        await tab.waitForFunction((expected) => {
          const columns = document.querySelector("attention-figure alignment-grid").shadowRoot.querySelectorAll("[role=columnheader]");
          return expected.every((word, i) => columns[i]?.textContent === word);
        }, {}, words);
        const { translation, rows, columns, cells, colours } = await tab.evaluate(() => {
          const grid = document.querySelector("attention-figure alignment-grid").shadowRoot;
          const canvas = grid.querySelector("canvas");
          const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
          const texts = (root, selector) => Array.from(root.querySelectorAll(selector), ({ textContent }) => textContent);
          return {
            translation: texts(document, "translation-text .token"),
            rows: texts(grid, "[role=rowheader]"),
            columns: texts(grid, "[role=columnheader]").length,
            cells: texts(grid, "[role=gridcell]").length,
            colours: new Set(pixels).size,
          };
        });
        assert.ok(rows.length > 3);
        assert.deepEqual(rows, translation);
        assert.equal(cells, rows.length * columns);
        assert.ok(colours > 1, "the picture is blank");
      }
      await tab.screenshot({ path: `${artifacts}page-firefox.png` });
    });
  });

  test("attention can be changed and other translations chosen, and a French page says so in French", { skip }, () => visit(built, async (tab, _, server) => {
    const reads = (text) => tab.waitForFunction((wanted) => document.querySelector("translation-text").textContent === wanted, {}, text);
    const text = new URLSearchParams({ text: "The old cat sleeps under the big table." });
    await tab.goto(`${server.url}fr/?changes#${text}`);
    await reads("Le vieux chat dort sous la grosse table.");
    const press = (selector, label) => tab.$$eval(selector, (buttons, wanted) => buttons.find(({ textContent }) => textContent === wanted).click(), label);
    await press("change-bar button", "Modifier l’attention");
    const { x, y } = await tab.evaluate(() => {
      const grid = document.querySelector("attention-figure alignment-grid").shadowRoot;
      const cell = [...grid.querySelectorAll("[role=gridcell]")].find((each) => /^big [^,]*vieux/.test(each.ariaLabel ?? each.textContent));
      cell.scrollIntoView({ block: "center" });
      const { left, top, width, height } = cell.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
    await tab.mouse.click(x, y);
    await reads("Le gros chat dort sous la grosse table.");
    await press("change-bar button", "Annuler");
    await reads("Le vieux chat dort sous la grosse table.");
    await tab.$eval("search-tree summary", (summary) => summary.click());
    await tab.waitForSelector("search-tree .found button");
    const other = await tab.$$eval("search-tree .found button", ([, { firstChild }]) => firstChild.data);
    await tab.$$eval("search-tree .found button", ([, button]) => button.click());
    await reads(other);
  }));

  test("the page works without a connection from the second visit on", { skip }, () => visit(built, async (tab, complaints, server) => {
    const translated = () => tab.waitForFunction(() =>
      document.querySelector("attention-figure alignment-grid").shadowRoot.querySelectorAll("[role=gridcell]").length > 0);
    await translated();
    await tab.waitForSelector("footer .offline");
    server.close();
    await tab.goto(`${server.url}?again`);
    await translated();
    await tab.waitForSelector("reading-lab form"); // which comes last: Firefox complains of what is still on its way when one leaves
    await tab.goto(`${server.url}how.html`);
    await tab.waitForSelector("figure canvas");
  }));
});
