// The built page, driven as a visitor would. `npm run build` makes it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { artifacts, assertStill, fromRoot } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, patience, visits } from "./visit.mjs";

const built = fromRoot("build/web");
const sentence = "I am cold, but I don't want to go home yet.";

describe("the page", { skip: missing }, () => {
  const visit = visits();
  let page;

  async function open({ hash = "", ready = true, ...options } = {}) {
    page = await visit.open(hash, options);
    if (ready) await translated();
  }

  const english = () => page.getByRole("textbox", { name: "English" });
  const french = () => page.locator("translation-text");
  const cells = () => page.getByRole("gridcell");
  const words = () => page.locator("translation-text .token").allInnerTexts();
  const marks = (where) => page.locator(`${where} .chosen`).allInnerTexts();
  const choose = (name) => page.getByRole("radio", { name, exact: true }).check({ force: true });

  /** Waits for a translation, another one than `old` if given, and returns it. */
  async function translated(old = "") {
    await page.waitForFunction((was) => {
      const element = document.querySelector("translation-text");
      return element.textContent.trim() !== "" && element.textContent !== was && element.ariaBusy !== "true";
    }, old);
    return french().innerText();
  }

  /** Does something that changes the translation, and waits for the change. */
  async function changed(action) {
    const old = await french().evaluate((element) => element.textContent);
    await action();
    return translated(old);
  }

  test("translates a first sentence by itself, soon, without moving what is there", async (t) => {
    page = await visit.open("", { fresh: true });
    await translated();
    await soon.equal(() => english().inputValue(), sentence);
    const first = await page.evaluate(() => performance.getEntriesByName("first-translation")[0].startTime);
    t.diagnostic(`navigation to first translation: ${(first / 1000).toFixed(2)} s`);
    await soon.match(() => french().innerText(), /\p{L}{2,}/u);
    await page.waitForTimeout(300);
    await assertStill(page);
    await page.screenshot({ path: `${artifacts}page-light.png`, fullPage: true });
  });

  test("translates while one types, and writes what is shown into the address", async () => {
    await open();
    await english().fill("");
    await page.waitForFunction(() => document.querySelector("translation-text").textContent === "");
    await soon.equal(() => cells().count(), 0);
    await english().pressSequentially("Where is", { delay: 20 });
    const half = await translated();
    await english().pressSequentially(" my book?", { delay: 20 });
    // The address first: a busy machine translates what is half typed on the way.
    await page.waitForURL(/#text=Where\+is\+my\+book%3F&model=transformer&level=word$/);
    const whole = await translated(half);
    assert.notEqual(half, whole);
    await page.reload();
    await soon.equal(() => translated(), whole);
  });

  test("the grid has the words of both sentences", async () => {
    await open();
    assert.deepEqual(await page.getByRole("rowheader").allInnerTexts(), await words());
    const across = await page.getByRole("columnheader").allInnerTexts();
    assert.ok(across.includes("cold"), across.join(" "));
    assert.equal(await cells().count(), across.length * (await words()).length);
    const sums = await cells().evaluateAll((all, width) => {
      const rows = [];
      all.forEach((cell, i) => (rows[Math.floor(i / width)] = (rows[Math.floor(i / width)] ?? 0) + Number(cell.ariaLabel.match(/[\d.]+$/)[0])));
      return rows;
    }, across.length);
    for (const sum of sums) assert.ok(sum > 0 && sum <= 1.08, `a row sums to ${sum}`);
  });

  test("a pair under the pointer is marked in both sentences and put in words", async () => {
    await open();
    const cell = page.getByRole("gridcell", { name: /^cold to / }).first();
    const target = (await cell.getAttribute("aria-label")).match(/^cold to (.*), [\d.]+$/)[1];
    await cell.hover();
    await soon.deepEqual(() => marks("source-text"), ["cold"]);
    await soon.deepEqual(() => marks("translation-text"), [target]);
    await soon.match(() => page.locator("attention-figure alignment-grid .tip").innerText(), /While writing “.+”, .+ % of the network’s attention was on “cold”/);
    await soon.match(() => page.getByRole("complementary").innerText(), new RegExp("^While writing .+, the network looked at"));
    // The mark lies exactly over the word in the text area: both wrap alike.
    const { mirror, area } = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
      return { mirror: box("source-text .mirror"), area: box("source-text textarea") };
    });
    for (const side of ["left", "top", "width"]) assert.ok(Math.abs(mirror[side] - area[side]) < 0.5, side);
    await page.mouse.move(2, 2);
    await soon.deepEqual(() => marks("source-text"), []);
    await soon.deepEqual(() => marks("translation-text"), []);
  });

  test("a French word under the pointer marks its row and tints what it looked at", async () => {
    await open();
    await page.locator("translation-text .token").nth(1).hover();
    const label = (await words())[1];
    await soon.deepEqual(() => page.locator("alignment-grid .chosen").allInnerTexts(), [label]);
    const strengths = await page.locator("source-text mark").evaluateAll(
      (all) => all.map((mark) => Number(mark.style.getPropertyValue("--strength"))));
    assert.ok(Math.max(...strengths) > 0.2, strengths.join(" "));
  });

  test("new words and their rows appear one after the other, unless the visitor wants no motion", async () => {
    const appearing = () => page.evaluate(() => ({
      words: document.querySelector("translation-text").getAnimations({ subtree: true }).filter(({ animationName }) => animationName === "written").length,
      rows: document.querySelector("alignment-grid").shadowRoot.querySelector(".board").getAnimations().map(({ effect }) => effect.getKeyframes().length),
    }));
    await open({ reducedMotion: "no-preference", hash: "#text=Where+is+my+cat%3F" });
    await page.waitForFunction(() => document.getAnimations().length === 0);
    // Watched from within: by the time that a question arrives, they are all there.
    const seen = () => page.evaluate(() => new Promise((done) => {
      const most = { words: 0, rows: 0 };
      const since = performance.now();
      const look = () => {
        const board = document.querySelector("alignment-grid").shadowRoot.querySelector(".board");
        const words = document.querySelector("translation-text").getAnimations({ subtree: true }).filter((each) => each.animationName === "written");
        most.words = Math.max(most.words, words.length);
        most.rows = Math.max(most.rows, ...board.getAnimations().map(({ effect }) => effect.getKeyframes().length - 1));
        if (performance.now() - since < 3000) requestAnimationFrame(look);
        else done(most);
      };
      look();
      document.querySelector("textarea").value = "Where is my dog?";
      document.querySelector("textarea").dispatchEvent(new Event("input", { bubbles: true }));
    }));
    // "Où est mon" stays.
    assert.deepEqual(await seen(), { words: 2, rows: 2 });
    await soon.deepEqual(appearing, { words: 0, rows: [] });
    await open({ reducedMotion: "reduce", hash: "#text=Where+is+my+cat%3F" });
    assert.deepEqual(await seen(), { words: 0, rows: 0 });
  });

  test("who comes back from another page finds what was there", async () => {
    await open({ hash: "#text=Where+is+my+cat%3F&model=additive" });
    await english().fill("Where is my dog?");
    await page.getByRole("link", { name: "How it works" }).click();
    await soon.equal(() => page.locator("decoder-steps").getByRole("textbox").inputValue(), "Where is my dog?");
    await soon.equal(() => page.locator("decoder-steps").getByRole("radio", { name: "Additive" }).isChecked(), true);
    await page.getByRole("link", { name: "Translate", exact: true }).click();
    await translated();
    await soon.equal(() => english().inputValue(), "Where is my dog?");
    await soon.equal(() => page.getByRole("radio", { name: "Additive" }).isChecked(), true);
    // The address of a link is meant.
    await page.goto(`${visit.server.url}#text=Hello&model=dot`);
    await soon.equal(() => english().inputValue(), "Hello");
  });

  test("how probable each French word was is said, and dots are under those less than half", async () => {
    await open({ hash: "#text=When+I+was+a+child%2C+my+grandfather+told+me+a+story+every+evening." });
    const tokens = page.locator("translation-text .token");
    const shown = [];
    for (let i = 0; i < await tokens.count(); ++i) {
      await tokens.nth(i).hover();
      const [, percents] = (await page.getByRole("complementary").innerText()).match(/It found this word (less than 1|\d+) % probable\./);
      const dots = await tokens.nth(i).evaluate((token) => getComputedStyle(token).textDecorationStyle === "dotted");
      if (Number(percents) !== 50) assert.equal(dots, !(Number(percents) > 50), `${percents} %`);
      shown.push(dots);
    }
    assert.deepEqual([...new Set(shown)].sort(), [false, true], "some are, some are not");
  });

  test("the keyboard walks through the grid", async () => {
    await open();
    const name = () => page.evaluate(() => document.querySelector("alignment-grid").shadowRoot.activeElement?.ariaLabel);
    await page.getByRole("button", { name: "Change the attention" }).focus();
    await page.keyboard.press("Tab");
    const first = await name();
    await page.keyboard.press("ArrowRight");
    const second = await name();
    await page.keyboard.press("ArrowDown");
    const third = await name();
    assert.equal(new Set([first, second, third]).size, 3);
    const [, source, target] = third.match(/^(.*) to (.*), [\d.]+$/);
    await soon.deepEqual(() => marks("source-text"), [source]);
    await soon.deepEqual(() => marks("translation-text"), [target]);
  });

  test("pieces and words are two views of the same sentence", async () => {
    await open({ hash: "#text=Unfortunately,+the+photographers+misunderstood+everything." });
    const text = await french().innerText();
    const wordCount = await page.getByRole("columnheader").count();
    await choose("Pieces");
    await page.waitForFunction((count) =>
      document.querySelector("alignment-grid").shadowRoot.querySelectorAll("[role=columnheader]").length > count, wordCount);
    await soon.equal(() => french().innerText(), text);
    await page.screenshot({ path: `${artifacts}page-pieces.png`, fullPage: true });
    await choose("Words");
    await page.waitForFunction((count) =>
      document.querySelector("alignment-grid").shadowRoot.querySelectorAll("[role=columnheader]").length === count, wordCount);
  });

  test("models switch: each with attention draws its own grid, none says why it has no grid and compares", async () => {
    await open();
    const labels = () => cells().evaluateAll((all) => all.map((cell) => cell.ariaLabel).join());
    const drawn = (others) => page.waitForFunction((others) => {
      const now = [...document.querySelector("alignment-grid").shadowRoot.querySelectorAll(".cell")].map((cell) => cell.ariaLabel).join();
      return now !== "" && !others.includes(now);
    }, others);
    const grids = [await labels()];
    for (const model of ["Additive", "Dot product"]) {
      await choose(model);
      await drawn(grids);
      grids.push(await labels());
      await page.screenshot({ path: `${artifacts}page-${model.slice(0, 3).toLowerCase()}.png`, fullPage: true });
    }
    await choose("None");
    await page.getByRole("heading", { name: "Without attention there is no alignment to draw" }).waitFor();
    await soon.equal(() => cells().count(), 0);
    await page.getByText("The same sentence with additive attention").waitFor();
    await page.screenshot({ path: `${artifacts}page-none.png`, fullPage: true });
    await choose("Transformer");
    await drawn(grids.slice(1));
    await soon.equal(() => labels(), grids[0]);
  });

  test("without attention at first sight, the comparison comes by itself", async () => {
    await open({ hash: "#model=plain" });
    await page.getByText("The same sentence with additive attention").waitFor();
  });

  test("examples are longer and longer, and one press away", async () => {
    await open();
    const buttons = page.getByRole("list").getByRole("button");
    const count = await buttons.count();
    assert.ok(count >= 5);
    await changed(() => buttons.nth(count - 1).click());
    await soon.equal(() => buttons.nth(count - 1).getAttribute("aria-pressed"), "true");
    await soon.ok(async () => (await english().inputValue()).length > 80);
    await page.screenshot({ path: `${artifacts}page-long.png`, fullPage: true });
    await soon.ok(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });

  test("several sentences keep their line breaks, and each has its grid", async () => {
    await open({ hash: `#${new URLSearchParams({ text: "I am cold.\n\nWhere is my book?" })}` });
    await soon.match(() => french().evaluate((element) => element.textContent), /^\S.*\S\n\n\S.*\S$/);
    await page.getByText("Sentence 1 of 2").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Sentence 2 of 2").waitFor();
    await soon.ok(async () => (await page.getByRole("columnheader").allInnerTexts()).includes("book"));
    await page.getByRole("gridcell", { name: /^book to / }).first().hover();
    await soon.deepEqual(() => marks("source-text"), ["book"]);
    await soon.equal(async () => (await marks("translation-text")).length, 1);
    await page.locator("translation-text .sentence").first().click();
    await page.getByText("Sentence 1 of 2").waitFor();
    await soon.ok(async () => (await page.getByRole("columnheader").allInnerTexts()).includes("cold"));
  });

  test("blank and odd text do no harm", async () => {
    await open();
    for (const text of ["   ", "🙂🙂 🙂", "مرحبا بالعالم", "\u0000\u0007 tab\t", "<img src=x onerror=alert(1)>", "a".repeat(5000)]) {
      await english().fill(text);
      await page.waitForTimeout(250);
      await page.waitForFunction(() => document.querySelector("translation-text").ariaBusy !== "true");
      await soon.equal(() => page.getByRole("alert").count(), 0, text.slice(0, 20));
    }
    await soon.equal(() => page.locator("translation-text img").count(), 0);
    await english().fill(sentence);
    await page.getByRole("gridcell", { name: /^cold to / }).first().waitFor();
  });

  test("a long text appears sentence by sentence while the page stays quick", async (t) => {
    await open();
    const text = Array.from({ length: 100 }, (_, i) => `I have ${i + 3} books. Where do you live?`).join(" ");
    await english().fill(text);
    await page.getByText(/^Sentence \d+ of \d+$/).waitFor();
    const wait = await page.evaluate(async () => {
      let longest = 0;
      for (let i = 0, then = performance.now(); i < 20; ++i) {
        await new Promise((done) => setTimeout(done, 16));
        longest = Math.max(longest, performance.now() - then - 16);
        then = performance.now();
      }
      return longest;
    });
    t.diagnostic(`longest wait of the page while translating: ${wait.toFixed(0)} ms`);
    await page.getByText(/of 200$/).waitFor();
    await english().fill(`${text} `);
    await english().fill("I am cold.");
    await page.getByRole("gridcell", { name: /^cold to / }).first().waitFor();
    await page.waitForTimeout(500);
    await soon.equal(() => page.getByText(/^Sentence \d+ of \d+$/).isVisible(), false, "nothing of the older text comes after");
    await soon.equal(() => page.locator("translation-text .sentence").count(), 1);
  });

  test("a link, and a page that is reloaded, show the sentence that was shown", async () => {
    const sentence = (text) => page.getByText(text).waitFor();
    await open({ hash: `#${new URLSearchParams({ text: "I love you. My house is old. Where is the cat?" })}` });
    await sentence("Sentence 1 of 3");
    await page.getByRole("button", { name: "Next", exact: true }).click();
    await sentence("Sentence 2 of 3");
    await page.waitForURL(/at=1$/);
    await page.reload();
    await sentence("Sentence 2 of 3");
    await page.evaluate(() => (location.hash = "#text=I+am+cold.+I+am+late.&at=7"));
    await page.getByRole("columnheader", { name: /^(cold|late)$/ }).waitFor();
    await page.waitForURL(/text=I\+am\+cold\.[^#]*/);
  });

  test("on paper there is what is shown, not what is pressed", async () => {
    await open();
    await page.getByRole("gridcell").first().waitFor();
    await page.emulateMedia({ media: "print" });
    for (const selector of ["nav.pages", "view-options", "take-away >> nth=0", "#theme"]) await soon.ok(() => page.locator(selector).isHidden(), selector);
    for (const selector of ["translation-text", "attention-figure alignment-grid >> nth=0"]) await soon.ok(() => page.locator(selector).isVisible(), selector);
    await page.emulateMedia({ media: null });
  });

  test("a translation that says the same over and over is said to be lost, until another one comes", async () => {
    const lost = () => page.locator("#lost");
    const numbers = "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve";
    for (const colorScheme of ["light", "dark"]) {
      await open({ hash: `#${new URLSearchParams({ text: numbers })}`, colorScheme });
      await soon.match(() => lost().innerText(), /^The network has lost its thread: it says the same \d+ times in a row\./);
      assert.deepEqual(await visit.noticed(), []);
    }
    await changed(() => english().fill("日本語の文章です。"));
    await soon.match(() => lost().innerText(), /^The network has learned English only, in Latin letters: here it guesses\.$/);
    await changed(() => english().fill("I am cold."));
    await soon.ok(() => lost().isHidden());
  });

  test("a failed download is said in plain words, and trying again helps", async () => {
    visit.expected = /404/;
    visit.server.answers.set(/safetensors$/, (response) => response.writeHead(404).end());
    await open({ ready: false });
    const alert = page.getByRole("alert");
    await alert.waitFor();
    await soon.match(() => alert.innerText(), /could not be downloaded.*connection/s);
    await page.getByText("What exactly happened").click();
    await soon.match(() => alert.innerText(), /http:\/\/127\.0\.0\.1.*404/s);
    await page.screenshot({ path: `${artifacts}page-failed.png` });
    visit.server.answers.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await translated();
    await soon.equal(() => alert.count(), 0);
  });

  test("a damaged model is said in plain words, and another kind of attention still works", async () => {
    await open({ fresh: true });
    visit.server.answers.set(/dot.*safetensors$/, (response) => response.writeHead(200).end("not a model at all"));
    await choose("Dot product");
    await soon.match(() => page.getByRole("alert").innerText(), /damaged/);
    await choose("Additive");
    await translated();
    await soon.equal(() => page.getByRole("alert").count(), 0);
  });

  test("a translator that does not start is said in plain words", async () => {
    visit.expected = /404|Failed to load/;
    visit.server.answers.set(/worker.*\.js$/, (response) => response.writeHead(404).end());
    await open({ ready: false });
    await soon.match(() => page.getByRole("alert").innerText(), /did not start/);
    visit.server.answers.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await translated();
  });

  test("a browser without WebAssembly SIMD is told what it needs, and not to try again", async () => {
    visit.server.answers.set(/worker.*\.js$/, (response, path) => {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(`WebAssembly.validate = () => false;\n${readFileSync(`${built}${path}`, "utf8")}`);
    });
    await open({ ready: false });
    await soon.match(() => page.getByRole("alert").innerText(), /This browser cannot run the translator.*Firefox/s);
    await soon.equal(() => page.getByRole("alert").getByRole("button").count(), 0);
  });

  test("loading shows its progress", async () => {
    visit.server.answers.set(/safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write(Buffer.alloc(430));
    });
    await open({ ready: false });
    await page.getByRole("progressbar", { name: /^Loading the transformer, 4[23] %$/ }).waitFor();
    await english().fill("One can type already");
    await page.screenshot({ path: `${artifacts}page-loading.png` });
  });

  test("a download can be cancelled: nothing more is loaded until it is asked for, and other models work", async () => {
    let closed;
    const ended = new Promise((resolve) => (closed = resolve));
    visit.server.answers.set(/transformer.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write(Buffer.alloc(430));
      response.on("close", closed);
    });
    await open({ ready: false });
    const bar = page.getByRole("progressbar", { name: /^Loading the transformer/ });
    await bar.waitFor();
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const [line, ...parts] = await page.locator("#loading, #loading > *").evaluateAll((all) => all.map((part) => part.getBoundingClientRect().toJSON()));
      assert.equal(parts.length, 3);
      for (const { left, right, top, bottom } of parts) {
        const inside = left >= line.left - 1 && right <= line.right + 1 && top >= line.top - 1 && bottom <= line.bottom + 1;
        const isBar = left === parts[1].left;
        assert.ok(inside && (right - left > 20 || (isBar && width === 360)), `${width} px: ${JSON.stringify(parts)} in ${JSON.stringify(line)}`);
      }
      await page.screenshot({ path: `${artifacts}page-loading-${width}.png` });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("button", { name: "Cancel" }).click();
    await Promise.race([ended, page.waitForTimeout(patience).then(() => assert.fail("the download goes on"))]);
    const alert = page.getByRole("alert");
    await soon.match(() => alert.innerText(), /cancelled.*What you typed is still here/s);
    await soon.equal(() => page.evaluate(() => document.activeElement.textContent), "Load it");
    await page.screenshot({ path: `${artifacts}page-cancelled.png` });
    await english().fill("I am not cold any more.");
    await page.waitForTimeout(300);
    await soon.deepEqual(async () => [await bar.count(), await alert.count()], [0, 1]);
    const loads = () => visit.server.requests.filter((path) => /transformer.*safetensors$/.test(path)).length;
    assert.equal(loads(), 1);
    await choose("Additive");
    await translated();
    await soon.equal(() => alert.count(), 0);
    visit.server.answers.clear();
    await choose("Transformer");
    await page.waitForFunction(() => caches.open("softalign-models").then((cache) => cache.keys()).then((keys) => keys.length === 2));
    assert.equal(loads(), 2);
  });

  test("360 px: nothing sticks out, and a touch shows the pair", async () => {
    await open({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await soon.equal(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
    const cell = page.getByRole("gridcell", { name: /^cold to / }).first();
    await cell.scrollIntoViewIfNeeded();
    await cell.tap();
    await soon.deepEqual(() => marks("source-text"), ["cold"]);
    const { x, width } = await page.locator("attention-figure alignment-grid .tip").boundingBox();
    assert.ok(x >= 0 && x + width <= 360);
    await page.screenshot({ path: `${artifacts}page-phone.png`, fullPage: true });
  });

  test("the reader looks back at what was read, and at nothing else", async () => {
    await open({ fresh: true });
    const before = visit.server.requests.filter((path) => path.includes("lstmn"));
    assert.deepEqual(before, [], "the reader is loaded before anyone asks for it");
    await page.getByRole("button", { name: "Read it" }).click();
    const grid = page.locator("reading-lab");
    await grid.getByRole("gridcell").first().waitFor();
    const typed = "The FBI is chasing a criminal on the run .".split(" ");
    await soon.deepEqual(() => grid.getByRole("rowheader").allInnerTexts(), typed);
    await soon.deepEqual(() => grid.getByRole("columnheader").allInnerTexts(), ["(beginning)", ...typed]);
    const weights = await grid.getByRole("gridcell").evaluateAll((all) => all.map((cell) => Number(cell.ariaLabel.match(/[\d.]+$/)[0])));
    for (let row = 0; row < typed.length; ++row) {
      const looked = weights.slice(row * (typed.length + 1), (row + 1) * (typed.length + 1));
      assert.ok(Math.abs(looked.reduce((a, b) => a + b) - 1) < 0.08, `row ${row} sums to ${looked}`);
      // A word of several pieces looks back at its own first ones.
      assert.ok(looked.slice(row + 2).every((weight) => weight === 0), `row ${row} looks ahead: ${looked}`);
    }
    await grid.getByRole("gridcell", { name: /^FBI to is,/ }).hover();
    await soon.match(() => page.getByRole("complementary", { name: "What the reading grid shows" }).innerText(), /On reading is, the network looked back at[\s\S]*bits surprised/);
    await page.getByRole("textbox", { name: "A sentence to read" }).fill("We read on.");
    await page.waitForFunction(() => document.querySelector("reading-lab alignment-grid").data.target[1] === "read");
    await page.locator(".reader").screenshot({ path: `${artifacts}page-reader.png` });
  });

  test("the reader's download can be cancelled, while the translation goes on; later it comes after all", async () => {
    visit.server.answers.set(/lstmn.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write(Buffer.alloc(430));
    });
    await open();
    const reader = page.locator("reading-lab");
    await reader.getByRole("button", { name: "Read it" }).click();
    await reader.getByRole("progressbar", { name: /^Loading the reader, 4\d %$/ }).waitFor();
    await reader.getByRole("button", { name: "Cancel" }).click();
    await reader.getByText("Cancelled. Press the button to load the network after all.").waitFor();
    await soon.equal(() => page.evaluate(() => document.activeElement.textContent), "Read it");
    await changed(() => english().fill("Where is my book?"));
    await soon.equal(() => reader.getByRole("progressbar").count(), 0);
    visit.server.answers.clear();
    await reader.getByRole("button", { name: "Read it" }).click();
    await reader.getByRole("gridcell").first().waitFor();
    await soon.equal(() => reader.getByText("Cancelled.").count(), 0);
  });

  test("dark: follows the system, and the button overrules it and is remembered", async () => {
    const isDark = () => page.evaluate(() => {
      const lightness = getComputedStyle(document.documentElement).backgroundColor.match(/oklch\(([\d.]+)/)[1];
      return Number(lightness) < 0.5;
    });
    await open({ colorScheme: "dark" });
    await soon.ok(() => isDark());
    await page.screenshot({ path: `${artifacts}page-dark.png`, fullPage: true });
    await page.getByRole("button", { name: "Light" }).click();
    await soon.ok(async () => !(await isDark()));
    await page.reload();
    await translated();
    await soon.ok(async () => !(await isDark()));
  });

  test("axe finds nothing: light, dark, phone, none", async () => {
    const views = [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 780 } }, { hash: "#model=plain" },
      { hash: "#picture=threads&gold=1&sums=1&links=hard" }, { hash: "#picture=threads&threshold=0.1", colorScheme: "dark" }];
    for (const view of views) {
      await open(view);
      await page.getByRole("button", { name: "Read it" }).click();
      await page.locator("reading-lab").getByRole("gridcell").first().waitFor();
      if (await page.locator("view-options").isVisible()) await openView();
      assert.deepEqual(await visit.noticed(), [], JSON.stringify(view));
    }
  });

  test("nothing leaves the page's own address, and the policy forbids that it could", async () => {
    const addresses = [];
    await open({ ready: false });
    page.on("request", (request) => addresses.push(request.url()));
    await page.reload();
    await translated();
    await english().fill("My secret is safe.");
    await page.waitForTimeout(500);
    assert.ok(addresses.length > 3);
    for (const address of addresses) assert.ok(address.startsWith(visit.server.url), address);
    for (const path of visit.server.requests) assert.doesNotMatch(path, /secret/i);
    visit.expected = /Content Security Policy/;
    const refused = await page.evaluate(async () => {
      const violations = [];
      document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
      await fetch("http://localhost:9/").catch(() => {});
      const style = document.createElement("style");
      document.head.append(Object.assign(style, { textContent: "body { color: red }" }));
      const script = document.createElement("script");
      document.head.append(Object.assign(script, { textContent: "globalThis.injected = true" }));
      await new Promise((done) => setTimeout(done, 100));
      return { violations, injected: globalThis.injected === true };
    });
    assert.deepEqual(refused, { violations: ["connect-src", "style-src-elem", "script-src-elem"], injected: false });
  });

  test("what the grid shows can be taken away, as a picture and as numbers", async () => {
    await open({ acceptDownloads: true, permissions: ["clipboard-read", "clipboard-write"], colorScheme: "dark" });
    const figure = page.locator("attention-figure");
    const save = async (format) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        figure.getByRole("button", { name: format.toUpperCase(), exact: true }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `alignment.${format}`);
      await soon.equal(() => figure.locator("take-away [role=status]").innerText(), "Saved.");
      return readFileSync(await download.path());
    };
    const labels = (role) => figure.getByRole(role).allInnerTexts();
    const [source, target] = [await labels("columnheader"), await labels("rowheader")];

    const json = JSON.parse(await save("json"));
    assert.deepEqual([json.source, json.target], [source, target]);
    const names = await figure.getByRole("gridcell").evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    assert.deepEqual(
      json.attention.flatMap((row, r) => row.map((weight, c) => `${source[c]} to ${target[r]}, ${weight.toFixed(2)}`)), names);

    const table = (await save("csv")).toString().trim().split("\r\n");
    assert.equal(table.length, target.length + 1);
    assert.deepEqual(table.slice(1).map((row) => Number(row.split(",").at(-1))), json.attention.map((row) => row.at(-1)));

    // Both pictures as a browser sees them: of one shape, and of one colour in a corner of each cell.
    const pictures = { "image/svg+xml": await save("svg"), "image/png": await save("png") };
    const drawing = pictures["image/svg+xml"].toString();
    const rectangles = [...drawing.matchAll(/<rect x="(\d+)" y="(\d+)".* fill="#(\w+)"/g)];
    const corners = rectangles.map(([, x, y]) => [Number(x) + 3, Number(y) + 3]);
    assert.equal(rectangles.length, 1 + source.length * target.length);
    const elsewhere = await visit.context.newPage();
    const [svg, png] = await elsewhere.evaluate(([corners, all]) => Promise.all(all.map(async ([type, base64, scale]) => {
      const image = Object.assign(new Image(), { src: `data:${type};base64,${base64}` });
      await image.decode();
      const { width, height } = image;
      const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
      context.drawImage(image, 0, 0);
      const colours = corners.map(([x, y]) => [...context.getImageData(scale * x, scale * y, 1, 1).data]);
      return { size: [width / scale, height / scale], colours };
    })), [corners, Object.entries(pictures).map(([type, bytes], i) => [type, bytes.toString("base64"), i + 1])]);
    assert.deepEqual(svg, png);
    assert.deepEqual(svg.colours, rectangles.map(([, , , fill]) => [...Buffer.from(fill, "hex"), 255]));
    assert.ok(new Set(svg.colours.map(String)).size > 10);

    await figure.getByRole("button", { name: "Copy picture" }).click();
    await page.waitForFunction(() => document.querySelector("attention-figure take-away [role=status]").textContent === "Copied.");
    await soon.deepEqual(() => page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
  });

  const threads = () => page.locator("attention-figure alignment-threads");
  const view = () => page.locator("view-options");
  const openView = () => view().locator("summary").click();
  const inAddress = (pattern) => page.waitForURL(pattern);

  test("the same sentence as threads: words, marks in both texts, what is taken away", async () => {
    await open({ acceptDownloads: true });
    const [across, down] = [await page.getByRole("columnheader").allInnerTexts(), await page.getByRole("rowheader").allInnerTexts()];
    await choose("Threads");
    await soon.equal(() => page.getByRole("grid", { name: /^Attention: French/ }).count(), 0);
    await soon.deepEqual(() => threads().getByRole("listbox", { name: "English" }).locator(".text").allInnerTexts(), across);
    await soon.deepEqual(() => threads().getByRole("listbox", { name: "French" }).locator(".text").allInnerTexts(), down);
    await threads().getByRole("option", { name: /^cold: / }).hover();
    await soon.deepEqual(() => marks("source-text"), ["cold"]);
    await soon.match(() => page.getByRole("complementary", { name: "What the picture shows" }).innerText(), /^cold was looked at while writing/);
    await page.locator("translation-text .token").nth(1).hover();
    await soon.deepEqual(() => threads().locator(".chosen .text").allInnerTexts(), [down[1]]);
    await page.mouse.move(2, 2);
    await soon.match(() => page.getByRole("complementary", { name: "What the picture shows" }).innerText(), /How to read the threads/);
    const [download] = await Promise.all([
      page.waitForEvent("download"), page.locator("attention-figure").getByRole("button", { name: "SVG", exact: true }).click(),
    ]);
    const svg = readFileSync(await download.path(), "utf8");
    assert.ok(svg.includes("<path ") && !svg.includes('width="58"'), "threads, not cells");
    await page.screenshot({ path: `${artifacts}page-threads.png`, fullPage: true });
  });

  test("the view's options reach both pictures and the address, by keyboard too, without adding to the history", async () => {
    await open();
    const before = await page.evaluate(() => history.length);
    await view().locator("summary").focus();
    await page.keyboard.press("Enter");
    const slider = page.getByRole("slider", { name: "Fade weights below" });
    await slider.focus();
    for (let i = 0; i < 20; ++i) await page.keyboard.press("ArrowRight");
    await soon.equal(() => view().locator("output").innerText(), "0.20");
    await page.getByRole("checkbox", { name: "Sums of rows and columns" }).check();
    await page.getByRole("radio", { name: "Soft" }).focus();
    await page.keyboard.press("ArrowRight");
    await soon.match(() => view().locator(".about").innerText(), /largest weight, the first of equals/);
    await choose("English sorted");
    await page.getByRole("gridcell", { name: /^cold to .*linked$/ }).waitFor();
    await soon.ok(async () => await page.getByRole("gridcell", { name: /^Sum of cold, / }).count() === 1);
    await inAddress(/level=word&threshold=0\.2&links=hard&order=source&sums=1$/);
    await choose("Threads");
    await inAddress(/sums=1&picture=threads$/);
    await threads().getByRole("option", { name: /^cold: .* linked/ }).waitFor();
    await soon.equal(() => page.evaluate(() => history.length), before);
    await page.keyboard.press("Escape");
    await view().locator("summary").focus();
    await slider.focus();
    await page.keyboard.press("Escape");
    await soon.equal(() => view().locator("details").getAttribute("open"), null);
    const shown = await threads().locator(".source .text").allInnerTexts();
    await page.reload();
    await translated();
    await threads().getByRole("option", { name: /^cold: .* linked/ }).waitFor();
    await soon.deepEqual(() => threads().locator(".source .text").allInnerTexts(), shown);
    // Another link, opened in the same tab, says nothing of the view: it is as at first.
    await page.evaluate(() => (location.hash = "#text=I+am+cold.&model=transformer&level=word"));
    await page.getByRole("gridcell", { name: /^cold to [^,]*, [\d.]+$/ }).first().waitFor();
    await openView();
    await soon.equal(() => page.getByRole("radio", { name: "Soft" }).isChecked(), true);
    await soon.equal(() => view().locator("output").innerText(), "0.00");
  });

  test("a link brings back text, model, level and view; of a text too long for one it says so", async () => {
    await open({ permissions: ["clipboard-read", "clipboard-write"], hash: "#text=Where+is+my+book%3F&model=additive&level=piece" });
    await choose("Threads");
    const figure = page.locator("attention-figure");
    const copied = async () => {
      // A browser may refuse the clipboard for a moment, as while another window comes to the front.
      await soon.match(async () => {
        await figure.getByRole("button", { name: "Copy link" }).click();
        return figure.locator("take-away [role=status]").innerText();
      }, /^Link copied/);
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const link = await copied();
    assert.equal(link, `${visit.server.url}#text=Where+is+my+book%3F&model=additive&level=piece&picture=threads`);
    const words = await threads().locator(".text").allInnerTexts();
    await page.goto("about:blank");
    await page.goto(link);
    await translated();
    await soon.deepEqual(() => threads().locator(".text").allInnerTexts(), words);
    await soon.equal(() => page.getByRole("radio", { name: "Additive" }).isChecked(), true);
    await english().fill("I am cold. ".repeat(200));
    await soon.doesNotMatch(() => copied(), /text=/);
    await soon.match(() => figure.locator("take-away [role=status]").innerText(), /without the text/);
  });

  test("a link made to do harm does none", async () => {
    for (const hash of [
      "#text=%3Cscript%3Ewindow.harm=1%3C/script%3E&picture=%3Cimg%20src=x%20onerror=window.harm=1%3E&threshold=9e99&links=__proto__",
      `#text=${"x".repeat(100_000)}&picture=threads`, "#%E0%A4%A&&==&txt", "#picture=threads&picture=grid&order=constructor&sums=%00",
    ]) {
      await open({ hash });
      await soon.equal(() => page.evaluate(() => window.harm), undefined);
      await soon.equal(() => page.locator("main script, main img[src=x]").count(), 0);
    }
    await open({ hash: `#model=dot&text=${"x".repeat(100_000)}` });
    await soon.equal(() => english().inputValue(), sentence);
    await soon.equal(() => page.getByRole("radio", { name: "Transformer" }).isChecked(), true);
  });

  test("links by hand are offered for the words we aligned, and drawn in both pictures", async () => {
    const box = () => view().locator("label.gold");
    await open({ hash: "#text=Where+did+you+buy+this+book%3F" });
    await soon.equal(() => french().innerText(), "Où as-tu acheté ce livre ?", "the translation that we aligned");
    await openView();
    await box().getByRole("checkbox").check();
    await page.getByRole("gridcell", { name: /^book to livre, [\d.]+, sure link$/ }).waitFor();
    await soon.ok(async () => await page.getByRole("gridcell", { name: /^did to acheté, [\d.]+, possible link$/ }).count() === 1);
    await soon.ok(() => page.locator("attention-figure alignment-grid").getByText("Our link by hand").isVisible());
    await inAddress(/gold=1$/);
    await page.screenshot({ path: `${artifacts}page-gold.png`, fullPage: true });
    await choose("Threads");
    await threads().getByRole("option", { name: /^livre: book [\d.]+ sure link/ }).waitFor();
    await choose("Pieces");
    await box().waitFor({ state: "hidden" });
    await choose("Words");
    await box().waitFor();
    await changed(() => english().fill("Where did you buy this house?"));
    await soon.ok(() => box().isHidden());
    await soon.equal(() => threads().getByRole("option", { name: /sure link/ }).count(), 0);
  });

  test("links by hand fit most examples, and no place is outside of its sentence", async (t) => {
    await open({ hash: "#gold=1" });
    const buttons = page.getByRole("list").getByRole("button");
    let aligned = 0;
    for (let index = 0; index < await buttons.count(); ++index) {
      await buttons.nth(index).click();
      await page.waitForFunction((i) => {
        const shown = document.querySelectorAll("#examples button")[i].title;
        const source = document.querySelector("attention-figure alignment-grid").data.source.join("");
        return source.replaceAll(" ", "") === shown.replaceAll(" ", "");
      }, index);
      const { gold, data } = await page.evaluate(() => {
        const { gold, data: { source, target } } = document.querySelector("attention-figure alignment-grid");
        return { gold, data: { source, target } };
      });
      if (!gold) continue;
      ++aligned;
      for (const [row, column] of [...gold.sure, ...gold.possible]) assert.ok(data.target[row] && data.source[column], `${row}, ${column}`);
      const linked = new Set(gold.sure.concat(gold.possible).map(([row]) => row));
      assert.equal(linked.size, data.target.length, "each French word has a link");
    }
    t.diagnostic(`${aligned} examples have links by hand`);
    assert.ok(aligned >= 3);
  });

  test("360 px: threads, their options and a touch", async () => {
    await open({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, hash: "#picture=threads&sums=1" });
    await view().locator("summary").tap();
    await soon.equal(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
    await threads().getByRole("option", { name: /^cold: / }).tap();
    await soon.deepEqual(() => marks("source-text"), ["cold"]);
    await page.screenshot({ path: `${artifacts}page-threads-phone.png`, fullPage: true });
  });
});
