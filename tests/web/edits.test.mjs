// Changing the attention on the built page, as a visitor would. `npm run build` makes the page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { artifacts, fromRoot } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

const sentence = "The old cat sleeps under the big table.";
const own = "Le vieux chat dort sous la grosse table.";
const hashOf = (fields = {}) => `#${new URLSearchParams({ text: sentence, ...fields })}`;

describe("changing the attention", { skip: missing }, () => {
  const visit = visits();
  const page = () => visit.page;
  const figure = () => page().locator("attention-figure");
  const button = (name) => figure().getByRole("button", { name, exact: true });
  const cell = (name) => figure().getByRole("gridcell", { name });
  const toggle = () => button("Change the attention");
  const panel = () => page().getByRole("region", { name: "Change the attention" });
  const changedWords = () => page().locator("translation-text .changed").allInnerTexts();
  const setRows = () => figure().locator("alignment-grid .row.set .row-label").allInnerTexts();
  const heard = (pattern) => page().locator("#announcer").filter({ hasText: pattern }).waitFor({ state: "attached" });

  async function open({ fields, reads = own, ...options } = {}) {
    await visit.open(`index.html${hashOf(fields)}`, options);
    await reading(reads);
  }

  /** Waits until the translation is this one. */
  async function reading(text) {
    await page().waitForFunction((wanted) => {
      const element = document.querySelector("translation-text");
      return wanted.test ? wanted.test(element.textContent) : element.textContent === wanted;
    }, text);
  }

  const address = (pattern) => page().waitForURL(pattern);

  test("nothing can be changed before one asks to", async () => {
    await open();
    await soon.equal(() => toggle().getAttribute("aria-pressed"), "false");
    await soon.ok(() => button("Undo").isHidden());
    await soon.ok(() => panel().isHidden());
    await cell(/^big to vieux, 0/).click();
    await page().keyboard.press("Enter");
    await page().keyboard.press("+");
    await toggle().click();
    await soon.match(() => figure().locator(".how").innerText(), /Press a square/);
    await soon.deepEqual(setRows, []);
    await soon.equal(() => page().locator("translation-text").innerText(), own);
  });

  test("a press makes a word look there only, the rest is written anew, and ways lead back", async () => {
    await open();
    await toggle().click();
    await cell(/^big to vieux, 0/).click();
    await reading("Le gros chat dort sous la grosse table.");
    await cell("big to gros, 1.00, changed").waitFor();
    await cell(/^old to gros, 0.00, changed$/).waitFor();
    await soon.deepEqual(setRows, ["gros"]);
    await soon.deepEqual(changedWords, ["gros"]);
    await soon.doesNotMatch(() => cell(/^big to Le/).getAttribute("aria-label"), /1\.00/, "rows before the changed one are as they were");
    await heard(/^Now: Le gros chat .* One word is different\.$/);
    await soon.deepEqual(() => panel().locator("dd mark").allInnerTexts(), ["gros", "vieux"]);
    await page().screenshot({ path: `${artifacts}edits-light.png`, fullPage: true });

    await cell(/^big to gros,/).click();
    await reading(own);
    await soon.deepEqual(setRows, []);
    await button("Undo").click();
    await reading("Le gros chat dort sous la grosse table.");
    await button("Reset").click();
    await reading(own);
    await cell(/^cat to chat/).focus();
    await page().keyboard.press("Control+z");
    await reading("Le gros chat dort sous la grosse table.");
    await page().keyboard.press("Control+z");
    await reading(own);
    await soon.equal(() => button("Undo").getAttribute("aria-disabled"), "true");
    await soon.deepEqual(changedWords, []);
  });

  test("a drag sets a weight between, the others share the rest, and is one step back", async () => {
    await open();
    await toggle().click();
    const there = cell(/^old to vieux/);
    const before = Number((await there.getAttribute("aria-label")).match(/[\d.]+$/)[0]);
    const { x, y } = await there.boundingBox();
    await page().mouse.move(x + 10, y + 10);
    await page().mouse.down();
    await page().mouse.move(x + 10, y + 50, { steps: 5 });
    await page().mouse.move(x + 10, y + 90, { steps: 5 });
    await page().mouse.up();
    const after = (before - 0.5).toFixed(2);
    await cell(new RegExp(`^old to vieux, ${after.replace(".", "\\.")}, changed$`)).waitFor();
    const weights = await cell(/ to vieux, .*changed$/).evaluateAll((all) => all.map(({ ariaLabel }) => Number(ariaLabel.match(/, ([\d.]+),/)[1])));
    assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 0.05, weights.join(" "));
    await button("Undo").click();
    await figure().locator("alignment-grid .row.set").waitFor({ state: "detached" });
    await soon.equal(() => button("Undo").getAttribute("aria-disabled"), "true");
  });

  test("the keyboard does all of it", async () => {
    await open();
    await toggle().focus();
    await page().keyboard.press("Space");
    await page().keyboard.press("Tab");
    await page().keyboard.press("Tab");
    await page().keyboard.press("Tab");
    await page().keyboard.press("ArrowDown");
    for (let i = 0; i < 6; ++i) await page().keyboard.press("ArrowRight");
    await page().keyboard.press("Enter");
    await reading("Le gros chat dort sous la grosse table.");
    await page().waitForFunction((name) => document.querySelector("alignment-grid").shadowRoot.activeElement?.ariaLabel === name, "big to gros, 1.00, changed");
    await page().keyboard.press("-");
    await cell("big to gros, 0.90, changed").waitFor();
    await page().keyboard.press("+");
    await cell("big to gros, 1.00, changed").waitFor();
    await page().keyboard.press("Delete");
    await reading(own);
    const slider = panel().getByRole("slider", { name: "How much vieux looks at big" });
    await slider.focus();
    await page().keyboard.press("End");
    await reading("Le gros chat dort sous la grosse table.");
    await panel().getByRole("button", { name: "Let “gros” look by itself" }).press("Enter");
    await reading(own);
  });

  test("an English word is hidden from the network, and shown again", async () => {
    await open();
    await toggle().click();
    await figure().getByRole("columnheader", { name: "old", exact: true }).click();
    await panel().getByRole("button", { name: "Hide “old” from the network" }).click();
    await reading("Le chat dort sous la grosse table.");
    const hidden = cell(/^old to .*, 0\.00, hidden$/);
    await hidden.first().waitFor();
    await soon.equal(() => hidden.count(), 8);
    await soon.equal(() => figure().locator("alignment-grid .column-label.gone").innerText(), "old");
    await hidden.nth(2).click();
    await soon.ok(() => panel().getByRole("slider").isDisabled());
    await soon.deepEqual(setRows, [], "no row is made to look at what is hidden");
    // A changed row looks at what is left, and is gone when nothing is left.
    await cell(/^big to chat/).click();
    await cell("big to gros, 1.00, changed").or(cell(/^big to \S+, 1\.00, changed$/)).first().waitFor();
    await figure().getByRole("columnheader", { name: "big" }).click();
    await panel().getByRole("button", { name: "Hide “big” from the network" }).click();
    await figure().locator("alignment-grid .column-label.gone").nth(1).waitFor();
    await page().waitForFunction(() => !document.querySelector("alignment-grid").shadowRoot.querySelector(".row.set"));
    await panel().getByRole("button", { name: "Show “big” again" }).click();
    await figure().getByRole("columnheader", { name: "old", exact: true }).click();
    await panel().getByRole("button", { name: "Show “old” again" }).click();
    await reading(own);
  });

  test("several changes hold together, in words and in pieces; a later place that is no more is dropped", async () => {
    for (const level of ["word", "piece"]) {
      await open({ fields: { level } });
      await toggle().click();
      await cell(/^under to table/).click();
      await reading(/^Le vieux chat dort sous la grosse (?!table)/);
      await cell(/^big to vieux/).click();
      await reading(/^Le gros chat dort sous la grosse (?!table)/);
      await soon.match(async () => (await setRows()).join(" "), /^gros (?!table)\S+$/);
      await button("Undo").click();
      await reading(/^Le vieux chat dort sous la grosse (?!table)/);
    }
    // Hiding so much that the sentence has no seventh word any more.
    await open({ fields: { hide: "1.2.3.4.5.6", look: `7.${Array(9).fill(0).with(7, 1000).join(".")}` }, reads: /^(?!Le vieux)/ });
    await figure().getByText("Some of the changes do not fit this sentence and are gone.").waitFor();
    await soon.deepEqual(setRows, []);
    await address(/hide=1\.2\.3\.4\.5\.6$/);
  });

  test("a link brings changes back, and what does not fit is dropped", async () => {
    await open();
    await toggle().click();
    await cell(/^big to vieux/).click();
    await reading("Le gros chat dort sous la grosse table.");
    await figure().getByRole("columnheader", { name: "table" }).click();
    await panel().getByRole("button", { name: "Hide “table” from the network" }).click();
    await address(/level=word&hide=7&look=1\.0\.0\.0\.0\.0\.0\.1000\.0\.0$/);
    const text = await page().locator("translation-text").innerText();
    await page().reload();
    await reading(text);
    await soon.equal(() => toggle().getAttribute("aria-pressed"), "true");
    await soon.match(async () => (await setRows()).join(" "), /^gr(?:and|os)$/);
    await soon.equal(() => figure().locator("alignment-grid .column-label.gone").innerText(), "table");
    // Another link in the same tab; one that was made to do harm.
    await page().evaluate((hash) => (location.hash = hash), hashOf({ hide: "1" }));
    await reading("Le chat dort sous la grosse table.");
    for (const fields of [{ hide: "99" }, { look: "1.1.2" }, { hide: "__proto__" }, { look: "1.0.0.0.0.0.0.0.0.0" }, { look: "1.-5.NaN" }, { off: "c9.9" },
      { off: "x0.0" }, { begin: "x".repeat(501) }, { hide: "1", look: "1.0.1000.0.0.0.0.0.0.0" }]) {
      await page().evaluate((hash) => (location.hash = hash), hashOf(fields));
      await reading(own);
      await page().waitForFunction(() => !/hide|look|off|begin/.test(location.hash));
      await soon.deepEqual(setRows, [], JSON.stringify(fields));
    }
    await visit.open(`index.html${hashOf({ hide: "1", model: "plain" })}`);
    await figure().getByRole("heading", { name: /Without attention/ }).waitFor();
    await soon.ok(() => toggle().isHidden());
  });

  test("typing, another sentence, model or level ends the changes, which wait for the sentence to come back", async () => {
    await open({ fields: { hide: "1" }, reads: "Le chat dort sous la grosse table." });
    const english = page().getByRole("textbox", { name: "English" });
    await english.fill("The old cat sleeps.");
    await reading(/^Le vieux chat dort\.$/);
    await english.fill(`${sentence} I am cold.`);
    await reading(/^Le vieux .* grosse table\. .+/);
    await button("Previous").click();
    await reading(/^Le chat dort sous la grosse table\. /);
    await button("Next").click();
    await reading(/^Le vieux/);
    await button("Previous").click();
    await reading(/^Le chat dort sous la grosse table\. /);
    await figure().locator("alignment-grid .column-label.gone", { hasText: "old" }).waitFor();
    await page().getByRole("radio", { name: "Pieces" }).check({ force: true });
    await reading(/^Le vieux/);
    await page().getByRole("radio", { name: "Words" }).check({ force: true });
    await reading(/^Le chat dort sous la grosse table\. /);
    await button("Next").click();
    await reading(/^Le vieux/);
    await figure().getByRole("columnheader", { name: "cold" }).click();
    await panel().getByRole("button", { name: "Hide “cold” from the network" }).click();
    await address(/at=1&hide=2$/);
    await page().reload();
    await figure().getByText("Sentence 2 of 2").waitFor();
    await figure().locator("alignment-grid .column-label.gone", { hasText: "cold" }).waitFor();
    await page().getByRole("radio", { name: "Additive" }).check({ force: true });
    await page().waitForFunction(() => !document.querySelector("alignment-grid").shadowRoot.querySelector(".gone"));
    await address(/model=additive&level=word&at=1$/);
  });

  test("attention that is off stays off for the next sentence, and so do heads", async () => {
    await open();
    const control = figure().getByRole("switch", { name: "Switch attention off" });
    await control.check();
    await page().waitForFunction((own) => document.querySelector("translation-text").textContent !== own, own);
    await page().getByRole("textbox", { name: "English" }).fill("I am cold.");
    await address(/text=I\+am\+cold\..*uniform/);
    await soon.ok(() => control.isChecked());
    await control.uncheck();
    await figure().locator("all-heads summary").click();
    await figure().getByRole("button", { name: "Switch layer 2, head 1 off" }).click();
    await address(/off=c1\.0/);
    await page().getByRole("textbox", { name: "English" }).fill("I am hungry.");
    await address(/hungry.*off=c1\.0/);
    await figure().getByRole("button", { name: "Switch layer 2, head 1 on" }).waitFor();
  });

  test("a translation that was chosen from the list is let go where something else is tried", async () => {
    await open();
    await figure().locator("search-tree summary").click();
    await figure().locator("search-tree .found button").nth(1).click();
    await address(/begin=/);
    const chosen = await page().locator("translation-text").innerText();
    await figure().getByRole("switch", { name: "Switch attention off" }).check();
    await address(/uniform/);
    await soon.doesNotMatch(() => page().url(), /begin=/);
    await soon.notEqual(() => page().locator("translation-text").innerText(), chosen);
  });

  test("threads show what is changed, and can be changed", async () => {
    await open({ fields: { picture: "threads" } });
    const threads = figure().locator("alignment-threads");
    await toggle().click();
    await threads.getByRole("option", { name: /^old: / }).click();
    await panel().getByRole("button", { name: "Hide “old” from the network" }).click();
    await threads.getByRole("option", { name: /^old: .*hidden$/ }).waitFor();
    await heard("Now: Le chat dort sous la grosse table. One word is different."); // before, "chat" has another place
    await threads.getByRole("option", { name: /^chat: / }).focus();
    await panel().getByRole("textbox", { name: "Write instead of “chat”" }).waitFor();
    await page().keyboard.press("Enter");
    await page().keyboard.press("-");
    await threads.getByRole("option", { name: /^chat: .*, changed$/ }).waitFor();
    await page().screenshot({ path: `${artifacts}edits-threads.png`, fullPage: true });
  });

  test("one switch for all of attention, which stays where it is, and the measurements beside it", async () => {
    await open();
    const control = figure().getByRole("switch", { name: "Switch attention off" });
    await control.scrollIntoViewIfNeeded();
    await control.focus();
    const { y } = await control.boundingBox();
    await page().keyboard.press("Space");
    await page().waitForFunction((own) => document.querySelector("translation-text").textContent !== own, own);
    const unattended = await page().locator("translation-text").innerText();
    await figure().locator("no-attention .result").filter({ hasText: unattended }).waitFor();
    await cell(/^cat to \p{L}+, 0\.09$/u).first().waitFor();
    await soon.equal(() => figure().getByRole("rowheader").count(), unattended.split(/[ .']+/).length);
    assert.ok(Math.abs((await control.boundingBox()).y - y) < 1, "the switch has moved");
    await address(/uniform=1$/);
    await page().reload();
    await reading(unattended);
    await soon.ok(() => control.isChecked());
    await button("Reset").click();
    await reading(own);
    await soon.ok(async () => !(await control.isChecked()));
    // The chart says what the models' own cards say.
    await soon.match(() => figure().getByRole("img", { name: /^Quality/ }).getAttribute("aria-label"), /table below/);
    await figure().getByText("The numbers").click();
    const rows = await figure().getByRole("table").getByRole("row").allInnerTexts();
    const card = (model) => [...readFileSync(fromRoot(`models/en-fr-${model}/README.md`), "utf8")
      .matchAll(/^\| (?:fewer than 6|6 to 8|9 to 11|12 and more).* \| ([\d.]+) \|$/gm)].map(([, bleu]) => bleu);
    const [withIt, without] = [card("additive"), card("plain")];
    assert.deepEqual(rows.slice(1).map((row) => row.split(/\s*\t\s*/).slice(1)), withIt.map((bleu, i) => [bleu, without[i]]));
    const dots = async (name) => figure().locator(`no-attention .${name} circle`).evaluateAll((all) => all.map((dot) => Number(dot.getAttribute("cy"))));
    const [high, low] = [await dots("with"), await dots("without")];
    const scale = (high[0] - low[0]) / (without[0] - withIt[0]);
    high.forEach((cy, i) => assert.ok(Math.abs(low[i] - cy - scale * (withIt[i] - without[i])) < 0.01, `dots at ${i}`));
    await page().getByRole("radio", { name: "None" }).check({ force: true });
    await figure().getByRole("heading", { name: /Without attention there is/ }).waitFor();
    await soon.ok(() => control.isHidden());
  });

  test("what else it might have written: other translations, and the search as a tree", async () => {
    await open();
    const tree = figure().locator("search-tree");
    const found = tree.getByRole("list").first().getByRole("button");
    const ways = tree.locator(".scroll");
    await soon.equal(() => tree.getByRole("button").count(), 0, "nothing is searched before one looks");
    await tree.getByText("What else it might have written").click();
    await found.first().waitFor();
    const translations = (await found.allInnerTexts()).map((text) => text.replace(/ \d+ %$/, ""));
    assert.equal(translations[0], own);
    assert.ok(translations.length > 2 && new Set(translations).size === translations.length);
    await soon.equal(() => found.first().getAttribute("aria-current"), "true");
    await soon.equal(() => tree.getByRole("list").first().evaluate((list) => getComputedStyle(list).listStyleType), "none", "their look has come");
    // The way that was taken runs through the tree to its end, and no other does.
    const taken = () => ways.locator("li.on > button").evaluateAll((buttons) => buttons.map(({ firstChild }) => firstChild.data).join(" ").replaceAll(" \u2010", ""));
    await soon.equal(taken, own);
    const count = await ways.getByRole("button").count();
    await tree.getByRole("checkbox", { name: "Also those it gave up" }).check();
    await soon.ok(async () => (await ways.getByRole("button").count()) > count);
    await soon.equal(() => ways.locator("li.lost.on").count(), 0);
    assert.deepEqual(await visit.noticed(), []);
    // Another translation is drawn with what it looks at, and the first is one step back.
    await found.nth(1).click();
    await reading(translations[1]);
    await soon.equal(taken, translations[1]);
    await soon.equal(() => found.nth(1).getAttribute("aria-current"), "true");
    await address((url) => url.hash.includes("begin="));
    await button("Undo").click();
    await reading(own);
    // By the keyboard, a way: the rest follows.
    const way = ways.locator("ul ul button").filter({ hasNotText: "…" }).last();
    const begins = await way.evaluate(({ firstChild }) => firstChild.data);
    await way.press("Enter");
    await page().waitForFunction((before) => document.querySelector("translation-text").textContent !== before, own);
    await soon.ok(async () => (await page().locator("translation-text").innerText()).includes(begins.replace("\u2010", "")));
    // Of a model without attention there is no picture to show another translation in.
    await page().getByRole("radio", { name: "None" }).check({ force: true });
    await figure().getByRole("heading", { name: /Without attention there is/ }).waitFor();
    await soon.ok(() => tree.isHidden());
  });

  test("all heads at a glance: of three kinds, one of them large, and off", async () => {
    await open();
    const heads = figure().locator("all-heads");
    await soon.equal(() => heads.getByRole("radio").count(), 0);
    await heads.getByText("All heads").click();
    const aligning = heads.getByRole("radio", { name: "Layer 2, head 1, the aligning head" });
    await aligning.waitFor();
    await soon.ok(() => aligning.isChecked());
    await soon.equal(() => heads.locator(".layer").first().evaluate((layer) => getComputedStyle(layer).display), "flex", "their look has come");
    const head = (name) => heads.getByRole("group", { name: "Heads" }).getByRole("radio", { name, exact: true });
    const count = () => heads.getByRole("group", { name: "Heads" }).getByRole("radio").count();
    const grid = () => heads.locator("alignment-grid").evaluate(({ data }) => ({ ...data, attention: [...data.attention] }));
    const english = ["The", "old", "cat", "sleeps", "under", "the", "big", "table", "."];
    await soon.equal(count, 10);
    await heads.getByText("This head finds where the word just written came from").waitFor();
    assert.deepEqual((({ source, target }) => [source, target])(await grid()), [english, await figure().locator("alignment-grid").first().evaluate(({ data }) => data.target)]);
    // The mean is that of its heads.
    const all = [];
    for (const name of ["head 1", "head 2", "head 3", "head 4", "mean of its heads"]) {
      await head(`Layer 1, ${name}`).check({ force: true });
      await soon.ok(() => heads.getByText("This head finds where").isHidden());
      all.push((await grid()).attention);
    }
    all[4].forEach((mean, i) => assert.ok(Math.abs(mean - (all[0][i] + all[1][i] + all[2][i] + all[3][i]) / 4) < 1e-6));
    assert.equal(new Set(all.map(String)).size, 5);
    await heads.getByRole("radio", { name: "English at English" }).check({ force: true });
    await soon.equal(count, 15);
    await soon.deepEqual(async () => (await grid()).target, english);
    // Pointing at a head's grid says nothing about the words above.
    await heads.getByRole("gridcell").first().hover();
    await soon.deepEqual(() => page().locator("translation-text .chosen, source-text .chosen").count(), 0);
    await heads.getByRole("radio", { name: "French at French" }).check({ force: true });
    await soon.equal(count, 10);
    const { attention, source } = await grid();
    assert.ok(attention.every((weight, i) => i % source.length < Math.floor(i / source.length) || weight === 0), "French looks back only");

    await heads.getByRole("radio", { name: "English at English" }).check({ force: true });
    for (const layer of [1, 2, 3]) {
      await head(`Layer ${layer}, mean of its heads`).focus();
      await page().keyboard.press("Space");
      await heads.getByRole("button", { name: "Switch all heads of this layer off" }).press("Enter");
      await head(`Layer ${layer}, head 4, off`).waitFor();
    }
    // What is drawn of the third layer comes with the translation without it.
    await soon.ok(async () => (await grid()).attention.every((weight) => weight === 0));
    const blind = await page().locator("translation-text").innerText();
    assert.notEqual(blind, own);
    await soon.equal(() => heads.locator("dd").innerText(), blind);
    await page().screenshot({ path: `${artifacts}edits-heads.png`, fullPage: true });
    await address(/off=e0\.0_e0\.1_e0\.2_e0\.3_e1\.0.*_e2\.3$/);
    await page().reload();
    await reading(blind);
    await aligning.waitFor();
    await heads.getByRole("radio", { name: "English at English" }).check({ force: true });
    await head("Layer 1, head 1, off").check({ force: true });
    await heads.getByRole("button", { name: "Switch layer 1, head 1 on" }).click();
    await head("Layer 1, head 1").waitFor();
    await address(/off=e0\.1_/);
    await button("Reset").click();
    await reading(own);
    await page().getByRole("radio", { name: "Additive" }).check({ force: true });
    await heads.waitFor({ state: "hidden" });
  });

  test("a French word gives way to another, offered or typed, and the rest follows it", async () => {
    await open();
    const token = (text) => page().locator("translation-text .token", { hasText: new RegExp(`^${text}$`) });
    // Whoever presses a word wants another.
    await token("dort").click();
    await soon.equal(() => toggle().getAttribute("aria-pressed"), "true");
    const field = (word) => panel().getByRole("textbox", { name: `Write instead of “${word}”` });
    await field("dort").waitFor();
    const offered = panel().locator(".offers button").first();
    const other = await offered.innerText();
    await offered.focus();
    await page().keyboard.press("Enter");
    await reading(new RegExp(`^Le vieux chat ${other}`));
    await panel().getByText(`You had it begin with “Le vieux chat ${other}”.`).waitFor();
    await soon.ok(async () => (await changedWords()).includes(other));
    await soon.equal(() => page().evaluate(() => document.activeElement.id), "written", "the pressed button has gone");
    const markedRows = () => figure().locator("alignment-grid .row.written .row-label").allInnerTexts();
    await soon.deepEqual(markedRows, [other]);
    await soon.ok(async () => (await cell(new RegExp(` to ${other}, .*set by hand`)).count()) > 0);
    await page().locator("translation-text .token").first().click();
    await field("Le").fill("  Un ");
    await field("Le").press("Enter");
    await reading("Un vieux chat dort sous la grosse table.");
    await soon.deepEqual(changedWords, ["Un"]);
    await soon.deepEqual(markedRows, ["Un"]);
    await page().screenshot({ path: `${artifacts}edits-word.png`, fullPage: true });
    await address(/begin=Un\+$/);
    await page().reload();
    await reading("Un vieux chat dort sous la grosse table.");
    // A row that is changed before the end of what was written frees the words from there on.
    await cell(/^big to vieux/).click();
    await reading("Un gros chat dort sous la grosse table.");
    await token("grosse").click();
    await soon.ok(() => panel().getByText("also thought of").isHidden());
    await field("grosse").fill("chaise");
    await panel().getByRole("button", { name: "Write it" }).click();
    await reading(/^Un gros chat dort sous la chaise /);
    await soon.deepEqual(setRows, ["gros"]);
    await cell(/^cat to gros,/).click();
    await reading(/^Un (?!gros)/);
    await soon.doesNotMatch(() => page().locator("translation-text").innerText(), /chaise/);
    await panel().getByRole("button", { name: "Let it begin by itself" }).click();
    await reading(/^(?!Un)/);
    await button("Reset").click();
    await reading(own);
    // What is typed there has an undo of its own.
    await panel().getByRole("textbox").fill("abc");
    await panel().getByRole("textbox").press("Control+z");
    await soon.equal(() => page().locator("translation-text").innerText(), own);
  });

  test("360 px: a touch changes, a swipe scrolls, nothing sticks out", async () => {
    await open({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    // A touched French word stays marked, and may be another.
    await page().locator("translation-text .token", { hasText: /^dort$/ }).tap();
    await soon.equal(() => page().locator("translation-text .chosen").innerText(), "dort");
    await panel().getByRole("textbox", { name: "Write instead of “dort”" }).waitFor();
    await visit.sound();
    await cell(/^big to vieux, 0/).tap();
    await reading("Le gros chat dort sous la grosse table.");
    visit.expected = /cancelable=false, for example because scrolling/; // what Chromium says of a touch while it still scrolls
    const { x, y } = await cell(/^cat to chat/).boundingBox();
    const touch = await visit.context.newCDPSession(page());
    for (const [type, by] of [["touchStart", 0], ["touchMove", -40], ["touchMove", -120], ["touchEnd", 0]]) {
      await touch.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x: x + 5, y: y + 5 + by }] });
    }
    await soon.deepEqual(setRows, ["gros"]);
    await panel().getByRole("button", { name: "Let “gros” look by itself" }).or(panel().getByRole("button", { name: /^Hide/ })).first().tap();
    await visit.sound();
    await page().screenshot({ path: `${artifacts}edits-phone.png`, fullPage: true });
  });

  test("a student has heads in two places, and forgets what it is not shown", async () => {
    await open({ fields: { model: "student" }, reads: /^Le vieux chat/ });
    const translation = await page().locator("translation-text").innerText();
    const heads = figure().locator("all-heads");
    await heads.getByText("All heads").click();
    await heads.getByRole("radio", { name: "Layer 2, head 1, the aligning head" }).waitFor();
    const count = () => heads.getByRole("group", { name: "Heads" }).getByRole("radio").count();
    await soon.equal(count, 2 * 9);
    await soon.deepEqual(() => heads.getByRole("group", { name: "Who looks at whom" }).locator("label:visible").allInnerTexts(),
      ["French at English", "English at English"]);
    await heads.getByRole("radio", { name: "English at English" }).check({ force: true });
    await soon.equal(count, 6 * 9);
    await toggle().click();
    await figure().getByRole("gridcell", { name: /^cat to chat/ }).click();
    await panel().getByRole("button", { name: /^Hide/ }).click();
    await reading(/^Le vieux (?!chat)/);
    await button("Undo").click();
    await reading(translation);
    // Of the transformer, there is the third kind again.
    await page().getByRole("radio", { name: "Transformer" }).check({ force: true });
    await reading(own);
    await heads.getByText("French at French").waitFor();
  });

  test("axe finds nothing while one changes things: light, dark, phone, threads", async () => {
    for (const view of [{}, { colorScheme: "dark" }, { viewport: { width: 360, height: 780 } }, { fields: { picture: "threads" } },
      { fields: { off: "e0.0" } }, { fields: { off: "e0.0" }, colorScheme: "dark", viewport: { width: 360, height: 780 } }]) {
      const { fields, ...options } = view;
      await open({ fields: { hide: "1", look: "1.0.0.1000.0.0.0.0.0.0", ...fields }, reads: /^Le (?!vieux)/, ...options });
      await figure().locator(":is(alignment-grid, alignment-threads) .set").first().waitFor({ state: "attached" });
      await page().locator("translation-text .token").nth(1).click();
      assert.deepEqual(await visit.noticed(), [], JSON.stringify(view));
      if (view.colorScheme) await page().screenshot({ path: `${artifacts}edits-dark.png`, fullPage: true });
    }
  });
});
