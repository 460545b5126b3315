// The page "How it works", as built, driven as a visitor would.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { artifacts } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

describe("the page of how it is computed", { skip: missing }, () => {
  const visit = visits();
  const figure = (name) => visit.page.locator("figure").filter({ has: visit.page.getByRole("heading", { name, exact: true }) });
  const readout = (name) => figure(name).locator(".readout").innerText();
  const table = () => visit.page.getByRole("table").first();
  const row = (name) => table().getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell").allInnerTexts();
  const names = ["Self-attention", "Recurrent", "Convolution", "Restricted self-attention"];

  async function open(options) {
    const page = await visit.open("how.html", options);
    await page.locator("figure").nth(4).waitFor();
    return page;
  }

  test("five kinds of positions are drawn, as the package's classes compute them", async () => {
    await open();
    for (const name of ["Sinusoidal", "Learned", "Recurrent", "Continuous", "Relative"]) {
      const colours = await figure(name).locator("canvas").first().evaluate((canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join())).size;
      });
      assert.ok(colours > 4, `${name}: ${colours} colours`);
    }
    // sin(0) = 0 is paper, cos(0) = 1 the strongest violet; sin(t) is negative, which is orange, for the t between pi and 2 pi.
    const at = (column, line) => figure("Sinusoidal").locator("canvas").evaluate(
      (canvas, [x, y]) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data].slice(0, 3), [column, line]);
    const [zero, one, negative] = [await at(0, 0), await at(0, 1), await at(5, 0)];
    assert.ok(Math.min(...zero) > 230, `${zero}`);
    assert.ok(one[2] > one[0] + 40, `${one}`);
    assert.ok(negative[0] > negative[2] + 40, `${negative}`);
    await soon.equal(() => readout("Sinusoidal"), "Like position 12: its neighbour 0.95, the position eight away 0.62.");
  });

  test("one slider, and the pictures themselves, choose a position for all", async () => {
    const page = await open();
    const slider = page.getByRole("slider", { name: "Position" });
    await slider.focus();
    await page.keyboard.press("End");
    await soon.match(() => readout("Learned"), /There is no position 47/);
    await soon.match(() => readout("Recurrent"), /^Like position 47/);
    await page.keyboard.press("Home");
    await soon.match(() => readout("Learned"), /^Like position 0/);
    const before = await figure("Continuous").locator("polyline").getAttribute("points");
    const canvas = figure("Continuous").locator("canvas");
    await canvas.click({ position: { x: ((await canvas.boundingBox()).width * 20.5) / 48, y: 20 } });
    await soon.equal(() => slider.inputValue(), "20");
    await soon.equal(() => slider.getAttribute("aria-valuetext"), "position 20");
    await soon.notEqual(() => figure("Continuous").locator("polyline").getAttribute("points"), before);
    await soon.match(() => readout("Relative"), /Head 2: \d\d % of the attention of word 20 goes to word 21\. Head 3: \d\d % .* to word 19\./);
  });

  test("costs are measured here, in the background: the page stays quick, and looking at all costs most", async (t) => {
    const page = await open();
    await soon.deepEqual(async () => (await row("Self-attention")).slice(0, 4), ["n² d", "–", "–", "16.8 million"]);
    await page.getByRole("button", { name: "Measure in this browser" }).click();
    await page.getByText(/^Measuring, n = \d+/).waitFor();
    assert.equal(page.workers().length, 1, "what measures is not the page");
    const wait = await page.evaluate(async () => {
      let longest = 0;
      for (let i = 0, then = performance.now(); i < 60; ++i) {
        await new Promise((done) => setTimeout(done, 16));
        longest = Math.max(longest, performance.now() - then - 16);
        then = performance.now();
      }
      return longest;
    });
    t.diagnostic(`longest wait of the page while measuring: ${wait.toFixed(0)} ms`);
    await page.getByText("Measured here, just now.").waitFor();
    const growth = {};
    for (const name of names) {
      const [, time, grown] = await row(name);
      assert.match(time, /^[\d.]+ ms$/);
      growth[name] = Number(grown.match(/^× ([\d.]+) \(theory: [24]\)$/)[1]);
    }
    t.diagnostic(`growth when n doubles: ${Object.values(growth).join(", ")}`);
    await soon.equal(() => page.locator(".plot polyline").count(), 4);
    await soon.equal(() => page.locator(".plot circle").count(), 28);

    // Another n is another part of the same measurement. With 2,048 words the window saves most of the work.
    const time = (await row("Self-attention"))[1];
    await page.getByRole("slider", { name: "Words in the sentence, n" }).press("End");
    const [, long, , work] = await row("Self-attention");
    assert.deepEqual([work, long === time], ["268 million", false]);
    await soon.ok(async () => parseFloat(long) > 2 * parseFloat((await row("Restricted self-attention"))[1]), long);
    await page.getByText("All measurements in numbers").click();
    await soon.equal(() => page.getByRole("table").nth(1).getByRole("row").count(), 8);
  });

  test("a measurement can be stopped, and choosing another width starts it anew", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Measure in this browser" }).click();
    await page.locator(".plot circle").first().waitFor();
    await page.getByRole("radio", { name: "256" }).check({ force: true });
    await soon.match(async () => (await row("Convolution"))[3], /^101 million/);
    await page.locator(".plot circle").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await page.waitForTimeout(300);
    const count = await page.locator(".plot circle").count();
    assert.ok(count > 0 && count < 28);
    await page.waitForTimeout(700);
    await soon.equal(() => page.locator(".plot circle").count(), count, "nothing comes after");
  });

  test("what goes wrong is said in plain words, and trying again helps", async () => {
    visit.expected = /404|Failed to load/;
    for (const [file, says] of [[/wasm$/, /could not be loaded/], [/how-worker.*js$/, /could not be loaded/]]) {
      visit.server.answers.set(file, (response) => response.writeHead(404).end());
      const page = await visit.open("how.html");
      const alert = page.getByRole("alert").first();
      await soon.match(() => alert.innerText(), says);
      visit.server.answers.clear();
      await alert.getByRole("button", { name: "Try again" }).click();
      await page.locator("figure").nth(4).waitFor();
    }
  });

  test("axe finds nothing: light, dark, phone; nothing sticks out", async () => {
    const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    const views = { light: {}, dark: { colorScheme: "dark" }, phone, wide: { viewport: { width: 1920, height: 1080 } } };
    for (const [name, view] of Object.entries(views)) {
      const page = await open(view);
      await page.getByRole("button", { name: "Measure in this browser" }).click();
      await page.locator(".plot circle").nth(20).waitFor();
      await page.getByRole("button", { name: "Stop" }).click();
      assert.deepEqual(await visit.noticed(), [], name);
      await visit.sound();
      await page.screenshot({ path: `${artifacts}how-${name}.png`, fullPage: true });
    }
  });

  test("the pictures follow the theme", async () => {
    const page = await open();
    const corner = () => figure("Relative").locator("canvas").first().evaluate((canvas) => [...canvas.getContext("2d").getImageData(9, 0, 1, 1).data]);
    const light = await corner();
    await page.getByRole("button", { name: "Dark" }).click();
    await soon.notDeepEqual(() => corner(), light);
  });
});
