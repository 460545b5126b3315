// The page that aligns, as built, driven as a visitor would.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { artifacts, assertStill, fromRoot } from "./browser.mjs";
import { importFixture } from "./build.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

const { beginning, bitsOf, bitsText, chanceOf, fromHash, howSurprising, kMostBits, obstacle, placeOfMost, summaryOf, toHash, verdictOf } =
  await importFixture("align");

test("surprise is -log2 of a probability, and what cannot be held is at least 149 bits", () => {
  assert.deepEqual([1, 0.5, 2 ** -10].map(bitsOf), [0, 1, 10]);
  assert.ok(Object.is(bitsOf(1), 0) && Object.is(bitsOf(1.0000001), 0));
  assert.equal(bitsOf(0), kMostBits);
  assert.deepEqual([0.04, 13.53, kMostBits].map(bitsText), ["0.0", "13.5", ">148"]);
  assert.deepEqual([0, 1.99, 2, 5, 9.99, 10].map(howSurprising),
    ["expected", "expected", "a little surprising", "surprising", "surprising", "very surprising"]);
  assert.deepEqual([0, 0.5, 1, 10, 40].map(chanceOf),
    ["more than 99 %", "71 %", "1 chance in 2", "1 chance in 1,020", "1 chance in more than a million"]);
});

test("the most surprising word is named, or that there is none", () => {
  const alignment = (bits, expected = null) => ({ bits, expected, targetTokens: bits.map((_, i) => ({ text: `w${i}` })) });
  const said = (...given) => Object.values(verdictOf(alignment(...given))).join("");
  assert.equal(placeOfMost([1, 3, 3]), 1);
  assert.equal(said([0, 13, 2], "rouge"), "Most surprising: w1, with 13.0 bits (1 chance in 8,190). The network expected “rouge”.");
  assert.equal(said([0, 1, 0]), "Nothing surprises the network. Its least expected word is w1, with 1.0 bits (1 chance in 2).");
  assert.equal(said([]), "There is no word to align.");
  assert.equal(summaryOf([0, 6, 6], "word"), "2 of 3 words are surprising; the average is 4.0 bits.");
  assert.equal(summaryOf([1], "piece"), "None of 1 piece is surprising; the average is 1.0 bits.");
  assert.equal(beginning("  Ma\n sœur  a", 10), "Ma sœur");
});

test("a link keeps both texts, model, level and view, and what cannot be meant is as if it were not there", () => {
  const view = { threshold: 0.2, links: "hard", order: "original", sums: false, picture: "threads", gold: false };
  const shown = { source: "A & b?\n", target: "É #1", to: "es", model: "additive", level: "piece", view };
  assert.deepEqual(fromHash(toHash(shown)), shown);
  assert.deepEqual(fromHash(toHash({ ...shown, to: "fr", model: "dot" })), { ...shown, to: "fr", model: "dot" });
  assert.equal(fromHash("#to=de&model=dot").model, undefined);
  assert.deepEqual(Object.keys(fromHash("#source=a&model=plain&level=letter")), ["to", "view"]);
  assert.deepEqual(Object.keys(fromHash(`#source=a&target=${"a".repeat(1001)}`)), ["to", "view"]);
  assert.match(obstacle(" ", "a", "fr"), /English/);
  assert.match(obstacle("a", "?!", "fr"), /French text has no words/);
  assert.match(obstacle("a", "", "de"), /German/);
  assert.equal(obstacle("a".repeat(1000), "1", "fr"), undefined);
});

