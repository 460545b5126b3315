// <alignment-grid> on a page of its own, drawn from a JSON fixture: no model, no WebAssembly.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { artifacts, axe, fromRoot, launch, watch } from "./browser.mjs";
import { buildElement } from "./build.mjs";
import { serve } from "./server.mjs";
import { soon } from "./soon.mjs";

const axeSource = readFileSync(fromRoot("node_modules/axe-core/axe.min.js"), "utf8");
const fixture = JSON.parse(readFileSync(new URL("./fixtures/grid.json", import.meta.url), "utf8"));

describe("<alignment-grid>", () => {
  let browser, server, context, page, complaints;

  before(async () => {
    server = await serve(await buildElement("grid"));
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(() => open());
  afterEach(async () => {
    await context.close();
    assert.deepEqual(complaints, []);
  });

  async function open(options = {}) {
    await context?.close();
    context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    page = await context.newPage();
    complaints = watch(page);
    await page.goto(`${server.url}grid.html`);
    await page.getByRole("gridcell").first().waitFor();
  }

  const cell = (name) => page.getByRole("gridcell", { name, exact: true });
  const focused = () => page.evaluate(() => document.querySelector("alignment-grid").shadowRoot.activeElement?.ariaLabel);
  const lastPair = () => page.evaluate(() => window.pairs.at(-1));
  const tip = () => page.locator("alignment-grid .tip");
  const nextFrame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  test("has a row for each target word, a column for each source word, and says each weight", async () => {
    await soon.equal(() => page.getByRole("rowheader").count(), fixture.target.length);
    await soon.equal(() => page.getByRole("columnheader").count(), fixture.source.length);
    await soon.equal(() => page.getByRole("gridcell").count(), fixture.target.length * fixture.source.length);
    const grid = page.getByRole("grid", { name: "Attention: French down, English across" });
    await soon.equal(() => grid.getAttribute("aria-rowcount"), String(fixture.target.length + 1));
    await soon.equal(() => grid.getAttribute("aria-colcount"), String(fixture.source.length + 1));
    await soon.equal(() => cell("cold to froid, 0.71").count(), 1);
  });

  test("paints a weight in the colour that the legend has at that weight", async () => {
    const { painted, legend } = await page.evaluate(() => {
      const root = document.querySelector("alignment-grid").shadowRoot;
      const pixels = (canvas) => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data];
      return { painted: pixels(root.querySelector(".board canvas")), legend: pixels(root.querySelector(".scale canvas")) };
    });
    const at = (list, index) => list.slice(4 * index, 4 * index + 3);
    fixture.attention.flat().forEach((weight, index) => {
      assert.deepEqual(at(painted, index), at(legend, Math.round(weight * 255)), `cell ${index}, weight ${weight}`);
    });
    assert.notDeepEqual(at(legend, 0), at(legend, 255));
  });

  test("tells the pair under the pointer, shows it in words, and forgets it when the pointer leaves", async () => {
    await cell("cold to froid, 0.71").hover();
    const { weight, ...place } = await lastPair();
    assert.deepEqual(place, { row: 1, column: 2 });
    assert.ok(Math.abs(weight - 0.71) < 1e-6);
    await soon.match(() => tip().innerText(), /cold to froid: 0\.71\s+71 % of the attention for “froid” went to “cold”\./);
    const chosen = page.locator("alignment-grid .chosen");
    await soon.deepEqual(() => chosen.allInnerTexts(), ["cold", "froid"]);
    await page.mouse.move(5, 5);
    await soon.deepEqual(lastPair, { row: null, column: null, weight: null });
    await soon.ok(() => tip().isHidden());
    await soon.equal(() => chosen.count(), 0);
  });

  test("tells a whole row or column over a label", async () => {
    await page.getByRole("rowheader", { name: "froid" }).hover();
    await soon.deepEqual(lastPair, { row: 1, column: null, weight: null });
    await page.getByRole("columnheader", { name: "cold" }).hover();
    await soon.deepEqual(lastPair, { row: null, column: 2, weight: null });
  });

  test("is one stop for Tab, and arrows, Home, End and paging move in it", async () => {
    await page.keyboard.press("Tab");
    await soon.equal(focused, "I to J'ai, 0.62");
    const steps = [
      ["ArrowRight", "am to J'ai, 0.30"], ["ArrowDown", "am to froid, 0.18"], ["ArrowLeft", "I to froid, 0.03"],
      ["ArrowUp", "I to J'ai, 0.62"], ["ArrowUp", "I to J'ai, 0.62"], ["ArrowLeft", "I to J'ai, 0.62"],
      ["End", ". to J'ai, 0.01"], ["ArrowRight", ". to J'ai, 0.01"], ["PageDown", ". to ., 0.92"],
      ["ArrowDown", ". to ., 0.92"], ["Home", "I to ., 0.00"], ["PageUp", "I to J'ai, 0.62"],
      ["Control+End", ". to ., 0.92"], ["Control+Home", "I to J'ai, 0.62"],
    ];
    for (const [key, name] of steps) {
      await page.keyboard.press(key);
      await soon.equal(focused, name, key);
    }
    await soon.deepEqual(async () => (({ row, column }) => ({ row, column }))(await lastPair()), { row: 0, column: 0 });
    await soon.ok(() => tip().isVisible());
    await soon.equal(() => page.locator("alignment-grid [tabindex='0']").count(), 1);
    await page.keyboard.press("Escape");
    await soon.ok(() => tip().isHidden());
    await page.keyboard.press("Tab");
    await soon.equal(focused, undefined);
  });

  test("marks what the page asks for, without an event", async () => {
    const before = await page.evaluate(() => window.pairs.length);
    await page.evaluate(() => (document.querySelector("alignment-grid").highlight = { row: 3, column: null }));
    await soon.deepEqual(() => page.locator("alignment-grid .chosen").allInnerTexts(), ["mais"]);
    await page.evaluate(() => (document.querySelector("alignment-grid").highlight = { row: 99, column: 99 }));
    await soon.equal(() => page.locator("alignment-grid .chosen").count(), 0);
    await soon.equal(() => page.evaluate(() => window.pairs.length), before);
  });

  test("keeps the focus where it was when the data changes, and lets go of a cell that is gone", async () => {
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    const set = (source, target, attention) => page.evaluate((data) => {
      document.querySelector("alignment-grid").data = data;
    }, { source, target, attention });
    await set(["a", "b"], ["c", "d"], [0.1, 0.9, 0.25, 0.75]);
    await nextFrame();
    await soon.equal(focused, "a to d, 0.25");
    await soon.deepEqual(lastPair, { row: 1, column: 0, weight: 0.25 });
    await set(["a"], ["c"], [1]);
    await nextFrame();
    await soon.equal(() => page.getByRole("gridcell").count(), 1);
    await soon.ok(() => tip().isHidden());
    await set([], [], []);
    await nextFrame();
    await soon.equal(() => page.getByRole("gridcell").count(), 0);
  });

  const set = async (properties) => {
    await page.evaluate((all) => Object.assign(document.querySelector("alignment-grid"), all), properties);
    await nextFrame();
  };
  const pixels = () => page.evaluate(() => {
    const canvas = document.querySelector("alignment-grid").shadowRoot.querySelector(".board canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 4)]);
  });

  test("a threshold fades what is below it, in the picture, the number and the name", async () => {
    await set({ options: { threshold: 0.3 } });
    const alphas = (await pixels()).map(([, , , alpha]) => alpha);
    fixture.attention.flat().forEach((weight, i) => assert.equal(alphas[i], Math.fround(weight) < 0.3 ? 51 : 255, `weight ${weight}`));
    await soon.equal(() => cell("am to J'ai, 0.30").innerText(), ".30");
    await soon.equal(() => cell("don't to veux, 0.24, faded").innerText(), "");
  });

  test("hard links fill each row's largest weight and no other", async () => {
    await set({ options: { links: "hard" } });
    const filled = (await pixels()).map(String);
    const legend = page.getByText("Each target word’s largest weight");
    await soon.ok(async () => await legend.isVisible() && await page.getByText("Weight", { exact: true }).isHidden());
    fixture.attention.forEach((row, r) => row.forEach((weight, c) => {
      const isLink = c === row.indexOf(Math.max(...row));
      assert.equal(filled[r * row.length + c] === filled[0], isLink, `${r}, ${c}`);
    }));
    await soon.equal(() => cell("cold to froid, 0.71, linked").innerText(), ".71");
    await soon.equal(() => page.getByRole("gridcell", { name: /linked/ }).count(), fixture.target.length);
    await page.evaluate(() => document.querySelector("alignment-grid").removeAttribute("links"));
    await nextFrame();
    await soon.ok(() => legend.isHidden());
  });

  test("sorted, the words move and their places stay those of the data", async () => {
    await set({ data: { source: ["a", "b", "c"], target: ["P", "Q"], attention: [0, 0.2, 0.8, 0.9, 0.1, 0] }, options: { order: "source" } });
    await soon.deepEqual(() => page.getByRole("columnheader").allInnerTexts(), ["b", "c", "a"]);
    await cell("a to Q, 0.90").hover();
    const { row, column } = await lastPair();
    assert.deepEqual({ row, column }, { row: 1, column: 0 });
    await soon.deepEqual(() => page.locator("alignment-grid .chosen").allInnerTexts(), ["a", "Q"]);
    await set({ options: { order: "target" } });
    await soon.deepEqual(() => page.getByRole("rowheader").allInnerTexts(), ["Q", "P"]);
    await page.mouse.move(2, 2);
    await set({ highlight: { row: 1, column: null } });
    await soon.deepEqual(() => page.locator("alignment-grid .chosen").allInnerTexts(), ["Q"]);
  });

  test("sums are cells, which stand for their row or column", async () => {
    await set({ options: { sums: true } });
    await soon.equal(() => page.getByRole("grid").getAttribute("aria-colcount"), String(fixture.source.length + 2));
    await soon.equal(() => cell("Sum of froid, 1.00").innerText(), "1.00");
    await soon.equal(() => cell("Sum of don't, 1.76").innerText(), "1.76");
    await cell("Sum of don't, 1.76").hover();
    await soon.deepEqual(lastPair, { row: null, column: 6, weight: null });
    await page.mouse.move(2, 2);
    await page.keyboard.press("Tab");
    for (const [key, name] of [
      ["End", ". to J'ai, 0.01"], ["ArrowRight", "Sum of J'ai, 1.00"], ["ArrowRight", "Sum of J'ai, 1.00"], ["ArrowDown", "Sum of froid, 1.00"],
      ["PageDown", "Sum of ., 1.00"], ["ArrowDown", "Sum of ., 1.00"], ["ArrowLeft", ". to ., 0.92"], ["ArrowDown", "Sum of ., 0.95"],
      ["ArrowRight", "Sum of ., 0.95"], ["Home", "Sum of I, 0.70"], ["ArrowUp", "I to ., 0.00"],
    ]) {
      await page.keyboard.press(key);
      await soon.equal(focused, name, key);
    }
    await page.keyboard.press("ArrowDown");
    await soon.deepEqual(lastPair, { row: null, column: 0, weight: null });
    await soon.equal(() => page.locator("alignment-grid [tabindex='0']").count(), 1);
    await set({ options: { sums: false } });
    await soon.equal(() => page.getByRole("gridcell", { name: /Sum/ }).count(), 0);
    await soon.equal(() => page.locator("alignment-grid [tabindex='0']").count(), 1);
  });

  test("links by hand are outlines around their cells, and named", async () => {
    await set({ gold: { sure: [[1, 2], [99, 0]], possible: [[8, 9]] } });
    const inside = async (name, kind) => {
      const box = await cell(name).boundingBox();
      const path = await page.locator(`alignment-grid .gold .${kind}`).boundingBox();
      return Math.abs(box.x - path.x) < 6 && Math.abs(box.y - path.y) < 6 && Math.abs(box.width - path.width) < 8;
    };
    assert.ok(await inside("cold to froid, 0.71, sure link", "sure"));
    assert.ok(await inside("go to rentrer, 0.42, possible link", "possible"));
    await soon.ok(async () => await page.getByText("Sure link").isVisible() && await page.getByText("Possible link").isVisible());
    await page.screenshot({ path: `${artifacts}grid-gold.png` });
    const message = await page.evaluate(() => {
      try {
        document.querySelector("alignment-grid").gold = { sure: [["<b>", 1]] };
        return "accepted";
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    });
    assert.equal(message, 'TypeError: alignment-grid: gold.sure has ["<b>",1], expected [target, source], two places counted from 0');
  });

  test("refuses weights that do not fit the words, naming both sizes", async () => {
    const message = (data) => page.evaluate((value) => {
      try {
        document.querySelector("alignment-grid").data = value;
        return "accepted";
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    }, data);
    assert.match(await message({ source: ["a", "b"], target: ["c"], attention: [1] }), /^RangeError: .*1 weights, expected 1 x 2/);
    assert.match(await message({ source: ["a", "b"], target: ["c"], attention: [[1]] }), /^RangeError: .*needs 2 weights/);
  });

  test("shows words as text, whatever they hold", async () => {
    await page.evaluate(() => {
      const data = { source: ["<img src=x onerror=alert(1)>"], target: ["<b>مرحبا</b>"], attention: [1] };
      document.querySelector("alignment-grid").data = data;
    });
    await nextFrame();
    await soon.equal(() => page.getByRole("columnheader").innerText(), "<img src=x onerror=alert(1)>");
    await soon.equal(() => page.locator("alignment-grid img").count(), 0);
  });

  test("changes its colours with the colour scheme", async () => {
    const corner = () => page.evaluate(() => {
      const canvas = document.querySelector("alignment-grid").shadowRoot.querySelector(".board canvas");
      return [...canvas.getContext("2d").getImageData(0, 0, 1, 1).data];
    });
    const light = await corner();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction((was) => {
      const canvas = document.querySelector("alignment-grid").shadowRoot.querySelector(".board canvas");
      return canvas.getContext("2d").getImageData(0, 0, 1, 1).data[0] !== was;
    }, light[0]);
    await page.screenshot({ path: `${artifacts}grid-dark.png` });
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction((was) => {
      const canvas = document.querySelector("alignment-grid").shadowRoot.querySelector(".board canvas");
      return canvas.getContext("2d").getImageData(0, 0, 1, 1).data[0] === was;
    }, light[0]);
  });

  test("a touch shows the pair", async () => {
    await open({ viewport: { width: 360, height: 720 }, hasTouch: true });
    await cell("cold to froid, 0.71").tap();
    await soon.ok(() => tip().isVisible());
    const { x, width } = await tip().boundingBox();
    assert.ok(x >= 0 && x + width <= 360, `tooltip from ${x} to ${x + width}`);
    await soon.ok(async () => await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
  });

  test("axe finds nothing, in light and in dark", async () => {
    // The fixture's policy forbids scripts from elsewhere; axe comes in through the debugger.
    for (const colorScheme of ["light", "dark"]) {
      await open({ colorScheme, bypassCSP: true });
      await page.keyboard.press("Tab");
      assert.deepEqual(await axe(page, axeSource), []);
      await set({ gold: { sure: [[1, 2]], possible: [[8, 9]] }, options: { threshold: 0.1, sums: true, order: "source" } });
      assert.deepEqual(await axe(page, axeSource), []);
    }
  });

  for (const size of [60, 200]) {
    test(`${size} x ${size} weights stay smooth`, async (t) => {
      const { draw, frames, cells } = await page.evaluate(async (n) => {
        const grid = document.querySelector("alignment-grid");
        const board = grid.shadowRoot.querySelector(".board");
        const words = Array.from({ length: n }, (_, i) => `word${i}`);
        const attention = () => Float32Array.from({ length: n * n }, (_, i) => Math.exp(-Math.abs((i % n) - Math.floor(i / n)) / 2));
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        grid.data = { source: words, target: words, attention: attention() };
        await frame();
        await frame();
        const draws = [];
        for (let i = 0; i < 5; ++i) {
          grid.data = { source: words, target: words, attention: attention() };
          const start = performance.now();
          await frame(); // drawn in this one
          await new Promise((done) => setTimeout(done)); // and painted
          draws.push(performance.now() - start);
        }
        const box = board.getBoundingClientRect();
        const moves = [];
        for (let i = 0; i < 30; ++i) {
          const start = performance.now();
          board.dispatchEvent(new PointerEvent("pointermove", {
            pointerType: "mouse", bubbles: true, clientX: box.left + 140 + 14 * (i % 40), clientY: box.top + 140 + 11 * i,
          }));
          board.getBoundingClientRect(); // lays out
          moves.push(performance.now() - start);
          await frame();
        }
        const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
        return { draw: median(draws), frames: median(moves), cells: grid.shadowRoot.querySelectorAll(".cell").length };
      }, size);
      t.diagnostic(`${size} x ${size}: new weights drawn in ${draw.toFixed(1)} ms, pointer moved in ${frames.toFixed(1)} ms`);
      assert.ok(cells <= 21 * size, `${cells} elements`);
      // Rows far away get their cells when the keyboard comes near.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Control+End");
      await soon.equal(focused, `word${size - 1} to word${size - 1}, 1.00`);
    });
  }

  test("a picture of it", async () => {
    await cell("cold to froid, 0.71").hover();
    await page.screenshot({ path: `${artifacts}grid-light.png` });
  });
});
