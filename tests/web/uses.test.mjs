// The page of other uses, as built, driven as a visitor would.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { artifacts, fromRoot } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

describe("the page of other uses", { skip: missing }, () => {
  const visit = visits();
  const { open } = visit;
  const lab = (use) => visit.page.locator(`${use}-lab`);
  const row = (use) => lab(use).locator(".word-row button");
  const below = (use) => lab(use).locator(".word-row small").allInnerTexts();
  const labels = (use) => lab(use).getByRole("gridcell").evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
  const buttons = { tagger: "Label the words", sentiment: "Judge it", masked: "Show its words" };
  const ask = async (use) => {
    await lab(use).getByRole("button", { name: buttons[use] }).click();
    await row(use).first().waitFor();
  };
  const write = (use, text) => lab(use).getByRole("textbox").fill(text);
  const shows = (use, words) => visit.page.waitForFunction(([use, words]) =>
    [...document.querySelectorAll(`${use}-lab .word-row span:first-child`)].map((word) => word.textContent).join(" ") === words, [use, words]);
  const pixels = (locator) => locator.evaluate((canvas) =>
    [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data].join());

  test("no model is downloaded before it is asked for, and then that model alone", async () => {
    const page = await open("uses.html", { fresh: true });
    await page.getByRole("heading", { name: "What else attention is for" }).waitFor();
    await page.waitForTimeout(300);
    const models = () => visit.server.requests.filter((path) => path.includes("safetensors"));
    assert.deepEqual(models(), []);
    await ask("tagger");
    assert.deepEqual(models().map((path) => path.match(/en-\w+/)[0]), ["en-tagger"]);
    await page.getByRole("navigation").getByRole("link", { name: "Translate" }).click();
    await page.waitForFunction(() => document.querySelector("translation-text")?.textContent.trim());
    await page.getByRole("link", { name: "Other uses" }).click();
    await soon.equal(() => page.locator("[aria-current=page]").innerText(), "Other uses");
  });

  test("labels words while one types; a word shows how sure it is, and its row of the grid", async () => {
    const page = await open("uses.html", { fresh: true });
    await lab("tagger").getByRole("textbox", { name: "A sentence to label" }).press("Enter");
    await shows("tagger", "The old man reads the book .");
    await soon.deepEqual(() => below("tagger"), ["determiner", "adjective", "noun", "verb", "determiner", "noun", "punctuation"]);
    await lab("tagger").getByRole("button", { name: /^reads verb \d+ % sure$/ }).waitFor();
    await soon.equal(async () => (await labels("tagger")).length, 49);
    await write("tagger", "She can sing.");
    await shows("tagger", "She can sing .");
    await soon.deepEqual(async () => (await below("tagger")).slice(0, 3), ["pronoun", "auxiliary", "verb"]);

    await row("tagger").first().focus();
    await page.keyboard.press("ArrowRight");
    await soon.match(() => lab("tagger").locator(".beneath").innerText(), /How sure it is about can[\s\S]*auxiliary\s+0\.\d\d[\s\S]*helps a verb/);
    await soon.deepEqual(() => lab("tagger").locator("alignment-grid .row-label.chosen").allInnerTexts(), ["can"]);
    await soon.match(() => lab("tagger").getByRole("complementary").innerText(), /To understand can, this head looked at/);
    await page.keyboard.press("End");
    await soon.match(() => page.evaluate(() => document.activeElement.textContent), /^\. punctuation/);
    // From the grid back to the words.
    await lab("tagger").getByRole("gridcell", { name: /^can to sing,/ }).hover();
    await soon.deepEqual(() => lab("tagger").locator(".word-row .chosen span:first-child").allInnerTexts(), ["sing"]);
  });

  test("every head of every layer is a picture to choose from, with the keyboard, too", async () => {
    const page = await open("uses.html");
    await ask("tagger");
    const heads = lab("tagger").getByRole("radio");
    await soon.equal(() => heads.count(), 10);
    const pictures = await Promise.all([...Array(10).keys()].map((i) => pixels(lab("tagger").locator(".heads canvas").nth(i))));
    assert.equal(new Set(pictures).size, 10, "all look different");
    // The surest one is chosen: it looks at the next word.
    await soon.match(() => lab("tagger").locator(".habit").innerText(), /^Layer 1, head 2\. .*at the next word: \d\d %/);
    const first = await labels("tagger");
    await lab("tagger").getByRole("radio", { checked: true }).focus();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((was) =>
      document.querySelector("tagger-lab alignment-grid").shadowRoot.querySelector(".cell").ariaLabel !== was, first[0]);
    await soon.match(() => lab("tagger").locator(".habit").innerText(), /^Layer 1, head 3\. .*at the word before/);
    // Each row of each head is all of its attention, and another sentence keeps the choice.
    const sums = (await labels("tagger")).map((label) => Number(label.match(/[\d.]+$/)[0]));
    for (let r = 0; r < 7; ++r) assert.ok(Math.abs(sums.slice(7 * r, 7 * r + 7).reduce((a, b) => a + b) - 1) < 0.05);
    await write("tagger", "We read.");
    await shows("tagger", "We read .");
    await soon.match(() => lab("tagger").locator(".habit").innerText(), /^Layer 1, head 3/);
  });

  test("says praise or criticism, and which words decided", async () => {
    const page = await open("uses.html");
    await ask("sentiment");
    await shows("sentiment", "a gripping film with a wonderful cast");
    await soon.match(() => lab("sentiment").locator(".verdict").innerText(), /^Praise, .*9\d % sure/);
    const strengths = await row("sentiment").evaluateAll((all) => all.map((word) => Number(word.style.getPropertyValue("--strength"))));
    const best = ["gripping", "wonderful"].map((word) => strengths["a gripping film with a wonderful cast".split(" ").indexOf(word)]);
    assert.ok(Math.min(...best) > Math.max(...strengths.filter((x) => !best.includes(x))), strengths.join(" "));
    const shares = await row("sentiment").evaluateAll((all) => all.map((word) => Number(word.querySelector(".unseen").textContent.match(/^(?:less than )?(\d+) % of the decision/)[1])));
    assert.ok(Math.abs(shares.reduce((a, b) => a + b) - 100) <= 3, shares.join(" "));
    strengths.forEach((x, i) => assert.ok(Math.abs(x - shares[i] / Math.max(...shares)) < 0.05, `${strengths} but ${shares}`));
    await lab("sentiment").getByRole("button", { name: /^it is long/ }).click();
    await page.waitForFunction(() => document.querySelector(".verdict").dataset.label === "negative");
    await soon.match(() => lab("sentiment").locator(".verdict").innerText(), /^Criticism/);
    assert.match(await lab("sentiment").locator(":scope > [role=status]").evaluate(async (status) => {
      await new Promise((done) => setTimeout(done, 1500));
      return status.textContent;
    }), /^Criticism, .* What decided: \w+/);
  });

  test("hides a pressed word, guesses, says what the guess rests on, and takes a guess into the sentence", async () => {
    const page = await open("uses.html");
    await ask("masked");
    await shows("masked", "I drink a cup of ? every day .");
    const fillers = lab("masked").locator(".fillers button");
    await soon.equal(() => fillers.first().locator("span").first().innerText(), "coffee");
    await soon.match(() => lab("masked").locator(".guesses").innerText(), /That is what stood there: “coffee”, with \d\d %/);
    const lost = Object.fromEntries(await row("masked").evaluateAll((all) =>
      all.map((word) => [word.querySelector("span").textContent, Number(word.style.getPropertyValue("--strength"))])));
    assert.ok(lost.drink > 0 && lost.cup > lost["."], JSON.stringify(lost));

    // What the hidden word looked at, of all heads.
    const grid = lab("masked").locator("head-grid alignment-grid");
    await grid.getByRole("rowheader", { name: "?", exact: true }).waitFor();
    await soon.equal(() => grid.getByRole("rowheader").count(), 9);
    await soon.match(() => lab("masked").locator("head-grid aside").innerText(), /\?.*\n/s);
    await soon.equal(() => lab("masked").locator("head-grid head-picker [role=radio], head-grid head-picker input").count(), 10, "two layers of four heads and their means");

    await row("masked").nth(1).focus();
    await page.keyboard.press("Enter");
    await shows("masked", "I ? a cup of coffee every day .");
    await soon.equal(() => row("masked").nth(1).getAttribute("aria-pressed"), "true");
    await soon.equal(() => lab("masked").locator("[aria-pressed=true]").count(), 1);
    await soon.match(() => lab("masked").locator(".guesses").innerText(), /“drink”, (is guess number \d+, )?with/);

    // Another guess than what stood there.
    const guess = await fillers.evaluateAll((all) => all.map((button) => button.querySelector("span").textContent).find((text) => text !== "drink"));
    const button = lab("masked").getByRole("button", { name: new RegExp(`^${guess} .*put it there`) });
    await button.focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((guess) => document.querySelectorAll("masked-lab .word-row small")[1].textContent === guess, guess);
    await soon.equal(() => lab("masked").getByRole("textbox").inputValue(), `I ${guess} a cup of coffee every day.`);
    await soon.ok(() => page.evaluate(() => document.activeElement.matches(".fillers button")), "the keyboard stays at the guesses");
  });

  test("loading shows its progress and can be cancelled; later it goes on as if nothing had been", async () => {
    const page = await open("uses.html", { fresh: true });
    visit.server.answers.set(/tagger.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 1_559_628 });
      response.write(Buffer.alloc(700_000));
    });
    await lab("tagger").getByRole("button", { name: buttons.tagger }).click();
    await page.getByRole("progressbar", { name: /^Loading the tagger \(1\.6 MB\), 4\d %$/ }).waitFor();
    await lab("tagger").screenshot({ path: `${artifacts}uses-loading.png` });
    // Meanwhile another one works.
    await ask("sentiment");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled.").waitFor();
    await soon.equal(() => page.getByRole("progressbar").count(), 0);
    await soon.equal(() => page.evaluate(() => document.activeElement.textContent), buttons.tagger);
    visit.server.answers.clear();
    await ask("tagger");
    await soon.equal(() => page.getByText("Cancelled.").count(), 0);
  });

  test("what goes wrong is said in plain words, the rest of the page works, and trying again helps", async () => {
    const model = readFileSync(fromRoot("models/en-masked/model.safetensors"));
    model[model.length - 1] ^= 1; // its hash is another one
    visit.expected = /404|Failed to load/;
    const cases = [
      { answer: [/masked.*safetensors$/, (response) => response.writeHead(404).end()], says: /could not be downloaded/, retry: "Try again" },
      { answer: [/masked.*safetensors$/, (response) => response.writeHead(200).end("no model")], says: /damaged/, retry: "Load it again" },
      { answer: [/masked.*safetensors$/, (response) => response.writeHead(200).end(model)], says: /damaged/, retry: "Load it again" },
      { answer: [/uses-worker.*js$/, (response) => response.writeHead(404).end()], says: /did not start/, retry: "Try again", all: true },
    ];
    for (const { answer, says, retry, all } of cases) {
      const page = await open("uses.html", { fresh: true });
      visit.server.answers.clear();
      visit.server.answers.set(...answer);
      await lab("masked").getByRole("button", { name: buttons.masked }).click();
      const alert = page.getByRole("alert");
      await soon.match(() => alert.innerText(), says);
      if (!all) await ask("tagger");
      visit.server.answers.clear();
      await alert.getByRole("button", { name: retry }).click();
      await row("masked").first().waitFor();
      await soon.equal(() => alert.count(), 0);
    }
  });

  test("offline, what was there before stays usable, and the rest says why not", async () => {
    visit.expected = /ERR_INTERNET_DISCONNECTED|Failed to load/;
    const page = await open("uses.html", { fresh: true });
    await ask("tagger");
    await visit.context.setOffline(true);
    await lab("sentiment").getByRole("button", { name: buttons.sentiment }).click();
    await soon.match(() => page.getByRole("alert").innerText(), /could not be downloaded.*connection/s);
    await write("tagger", "It works.");
    await shows("tagger", "It works .");
    await visit.context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await row("sentiment").first().waitFor();
  });

  test("blank and odd text do no harm", async () => {
    const page = await open("uses.html");
    for (const use of Object.keys(buttons)) {
      await ask(use);
      for (const text of ["", "   ", "🙂🙂 🙂", "مرحبا بالعالم", "<img src=x onerror=alert(1)>", "[MASK] or [MASK]?", "a".repeat(300), "a ".repeat(150)]) {
        await write(use, text);
        await lab(use).getByRole("textbox").press("Enter");
        await page.waitForTimeout(150);
        await soon.equal(() => page.getByRole("alert").count(), 0, `${use}: ${text.slice(0, 20)}`);
        // Of no words there is no verdict, nor that of those before.
        if (text === "" && use !== "tagger") await soon.equal(() => lab(use).locator(".result").isVisible(), false, use);
      }
      await write(use, "It is good.");
      await page.waitForFunction((use) => document.querySelectorAll(`${use}-lab .word-row button`).length === 4, use);
    }
    await soon.equal(() => page.locator(".word-row img").count(), 0);
    await visit.sound();
  });

  test("axe finds nothing: light, dark, phone; nothing sticks out; a touch shows a word's row", async () => {
    const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    const views = { light: {}, dark: { colorScheme: "dark" }, phone, wide: { viewport: { width: 1920, height: 1080 } } };
    for (const [name, view] of Object.entries(views)) {
      const page = await open("uses.html", view);
      for (const use of Object.keys(buttons)) await ask(use);
      assert.deepEqual(await visit.noticed(), [], name);
      await visit.sound();
      await page.screenshot({ path: `${artifacts}uses-${name}.png`, fullPage: true });
      if (name !== "phone") continue;
      await row("tagger").nth(1).tap();
      await soon.match(() => lab("tagger").getByRole("complementary").innerText(), /To understand old/);
    }
  });

  test("the small pictures follow the theme", async () => {
    const page = await open("uses.html");
    await ask("tagger");
    const picture = lab("tagger").locator(".heads canvas").first();
    const light = await pixels(picture);
    await page.getByRole("button", { name: "Dark" }).click();
    assert.notEqual(await pixels(picture), light);
  });
});
