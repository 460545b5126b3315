// One decoder step, followed by a visitor of the built page.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { artifacts, assertStill, fromRoot } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

describe("one word, step by step", { skip: missing }, () => {
  const visit = visits();
  const lab = () => visit.page.locator("decoder-steps");
  const button = (name) => lab().getByRole("button", { name, exact: true });
  const station = (name) => lab().getByRole("radio", { name: new RegExp(`\\d ${name}`) });
  const row = (name) => lab().getByRole("list", { name: new RegExp(`^The ${name}`) });
  const pieces = (name) => row(name).locator("button > span:first-child").allInnerTexts();
  const title = () => lab().locator(".station h3").innerText();
  const cells = (kind) => lab().locator(`table.${kind} tbody tr`).evaluateAll(
    (rows) => rows.map((each) => [...each.cells].map(({ textContent }) => textContent)));
  const numberOf = (text) => Number(text.replace("−", "-"));
  const close = (a, b, bound) => assert.ok(Math.abs(a - b) <= bound, `${a}, expected ${b}`);

  async function open(options) {
    const page = await visit.open("how.html", options);
    await lab().getByRole("textbox").waitFor();
    return page;
  }
  async function begin(model = "Additive") {
    await lab().getByRole("radio", { name: model }).check({ force: true });
    await button("Translate step by step").click();
    await lab().getByText(/^Compared with the engine/).waitFor();
  }
  async function go(name) {
    await station(name).check({ force: true });
  }

  /** What the package itself says in this browser, of the same sentence. */
  async function engineSays(model, text) {
    visit.server.answers.set(/^\/dist\//, (response, path) => {
      const type = { wasm: "application/wasm", js: "text/javascript" }[path.split(".").at(-1)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type }).end(readFileSync(fromRoot(path.slice(1))));
    });
    return visit.page.evaluate(async ([id, sentence]) => {
      const { Translator } = await import("/dist/index.js");
      const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: id, worker: false });
      const { translation, sourceTokens, targetTokens, attention, confidence, heads } =
        await translator.explain(sentence, { level: "piece", special: true, heads: true });
      translator.destroy();
      return {
        translation, sourceTokens, targetTokens, attention: [...attention], confidence: [...confidence],
        heads: heads.filter(({ kind }) => kind === "cross").map(({ layer, head, weights }) => ({ layer, head, weights: [...weights] })),
      };
    }, [`en-fr-${model}`, text]);
  }

  test("nothing is loaded before the button is pressed; then the sentence is translated, and a step is open", async () => {
    await open();
    await visit.page.locator("figure").nth(4).waitFor();
    assert.ok(!visit.server.requests.some((path) => /additive|dot|transformer|steps-worker/.test(path)));
    await soon.equal(() => lab().locator(".brief li").count(), 7);
    await begin();
    await soon.deepEqual(() => pieces("French"), ["Le", "petit", "chat", "dort", "sur", "la", "chaise", ".", "(end)"]);
    await soon.deepEqual(() => pieces("English"), ["The", "little", "cat", "sleep", "…s", "on", "the", "chair", ".", "(end)"]);
    await soon.match(title, /^Step 3 of 9: “chat”\s+What was read$/);
    await soon.equal(() => lab().locator(".brief").isVisible(), false);
    await soon.equal(() => row("English").getByRole("button", { pressed: true }).locator("span").first().innerText(), "cat", "what “chat” looks at most");
  });

  for (const [name, model] of [["Additive", "additive"], ["Dot product", "dot"], ["Transformer", "transformer"]]) {
    test(`weights and words are those of the engine: ${name}`, async () => {
      await open();
      await begin(name);
      const own = await engineSays(model, await lab().getByRole("textbox").inputValue());
      const width = own.sourceTokens.length;
      const check = async (step, weights) => {
        await go("Share out");
        const shares = (await cells("shares")).slice(0, width);
        assert.equal(shares.length, width);
        shares.forEach(([, score, , , share], j) => {
          assert.match(score, /^−?\d+\.\d+$/);
          close(Number(share), weights[step * width + j], 1.1e-3);
        });
        // The row of words says the same.
        const row = await lab().locator(".word-row").nth(1).locator("small").allInnerTexts();
        row.forEach((share, j) => close(Number(share), weights[step * width + j], 6e-3));
        await go("Choose");
        const [first, ...others] = await cells("guesses");
        assert.equal(first[0].replace(/^…| written$/g, ""), own.targetTokens[step].text || "(end)");
        close(Number(first[2]), own.confidence[step], 1.1e-3);
        assert.ok(others.every(([, , probability]) => Number(probability) <= Number(first[2])));
        assert.equal(others.length, 4);
      };
      const alignment = model === "transformer" ? own.heads.find(({ layer, head }) => layer === 1 && head === 0).weights : own.attention;
      for (const step of [0, 3, own.targetTokens.length - 1]) {
        await row("French").getByRole("button").nth(step).click();
        await check(step, alignment);
      }
      if (model !== "transformer") {
        await soon.equal(() => lab().getByLabel("Head").isVisible(), false);
        return;
      }
      for (const [layer, head] of [[0, 2], [1, 3]]) {
        await lab().getByLabel("Layer").selectOption({ value: String(layer) });
        await lab().getByLabel("Head").selectOption({ value: String(head) });
        await check(own.targetTokens.length - 1, own.heads.find((each) => each.layer === layer && each.head === head).weights);
      }
    });
  }

  test("a chosen English word shows the terms of its score, which is the one that becomes its share", async () => {
    await open();
    await begin();
    await go("Compare");
    await row("English").getByRole("button", { name: /^little/ }).click();
    await soon.match(() => lab().locator(".station").innerText(), /How well does “little” answer\?/);
    const terms = await cells("terms");
    assert.equal(terms.length, 8);
    const parts = terms.slice(0, 6);
    for (const [, q, k, tanh, v, term] of parts) {
      close(Math.tanh(numberOf(q) + numberOf(k)), numberOf(tanh), 0.02);
      close(numberOf(tanh) * numberOf(v), numberOf(term), 0.02);
    }
    const values = terms.map((each) => numberOf(each.at(-1)));
    close(values.slice(0, 7).reduce((a, b) => a + b), values[7], 0.01);
    const scores = await cells("scores");
    close(numberOf(scores[1][1]), values[7], 0.01);
    await soon.equal(() => lab().locator("table.scores .chosen th").innerText(), "little");
    await go("Share out");
    const shares = await cells("shares");
    assert.equal(shares[1][1], scores[1][1]);
    close(Number(shares[1][3]) / Number(shares.at(-1)[3]), Number(shares[1][4]), 2e-3);
    await soon.match(() => lab().locator(".formula").nth(1).innerText(), new RegExp(`^“little”: ${shares[1][3]} / ${shares.at(-1)[3]} = ${shares[1][4]}$`));

    // A transformer's score is divided at the end.
    await lab().getByRole("radio", { name: "Transformer" }).check({ force: true });
    await lab().getByLabel("Head").waitFor();
    await go("Compare");
    const sums = (await cells("terms")).slice(-2).map((each) => numberOf(each.at(-1)));
    close(sums[0] / Math.sqrt(40), sums[1], 0.01);
  });

  test("Next and Previous walk through stations and steps, by keyboard too; the end is an end", async () => {
    const page = await open();
    await begin();
    await row("French").getByRole("button").first().click();
    await soon.equal(() => button("Previous").isDisabled(), true);
    await button("Next").focus();
    const seen = [await title()];
    for (let i = 0; i < 7; ++i) {
      await page.keyboard.press("Enter");
      seen.push(await title());
    }
    assert.equal(new Set(seen).size, 8);
    assert.match(seen[6], /^Step 1 of 9: “Le”\s+Which word is written$/);
    assert.match(seen[7], /^Step 2 of 9: “petit”\s+What is looked for$/, "reading is the same in every step");
    await soon.equal(() => lab().locator("step-viewer [role=status]").innerText(), "Step 2, “petit”. What is looked for");
    await button("Previous").focus();
    await page.keyboard.press("Enter");
    await soon.equal(title, seen[6]);

    // Arrows in the row of words and among the stations.
    await row("French").getByRole("button", { pressed: true }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await soon.match(title, /^Step 8 of 9: “\.”/);
    await station("Choose").focus();
    await page.keyboard.press("ArrowLeft");
    await soon.match(title, /What becomes of it$/);
    await row("French").getByRole("button").last().click();
    await go("Choose");
    await soon.equal(() => button("Next").isDisabled(), true);
  });

  test("another sentence, typed or offered, and another network", async () => {
    const page = await open();
    await begin();
    const input = lab().getByRole("textbox", { name: "A short English sentence" });
    await input.fill("I drink tea. It is hot.");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /thé/.test(document.querySelector("decoder-steps .word-row")?.textContent));
    await soon.equal(async () => (await pieces("French")).at(-1), "(end)");
    await soon.ok(async () => !(await pieces("English")).includes("hot"), "the first sentence only");
    await soon.equal(() => lab().locator(".row-title.source").innerText(), "English, the first of 2 sentences: look closely at");
    await button("I don't know where she lives.").click();
    await page.waitForFunction(() => /where/.test(document.querySelectorAll("decoder-steps .word-row")[1].textContent));
    await lab().getByRole("radio", { name: "Dot product" }).check({ force: true });
    await go("Compare");
    await lab().getByText(/Luong and others, 2015/).waitFor();
  });

  test("a network chosen while another loads is the one that is shown; another sentence of the same translation has its own pieces", async () => {
    await open({ fresh: true });
    await button("Translate step by step").click();
    await lab().getByRole("radio", { name: "Transformer" }).check({ force: true });
    await lab().getByText(/^Compared with the engine/).waitFor();
    await soon.equal(() => lab().getByRole("combobox").first().isVisible(), true, "layers and heads, which the transformer alone has");
    await lab().getByRole("radio", { name: "Additive" }).check({ force: true });
    // Both are the same in French, and the first has a piece more.
    const input = lab().getByRole("textbox", { name: "A short English sentence" });
    const translations = [];
    for (const [text, second] of [["I'm hungry.", "'"], ["I am hungry.", "am"]]) {
      await input.fill(text);
      await visit.page.keyboard.press("Enter");
      await soon.equal(async () => (await pieces("English"))[1], second);
      translations.push((await pieces("French")).join(" "));
      await row("English").getByRole("button").last().click();
      await soon.equal(() => row("English").locator("[aria-pressed=true] > span:first-child").innerText(), "(end)");
      await go("Compare");
      await soon.equal(async () => (await cells("scores")).length, (await pieces("English")).length);
    }
    assert.equal(translations[0], translations[1]);
  });

  test("loading shows its progress and can be cancelled; later it goes on as if nothing had been", async () => {
    await open({ fresh: true });
    visit.server.answers.set(/additive.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 2_674_358 });
      response.write(Buffer.alloc(1_200_000));
    });
    await button("Translate step by step").click();
    await visit.page.getByRole("progressbar", { name: /^Loading the network with additive attention \(2\.7 MB\), 4\d %$/ }).waitFor();
    await button("Cancel").click();
    await visit.page.getByText("Cancelled.").waitFor();
    await soon.equal(() => visit.page.evaluate(() => document.activeElement.textContent), "Translate step by step");
    visit.server.answers.clear();
    await begin();
    await soon.equal(() => visit.page.getByText("Cancelled.").count(), 0);
  });

  test("what goes wrong is said in plain words, and trying again helps", async () => {
    visit.expected = /404|Failed to load/;
    const cases = [
      [/additive.*safetensors$/, (response) => response.writeHead(404).end(), /could not be downloaded/, "Try again"],
      [/additive.*safetensors$/, (response) => response.writeHead(200).end("no model"), /damaged/, "Load it again"],
      [/steps-worker.*js$/, (response) => response.writeHead(404).end(), /could not be loaded/, "Try again"],
    ];
    for (const [file, answer, says, retry] of cases) {
      await open({ fresh: true });
      visit.server.answers.set(file, answer);
      await button("Translate step by step").click();
      const alert = lab().getByRole("alert");
      await soon.match(() => alert.innerText(), says);
      await soon.equal(() => lab().locator("step-viewer").isVisible(), false);
      visit.server.answers.clear();
      await alert.getByRole("button", { name: retry }).click();
      await lab().getByText(/^Compared with the engine/).waitFor();
      await soon.equal(() => lab().getByRole("alert").count(), 0);
    }
  });

  test("axe finds nothing at any station: light, dark, phone; nothing sticks out or moves", async () => {
    const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    // Of the recurrent network there are more columns to compare: "small".
    const views = { light: {}, dark: { colorScheme: "dark" }, phone, small: phone, wide: { viewport: { width: 1920, height: 1080 } } };
    for (const [name, view] of Object.entries(views)) {
      const page = await open({ ...view, reducedMotion: name === "dark" ? "reduce" : "no-preference" });
      await page.locator("figure").nth(4).waitFor();
      const since = await page.evaluate(() => performance.now());
      await begin(["light", "small"].includes(name) ? "Additive" : "Transformer");
      for (const each of ["Read", "Ask", "Compare", "Share out", "Gather", "Go on", "Choose"]) {
        await go(each);
        await visit.sound();
        const tables = lab().locator(".station table");
        const wide = () => tables.evaluateAll((all) => all.filter(({ parentElement, offsetWidth }) => offsetWidth > parentElement.clientWidth).length);
        await soon.equal(wide, 0, `${name}, ${each}: a table is wider than its place`);
        if (name === "light" || each === "Compare") assert.deepEqual(await visit.noticed(), [], `${name}, ${each}`);
      }
      await assertStill(page, { since, name });
      // A picture of something taller than the window moves it.
      for (const each of ["Compare", "Gather"]) {
        await go(each);
        await lab().screenshot({ path: `${artifacts}steps-${name}-${each.toLowerCase()}.png` });
      }
    }
  });

  test("begins with the sentence that was translated last, and white space alone is no end", async () => {
    const page = await visit.open("index.html#text=Hello+world&model=additive");
    await page.locator("translation-text .token").first().waitFor();
    await page.getByRole("link", { name: "How it works" }).click();
    await soon.equal(() => lab().getByRole("textbox").inputValue(), "Hello world");
    await begin();
    const written = await pieces("French");
    assert.equal(written.indexOf("(end)"), written.length - 1, written.join(" "));
  });

  test("strips have a name with their range, and follow the theme", async () => {
    const page = await open();
    await begin();
    const strip = lab().getByRole("img", { name: /^h: 320 numbers from −0\.\d\d to 0\.\d\d$/ }).nth(3);
    const colours = () => strip.evaluate((canvas) => [...canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data].join());
    const light = await colours();
    assert.ok(new Set(light.split(",")).size > 30);
    await page.getByRole("button", { name: "Dark" }).click();
    assert.ok((await colours()) !== light, "the colours are others");
  });
});
