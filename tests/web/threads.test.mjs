// <alignment-threads> on a page of its own, drawn from the same JSON fixture as the grid.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { artifacts, axe, fromRoot, launch, watch } from "./browser.mjs";
import { buildElement } from "./build.mjs";
import { serve } from "./server.mjs";
import { soon } from "./soon.mjs";

const axeSource = readFileSync(fromRoot("node_modules/axe-core/axe.min.js"), "utf8");
const fixture = JSON.parse(readFileSync(new URL("./fixtures/grid.json", import.meta.url), "utf8"));
const gold = { sure: [[1, 2], [5, 6]], possible: [[8, 9]] };

describe("<alignment-threads>", () => {
  let browser, server, context, page, complaints;

  before(async () => {
    server = await serve(await buildElement("threads"));
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
    await page.goto(`${server.url}threads.html`);
    await page.getByRole("option").first().waitFor();
    await nextFrame();
  }

  const set = async (properties) => {
    await page.evaluate((all) => Object.assign(document.querySelector("alignment-threads"), all), properties);
    await nextFrame();
  };
  const word = (name) => page.getByRole("option", { name: new RegExp(`^${name}: `) }).first();
  const focused = () => page.evaluate(() => document.querySelector("alignment-threads").shadowRoot.activeElement?.ariaLabel);
  const lastPair = () => page.evaluate(() => window.pairs.at(-1));
  const lastPlace = async () => (({ row, column }) => [row, column])((await lastPair()) ?? {});
  const tip = () => page.locator("alignment-threads .tip");
  const chosen = () => page.locator("alignment-threads .chosen .text").allInnerTexts();
  const numbers = (side) => page.locator(`alignment-threads .${side} .number`).evaluateAll(
    (all) => all.map((number) => getComputedStyle(number, "::before").content.replaceAll('"', "")));
  const nextFrame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

  /** The middle of a thread in the window, from where its words are. */
  async function middleOf(row, column) {
    const boxes = await page.evaluate(([row, column]) => {
      const root = document.querySelector("alignment-threads").shadowRoot;
      const box = (side, index) => root.querySelectorAll(`.${side} .text`)[index].getBoundingClientRect().toJSON();
      return { a: box("source", column), b: box("target", row), isDown: root.querySelector(".board").classList.contains("down") };
    }, [row, column]);
    const { a, b, isDown } = boxes;
    if (isDown) return { x: (a.right + b.left) / 2, y: (a.top + a.bottom + b.top + b.bottom) / 4 };
    return { x: (a.left + a.right + b.left + b.right) / 4, y: (a.bottom + b.top) / 2 };
  }

  /** How dark a canvas is at a place in the window, 0 (nothing there) to 1. */
  const inkAt = (name, { x, y }) => page.evaluate(([name, x, y]) => {
    const canvas = document.querySelector("alignment-threads").shadowRoot.querySelector(`canvas.${name}`);
    const box = canvas.getBoundingClientRect();
    const scale = canvas.width / box.width;
    const [r, g, b, a] = canvas.getContext("2d").getImageData((x - box.left) * scale, (y - box.top) * scale, 1, 1).data;
    return (a / 255) * (1 - (r + g + b) / 765);
  }, [name, x, y]);

  test("has both lines of words, and each word says what it belongs to", async () => {
    for (const [side, name] of [["source", "English"], ["target", "French"]]) {
      const words = page.getByRole("listbox", { name }).locator(".text");
      await soon.deepEqual(() => words.allInnerTexts(), fixture[side]);
    }
    await soon.equal(() => page.getByRole("option", { name: "froid: cold 0.71, am 0.18, , 0.05", exact: true }).count(), 1);
    await soon.equal(() => page.getByRole("option", { name: "cold: froid 0.71, , 0.08, J'ai 0.05", exact: true }).count(), 1);
  });

  test("a thread is there where there is weight, stronger where there is more", async () => {
    const [strong, weak, none] = [await middleOf(2, 3), await middleOf(0, 1), await middleOf(1, 8)];
    await soon.ok(async () => await inkAt("all", strong) > await inkAt("all", weak));
    await soon.ok(async () => await inkAt("all", weak) > 0.1);
    await soon.ok(async () => await inkAt("all", { x: none.x, y: none.y }) < 0.1);
  });

  test("a word under the pointer shows its threads and weights, and tells so, until the pointer leaves", async () => {
    await word("froid").hover();
    await soon.deepEqual(lastPair, { row: 1, column: null, weight: null });
    await soon.deepEqual(chosen, ["froid"]);
    await soon.deepEqual(async () => (await numbers("source")).slice(0, 6), ["0.03", "0.18", "0.71", "0.05", "0.01", ""]);
    await soon.ok(async () => await inkAt("lit", await middleOf(1, 2)) > 0.3);
    await soon.equal(async () => inkAt("lit", await middleOf(9, 11)), 0, "other words' threads step back");
    await word("cold").hover();
    await soon.deepEqual(lastPair, { row: null, column: 2, weight: null });
    await soon.deepEqual(async () => (await numbers("target")).slice(0, 4), ["0.05", "0.71", "0.08", "0.01"]);
    await page.mouse.move(5, 5);
    await soon.deepEqual(lastPair, { row: null, column: null, weight: null });
    await soon.deepEqual(chosen, []);
    await soon.equal(async () => (await numbers("target")).join(""), "");
  });

  test("a thread under the pointer is a pair", async () => {
    const { x, y } = await middleOf(1, 2);
    await page.mouse.move(x, y);
    const { row, column, weight } = await lastPair();
    assert.deepEqual([row, column], [1, 2]);
    assert.ok(Math.abs(weight - 0.71) < 1e-6);
    await soon.deepEqual(chosen, ["cold", "froid"]);
    await soon.match(() => tip().innerText(), /cold to froid: 0\.71\s+71 % of the attention for “froid” went to “cold”\./);
    await page.mouse.move(x + 22, y);
    await soon.deepEqual(lastPlace, [null, null]);
    await soon.ok(() => tip().isHidden());
  });

  test("each line is one stop for Tab; arrows go along it and over to the other line; Enter goes through the threads", async () => {
    await page.keyboard.press("Tab");
    const at = async () => (await focused())?.split(":")[0];
    await soon.equal(at, "I");
    const steps = [
      ["ArrowRight", "am"], ["ArrowRight", "cold"], ["ArrowDown", "froid"], ["ArrowRight", ","], ["ArrowLeft", "froid"], ["ArrowDown", "froid"],
      ["ArrowUp", "cold"], ["End", "."], ["ArrowRight", "."], ["Home", "I"], ["ArrowLeft", "I"], ["ArrowRight", "am"],
    ];
    for (const [key, name] of steps) {
      await page.keyboard.press(key);
      await soon.equal(at, name, key);
    }
    await soon.deepEqual(lastPlace, [null, 1]);
    const spoken = page.locator("alignment-threads [role=status]");
    for (const [key, place, text] of [
      ["Enter", [0, 1], "am to J'ai, 0.30"], ["Enter", [1, 1], "am to froid, 0.18"], ["Shift+Enter", [0, 1], "am to J'ai, 0.30"], [" ", [1, 1], "am to froid, 0.18"],
    ]) {
      await page.keyboard.press(key);
      await soon.deepEqual(lastPlace, place, key);
      await soon.equal(() => spoken.innerText(), text);
      await soon.ok(() => tip().isVisible());
    }
    await page.keyboard.press("Escape");
    await soon.deepEqual(lastPlace, [null, 1]);
    await soon.ok(() => tip().isHidden());
    await page.keyboard.press("Escape");
    await soon.deepEqual(lastPlace, [null, null]);
    await page.keyboard.press("Tab");
    await soon.equal(at, "froid", "the other line, where one was");
    await page.keyboard.press("Tab");
    await soon.equal(focused, undefined);
    await soon.equal(() => page.locator("alignment-threads [tabindex='0']").count(), 2);
  });

  test("options: threshold, hard links, order and sums", async () => {
    const thread = await middleOf(0, 1);
    const before = await inkAt("all", thread);
    await set({ options: { threshold: 0.4 } });
    await soon.ok(async () => await inkAt("all", thread) < 0.4 * before, "0.30 fades");
    await soon.equal(() => page.getByRole("option", { name: "am: hardly anything", exact: true }).count(), 1);
    await page.mouse.move(thread.x, thread.y);
    await soon.notDeepEqual(lastPlace, [0, 1], "what has faded is not in the pointer's way");
    await set({ options: { threshold: 0, links: "hard" } });
    await soon.equal(() => inkAt("all", thread), 0);
    await soon.match(() => word("froid").getAttribute("aria-label"), /^froid: cold 0\.71 linked, /);
    await set({ options: { links: "soft", sums: true } });
    await page.mouse.move(5, 5);
    await soon.deepEqual(async () => (await numbers("source")).slice(0, 3), ["0.70", "0.49", "0.85"]);
    await soon.deepEqual(async () => (await numbers("target")).slice(0, 3), ["1.00", "1.00", "1.00"]);
    await set({ data: { source: ["a", "b"], target: ["c", "d"], attention: [0, 1, 1, 0] }, options: { order: "source", sums: false } });
    await soon.deepEqual(() => page.getByRole("listbox", { name: "English" }).locator(".text").allInnerTexts(), ["b", "a"]);
    await word("b").hover();
    await soon.deepEqual(lastPlace, [null, 1], "places are those of the data");
  });

  test("links by hand are outlines, and named", async () => {
    const { x, y } = await middleOf(5, 6);
    const goldAt = () => page.evaluate(([x, y]) => {
      const canvas = document.querySelector("alignment-threads").shadowRoot.querySelector("canvas.all");
      const box = canvas.getBoundingClientRect();
      const { data } = canvas.getContext("2d").getImageData(x - box.left - 10, y - box.top, 20, 1);
      let yellow = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 120 && data[i] > data[i + 2] + 60) ++yellow;
      return yellow;
    }, [x, y]);
    await soon.equal(() => goldAt(), 0);
    await set({ gold });
    await soon.ok(async () => await goldAt() >= 2, "one line on either side");
    await soon.match(() => word("froid").getAttribute("aria-label"), /^froid: cold 0\.71 sure link, /);
    await soon.match(() => word("rentrer").getAttribute("aria-label"), /go 0\.42 possible link/);
    await soon.ok(() => page.getByText("Sure link").isVisible());
    await set({ gold: null });
    await soon.equal(() => goldAt(), 0);
    await soon.ok(() => page.getByText("Sure link").isHidden());
  });

  test("can be taken away", async () => {
    const { svg, png, csv, json } = await page.evaluate(async () => {
      const threads = document.querySelector("alignment-threads");
      return { svg: threads.toSvg(), png: (await threads.toPng()).size, csv: threads.toCsv(), json: threads.toJson() };
    });
    assert.deepEqual(JSON.parse(json), fixture);
    assert.equal(csv.trim().split("\r\n").length, fixture.target.length + 1);
    assert.ok(svg.match(/<path /g).length > 30 && svg.includes(">rentrer</text>"));
    assert.ok(png > 5000);
  });

  test("360 px: two columns that fit; a touch shows a word's threads, or a thread", async () => {
    await open({ viewport: { width: 360, height: 800 }, hasTouch: true });
    await soon.ok(async () => await page.evaluate(() => document.documentElement.scrollWidth) <= 360);
    await word("froid").tap();
    await soon.deepEqual(lastPlace, [1, null]);
    await soon.equal(async () => (await numbers("source"))[2], "0.71");
    const { x, y } = await middleOf(9, 11);
    await page.touchscreen.tap(x, y);
    await soon.deepEqual(lastPlace, [9, 11]);
    const box = await tip().boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 360, JSON.stringify(box));
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await soon.match(focused, /^J'ai:|^froid:/, "to the right is the other line");
  });

  test("shows words as text, and changes its colours with the scheme", async () => {
    const thread = await middleOf(2, 3);
    const light = await inkAt("all", thread);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(200);
    await soon.ok(async () => await inkAt("all", thread) < light - 0.3);
    await page.emulateMedia({ colorScheme: "light" });
    await set({ data: { source: ["<img src=x onerror=alert(1)>"], target: ["مرحبا"], attention: [1] } });
    await soon.equal(() => page.locator("alignment-threads img").count(), 0);
    await soon.equal(() => page.getByRole("option").first().innerText(), "<img src=x onerror=alert(1)>");
    await set({ data: { source: [], target: [], attention: [] } });
    await soon.equal(() => page.getByRole("option").count(), 0);
  });

  test("axe finds nothing, in light and in dark, two lines or columns", async () => {
    for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 800 } }]) {
      await open({ ...options, bypassCSP: true });
      await set({ gold, options: { threshold: 0.1, sums: true } });
      await page.keyboard.press("Tab");
      assert.deepEqual(await axe(page, axeSource), []);
    }
  });

  for (const size of [60, 200]) {
    test(`${size} x ${size} weights stay smooth`, async (t) => {
      const { draw, move, elements } = await page.evaluate(async (n) => {
        const threads = document.querySelector("alignment-threads");
        const board = threads.shadowRoot.querySelector(".board");
        const words = Array.from({ length: n }, (_, i) => `word${i}`);
        const attention = () => Float32Array.from({ length: n * n }, (_, i) => Math.exp(-Math.abs((i % n) - Math.floor(i / n)) / 2) / 3);
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        const draws = [];
        for (let i = 0; i < 6; ++i) {
          threads.data = { source: words, target: words, attention: attention() };
          const start = performance.now();
          await frame(); // drawn in this one
          await new Promise((done) => setTimeout(done)); // and painted
          draws.push(performance.now() - start);
        }
        const moves = [];
        const box = board.getBoundingClientRect();
        for (let i = 0; i < 30; ++i) {
          const start = performance.now();
          board.dispatchEvent(new PointerEvent("pointermove", {
            pointerType: "mouse", bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + 20 + 11 * i,
          }));
          board.getBoundingClientRect(); // lays out
          moves.push(performance.now() - start);
          await frame();
        }
        const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
        return { draw: median(draws), move: median(moves), elements: threads.shadowRoot.querySelectorAll("*").length };
      }, size);
      t.diagnostic(`${size} x ${size}: new weights drawn in ${draw.toFixed(1)} ms, pointer moved in ${move.toFixed(1)} ms`);
      assert.ok(elements <= 6 * size + 80, `${elements} elements`);
    });
  }

  test("a picture of it", async () => {
    await word("froid").hover();
    await page.screenshot({ path: `${artifacts}threads-light.png` });
  });
});
