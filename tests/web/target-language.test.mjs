// Other languages than French on the built page, as a visitor would choose them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Translator } from "../../dist/index.js";
import { artifacts } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

const sentence = "The old cat sleeps under the big table.";
const languages = { de: "German", es: "Spanish" };

describe("other languages than French", { skip: missing }, () => {
  const visit = visits();
  const page = () => visit.page;
  const to = () => page().getByRole("combobox", { name: "Translate to" });
  const translation = () => page().locator("translation-text");
  const figure = () => page().locator("attention-figure");
  const offered = async () => (await page().locator("#model label").filter({ visible: true }).allInnerTexts()).join();
  const chosen = () => page().locator("#model :checked").getAttribute("value");
  const choose = (name) => page().getByRole("radio", { name, exact: true }).check({ force: true });
  const reads = (text) => page().waitForFunction((wanted) => document.querySelector("translation-text").textContent === wanted, text);

  /** What the package itself makes of the sentence. */
  async function own(language, network) {
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: language, model: `en-${language}-${network}` });
    const text = await translator.translate(sentence, { beam: 4 });
    translator.destroy();
    return text;
  }

  for (const [tag, name] of Object.entries(languages)) {
    test(`${name} is chosen above the translation, with the networks there are; a link brings it back`, async () => {
      await visit.open(`#${new URLSearchParams({ text: sentence })}`);
      await translation().getByText("chat").waitFor();
      await soon.equal(offered, "Transformer,Student,Additive,Dot product,None");
      await to().selectOption({ label: name });
      await reads(await own(tag, "transformer"));
      await soon.equal(offered, "Transformer,Additive");
      await soon.equal(() => translation().getAttribute("lang"), tag);
      await figure().getByRole("grid", { name: `Attention: ${name} down, English across` }).waitFor();
      assert.deepEqual(await figure().getByRole("rowheader").allInnerTexts(), await page().locator("translation-text .token").allInnerTexts());
      await page().waitForURL(new RegExp(`&to=${tag}&model=transformer&level=word$`));
      await page().screenshot({ path: `${artifacts}page-${tag}.png`, fullPage: true });

      await choose("Additive");
      await reads(await own(tag, "additive"));
      await page().waitForURL(new RegExp(`&to=${tag}&model=additive&level=word$`));
      await page().reload();
      await reads(await own(tag, "additive"));
      await soon.equal(() => to().inputValue(), tag);
      await soon.equal(offered, "Transformer,Additive");
    });
  }

  test("a network that a language does not have gives way to the Transformer, and French comes back", async () => {
    await visit.open(`#${new URLSearchParams({ text: sentence, model: "dot" })}`);
    await translation().getByText("chat").waitFor();
    await to().selectOption("de");
    await reads(await own("de", "transformer"));
    await soon.equal(chosen, "transformer");
    await to().selectOption("fr");
    await reads("Le vieux chat dort sous la grosse table.");
    await soon.equal(offered, "Transformer,Student,Additive,Dot product,None");
    await page().goto(`${visit.server.url}#${new URLSearchParams({ text: sentence, to: "es", model: "plain" })}`);
    await reads(await own("es", "transformer"));
    // A link without a language is one to French, as links were before there were others.
    await page().goto(`${visit.server.url}#${new URLSearchParams({ text: sentence })}`);
    await reads("Le vieux chat dort sous la grosse table.");
  });

  test("what is changed, other translations and heads are in that language", async () => {
    await visit.open(`#${new URLSearchParams({ text: sentence, to: "de" })}`);
    const at = await own("de", "transformer");
    await reads(at);
    await figure().getByRole("button", { name: "Change the attention", exact: true }).click();
    await figure().getByRole("columnheader", { name: "old" }).click();
    await figure().getByRole("button", { name: "Hide “old” from the network" }).click();
    await page().waitForFunction((text) => document.querySelector("translation-text").textContent !== text, at);
    const versions = figure().locator("change-panel dd");
    await soon.deepEqual(() => versions.evaluateAll((all) => all.map(({ lang }) => lang)), ["de", "de"]);
    await soon.equal(() => figure().locator("#written").getAttribute("lang"), "de");
    await figure().getByRole("button", { name: "Reset" }).click();
    await reads(at);
    await figure().getByRole("heading", { name: "What else it might have written" }).click();
    await figure().locator("search-tree .found").getByText(at).waitFor();
    await soon.equal(() => figure().locator("search-tree .found").getAttribute("lang"), "de");
    await figure().getByRole("heading", { name: "All heads" }).click();
    await figure().getByRole("radio", { name: "German at English" }).waitFor();
    await soon.deepEqual(() => figure().locator("all-heads fieldset").first().locator("label").allInnerTexts(), ["German at English", "English at English", "German at German"]);
    assert.deepEqual(await visit.noticed(), []);
  });

  for (const [tag, name, wrong] of [["de", "German", "grünes"], ["es", "Spanish", "verde"]]) {
    test(`${name} texts are aligned, too, with examples of their own`, async () => {
      await visit.open("align.html");
      const text = page().getByRole("textbox", { name });
      const words = page().locator("#words button > span:first-child");
      await page().locator("#verdict b").getByText("verte").waitFor();
      await to().selectOption(tag);
      await page().locator("#verdict b").getByText(wrong, { exact: true }).waitFor();
      await soon.match(() => text.inputValue(), new RegExp(wrong));
      await soon.equal(() => words.first().evaluate((word) => word.closest("[lang]").lang), tag);
      await soon.equal(offered, "Transformer,Additive");
      await page().getByRole("grid", { name: `Attention: ${name} down, English across` }).waitFor();
      await page().getByRole("button", { name: "A good translation" }).click();
      await page().getByText("Nothing surprises the network.").waitFor();
      await page().waitForURL(new RegExp(`&to=${tag}&model=transformer`));
      await text.fill("");
      await page().getByText(`Write or paste ${name} text, or choose an example.`).first().waitFor();
    });
  }
});