describe("the page that aligns", { skip: missing }, () => {
  const visit = visits();
  const { open } = visit;
  const english = () => visit.page.getByRole("textbox", { name: "English" });
  const french = () => visit.page.getByRole("textbox", { name: "French" });
  const words = () => visit.page.locator("#words button");
  /** Word: bits. */
  const surprises = async () => Object.fromEntries(await words().evaluateAll((all) =>
    all.map((word) => [word.querySelector("span").textContent, Number(word.querySelector("small").textContent)])));
  const shows = (text) => visit.page.waitForFunction((text) =>
    [...document.querySelectorAll("#words button > span:first-child")].filter((word) => word.checkVisibility())
      .map((word) => word.textContent).join(" ") === text, text);
  const weight = async (name) => Number((await visit.page.getByRole("gridcell", { name }).getAttribute("aria-label")).match(/[\d.]+$/)[0]);
  const verdict = () => visit.page.locator("#verdict").innerText();

  test("aligns the first example, names the wrong word and what was expected", async () => {
    await open("align.html");
    await shows("Ma sœur a acheté une petite voiture verte .");
    await soon.match(verdict, /^Most surprising: verte, with 1[34]\.\d bits \(1 chance in [\d,]+\)\. The network expected “rouge”\.\n1 of 9 words is surprising/);
    const { verte, ...others } = await surprises();
    assert.ok(verte > 10 && Math.max(...Object.values(others)) < 2);
    await soon.ok(async () => await weight("red to verte") > 0.8);
    await soon.ok(async () => await weight("red to voiture") < 0.1);
    await visit.page.getByRole("button", { name: /^verte 1[34]\.\d bits, very surprising$/ }).waitFor();
    const strengths = await words().evaluateAll((all) => all.map((word) => Number(word.style.getPropertyValue("--strength"))));
    assert.deepEqual(strengths.map((strength) => strength > 0.3), Array.from(strengths, (_, i) => i === 7), "verte");
    const announced = visit.page.locator("#announcer");
    await announced.filter({ hasText: "Most surprising: verte" }).waitFor({ state: "attached" });
  });

  test("what is typed is aligned, also pasted as several lines", async () => {
    const page = await open("align.html");
    await shows("Ma sœur a acheté une petite voiture verte .");
    await french().fill("Ma sœur a acheté une petite voiture rouge.");
    await page.locator("#verdict", { hasText: "Nothing surprises the network." }).waitFor();
    await english().fill("I am hungry.\nYou are late.");
    await french().click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("J'ai faim.\n\nTu es en retard.");
    await shows("J'ai faim . Tu es en retard .");
    await soon.ok(async () => await weight("hungry to faim") > 0.5);
    await soon.ok(async () => await weight("late to retard") > 0.5);
  });

  test("one click for each example", async () => {
    const page = await open("align.html");
    const expected = {
      "A good translation": /^Nothing surprises/, "Words swapped": /^Most surprising: vieux.*expected “dort”/s,
      "An idiom": /^Most surprising: \w+.*3 of 6 words/s, "A sentence that does not belong": /^Most surprising: Lyon.*7 of 8 words/s,
      "A wrong word": /^Most surprising: verte/,
    };
    for (const [name, says] of Object.entries(expected)) {
      const button = page.getByRole("button", { name, exact: true });
      await button.click();
      await page.waitForFunction(({ source, flags }) => new RegExp(source, flags).test(document.querySelector("#verdict").innerText), { source: says.source, flags: says.flags });
      await soon.equal(() => page.locator("#examples [aria-pressed=true]").count(), 1);
      await soon.equal(() => button.getAttribute("aria-pressed"), "true");
    }
    await french().fill("Ma sœur.");
    await soon.equal(() => page.locator("#examples [aria-pressed=true]").count(), 0);
  });

  test("words, grid and texts point at each other, with the keyboard, too", async () => {
    const page = await open("align.html");
    await shows("Ma sœur a acheté une petite voiture verte .");
    await words().first().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    const aside = page.getByRole("complementary");
    await soon.match(() => aside.innerText(), /^While writing verte, the network looked at\s*red\s+[01]\.\d\d[\s\S]*Very surprising: 1[34]\.\d bits\. The network gave it 1 chance/);
    await soon.deepEqual(() => page.locator("alignment-grid .row-label.chosen").allInnerTexts(), ["verte"]);
    await soon.equal(() => page.locator("source-text.target mark.chosen").innerText(), "verte");
    const tinted = await page.locator("source-text.source mark").evaluateAll((all) =>
      all.filter((mark) => Number(mark.style.getPropertyValue("--strength")) > 0.5).map((mark) => mark.textContent));
    assert.deepEqual(tinted, ["red"]);
    await page.getByRole("gridcell", { name: /^sister to sœur/ }).hover();
    await soon.deepEqual(() => page.locator("#words .chosen span:first-child").allInnerTexts(), ["sœur"]);
    await soon.equal(() => page.locator("source-text.source mark.chosen").innerText(), "sister");
  });

  test("models and pieces can be chosen; a link brings it all back", async () => {
    const page = await open("align.html", { fresh: true });
    await shows("Ma sœur a acheté une petite voiture verte .");
    const before = await surprises();
    await page.getByRole("radio", { name: "Additive", exact: true }).check({ force: true });
    await page.waitForFunction((was) => document.querySelectorAll("#words small")[7].textContent !== was, before.verte.toFixed(1));
    await soon.ok(async () => (await surprises()).verte > 10);
    assert.ok(visit.server.requests.some((path) => path.includes("en-fr-additive")));
    await french().fill("Ma sœur a une montgolfière.");
    await page.getByRole("radio", { name: "Pieces", exact: true }).check({ force: true });
    await page.locator("#words button", { hasText: /^·/ }).first().waitFor();
    const pieces = await words().locator("> span:first-child").allInnerTexts();
    assert.equal(pieces.join("").replaceAll("·", ""), "Masœuraunemontgolfière.");
    await page.getByRole("radio", { name: "Threads", exact: true }).check({ force: true });
    await page.waitForFunction(() => location.hash.includes("threads"));
    const link = page.url();
    const told = await verdict();

    const again = await open(new URL(link).pathname.slice(1) + new URL(link).hash);
    await shows(pieces.join(" "));
    await soon.equal(() => french().inputValue(), "Ma sœur a une montgolfière.");
    await soon.equal(verdict, told);
    for (const name of ["Additive", "Pieces", "Threads"]) await soon.ok(() => again.getByRole("radio", { name, exact: true }).isChecked(), name);
    await soon.ok(() => again.locator("alignment-threads").isVisible());
    // Another link in the same tab.
    await again.evaluate(() => (location.hash = "#source=I+am+cold.&target=J%27ai+froid.&model=dot&level=word"));
    await shows("J'ai froid .");
    await soon.equal(() => english().inputValue(), "I am cold.");
  });

  test("what cannot be aligned is said in plain words, and the next text works", async () => {
    const page = await open("align.html");
    await shows("Ma sœur a acheté une petite voiture verte .");
    const hint = page.locator("#hint");
    const cases = [
      ["", "Write or paste French text"], ["  \n", "Write or paste French text"], ["?! …", "has no words"],
      ["mot ".repeat(300), "The French text has 1,200 characters. This page aligns up to 1,000"],
    ];
    for (const [text, says] of cases) {
      await french().fill(text);
      await hint.filter({ hasText: says }).waitFor();
      await soon.equal(() => words().first().isVisible(), false, "nothing old stays");
      await soon.equal(() => page.locator("alignment-grid").isVisible(), false);
    }
    for (const text of ["🙂🙂 ok", "مرحبا بالعالم", "<img src=x onerror=alert(1)>", "\u0000a", "é".repeat(999), "Tout va bien, tout va bien. ".repeat(20)]) {
      await french().fill(text);
      await words().first().waitFor();
      await page.waitForFunction((start) => start.startsWith(document.querySelector("#words button > span").textContent), text.trim());
      await soon.equal(() => page.getByRole("alert").count(), 0, text.slice(0, 20));
    }
    await soon.equal(() => page.locator("#words img").count(), 0);
    await english().fill("The end.");
    await french().fill("La fin.");
    await shows("La fin .");
    await soon.equal(() => hint.innerText(), "");
    await visit.sound();
  });

  test("a model that does not arrive is told, and trying again helps", async () => {
    visit.expected = /404|Failed to load/;
    const page = await open("align.html", { fresh: true });
    await shows("Ma sœur a acheté une petite voiture verte .");
    visit.server.answers.set(/dot.*safetensors$/, (response) => response.writeHead(404).end());
    await page.getByRole("radio", { name: "Dot product", exact: true }).check({ force: true });
    await soon.match(() => page.getByRole("alert").innerText(), /could not be downloaded/);
    await soon.equal(() => words().first().isVisible(), false);
    visit.server.answers.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await shows("Ma sœur a acheté une petite voiture verte .");
    await soon.equal(() => page.getByRole("alert").count(), 0);
  });

  test("a download can be cancelled: nothing more is loaded until it is asked for, and other models work", async () => {
    visit.server.answers.set(/transformer.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write(Buffer.alloc(430));
    });
    await open("align.html");
    const bar = visit.page.getByRole("progressbar", { name: /^Loading the transformer, 4\d %$/ });
    await bar.waitFor();
    await visit.page.getByRole("button", { name: "Cancel" }).click();
    await soon.match(() => visit.page.getByRole("alert").innerText(), /cancelled.*What you typed is still here/s);
    await soon.equal(() => visit.page.evaluate(() => document.activeElement.textContent), "Load it");
    await french().fill("Ma sœur a acheté une voiture.");
    await visit.page.waitForTimeout(400);
    await soon.equal(() => bar.count(), 0);
    await visit.page.getByRole("radio", { name: "Additive" }).check({ force: true });
    await shows("Ma sœur a acheté une voiture .");
    await soon.equal(() => visit.page.getByRole("alert").count(), 0);
    visit.server.answers.clear();
    await visit.page.getByRole("radio", { name: "Transformer" }).check({ force: true });
    await visit.page.waitForFunction(() => caches.open("softalign-models").then((cache) => cache.keys()).then((keys) => keys.length === 2));
    await shows("Ma sœur a acheté une voiture .");
  });

  test("axe finds nothing: light, dark, phone; nothing sticks out or moves; other pages lead here", async () => {
    const model = readFileSync(fromRoot("models/en-fr-transformer/model.safetensors"));
    const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    for (const [name, view] of Object.entries({ light: {}, dark: { colorScheme: "dark" }, phone, wide: { viewport: { width: 1920, height: 1080 } } })) {
      const page = await open("uses.html", { fresh: true, ...view });
      // The model comes when all else stands there.
      let release;
      visit.server.answers.clear();
      const asked = new Promise((done) => visit.server.answers.set(/transformer.*safetensors$/, (response) => {
        release = () => response.writeHead(200).end(model);
        done();
      }));
      await page.getByRole("link", { name: "Align your own" }).click();
      await asked;
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      release();
      await shows("Ma sœur a acheté une petite voiture verte .");
      await assertStill(page, { name });
      assert.deepEqual(await visit.noticed(), [], name);
      await visit.sound();
      await page.screenshot({ path: `${artifacts}align-${name}.png`, fullPage: true });
      if (name !== "phone") continue;
      await words().nth(7).tap();
      await soon.match(() => page.getByRole("complementary").innerText(), /^While writing verte/);
    }
  });
});
