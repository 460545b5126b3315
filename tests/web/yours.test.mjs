// The page of one's own models, as built, driven as a visitor would; and what it reads of their files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Translator } from "../../dist/index.js";
import { artifacts, fromRoot } from "./browser.mjs";
import { importFixture } from "./build.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

const { decompressed, elementsOf, factsOf, inspect, judge, kNoFiles, languagesIn, languageTag, whyOnlyShown, withFile, withoutFile } =
  await importFixture("yours");

const golden = (name) => readFileSync(fromRoot(`tests/golden/marian/${name}`));
const ours = (id) => readFileSync(fromRoot(`models/${id}/model.safetensors`));

/** The vocabulary of one of our models, as a file of its own. */
function vocabularyOf(bytes) {
  const size = Number(bytes.readBigUInt64LE());
  const [begin, end] = JSON.parse(bytes.subarray(8, 8 + size))["tokenizer.sentencepiece"].data_offsets;
  return bytes.subarray(8 + size + begin, 8 + size + end);
}

/** An archive as numpy.savez makes it, of float32 zeros. */
function npz(arrays) {
  const members = Object.entries(arrays).map(([name, { descr = "<f4", shape, data }]) => {
    const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.join(", ")},), }\n`;
    const body = Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), Buffer.from([header.length, 0]), Buffer.from(header), data]);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt32LE(body.length, 18);
    local.writeUInt32LE(body.length, 22);
    local.writeUInt16LE(name.length + 4, 26);
    return Buffer.concat([local, Buffer.from(`${name}.npy`), body]);
  });
  return Buffer.concat([...members, Buffer.from("PK\x01\x02")]);
}

/** The golden model with an embedding, and so a vocabulary, for each side. */
function withTwoVocabularies() {
  const file = golden("model.bin");
  let at = 8;
  const u64 = () => Number(file.readBigUInt64LE((at += 8) - 8));
  const take = (size) => file.subarray(at, (at += size));
  const tensors = Array.from({ length: u64() }, () => ({ nameSize: u64(), type: u64(), rank: u64(), size: u64() }));
  for (const tensor of tensors) tensor.name = take(tensor.nameSize).toString().replace(/\0/g, "");
  for (const tensor of tensors) tensor.shape = take(4 * tensor.rank);
  take(u64());
  for (const tensor of tensors) tensor.data = take(tensor.size);
  const options = tensors.find(({ name }) => name === "special:model.yml");
  options.data = Buffer.from(options.data.toString().replace("tied-embeddings: false", "tied-embeddings: true").replace("tied-embeddings-all: true", "tied-embeddings-all: false"));
  const embedding = tensors.find(({ name }) => name === "Wemb");
  embedding.name = "decoder_Wemb";
  tensors.push({ ...embedding, name: "encoder_Wemb" });
  const numbers = (...values) => Buffer.from(BigUint64Array.from(values, BigInt).buffer);
  return Buffer.concat([
    numbers(1, tensors.length), ...tensors.map(({ name, type, rank, data }) => numbers(name.length + 1, type, rank, data.length)),
    ...tensors.map(({ name }) => Buffer.from(`${name}\0`)), ...tensors.map(({ shape }) => shape), numbers(0), ...tensors.map(({ data }) => data),
  ]);
}

test("files are known by what is in them, whatever their names", () => {
  const weights = inspect(golden("model.bin"), "x");
  assert.equal(weights.kind, "weights");
  assert.deepEqual(weights.tensors.find(({ name }) => name === "Wemb"), { name: "Wemb", type: "F32", shape: [240, 32] });
  assert.equal(weights.options["dim-vocabs"], "240, 240");
  assert.equal(weights.options["dec-cell"], "ssru");
  assert.deepEqual(inspect(golden("vocab.spm"), "x"), { kind: "vocabulary", pieces: 240, method: "unigram" });
  assert.deepEqual(inspect(golden("lex.bin"), "x"), { kind: "shortlist", words: 240, entries: 2400 });
  const tagger = inspect(ours("en-tagger"), "x");
  assert.equal(tagger.config.architecture, "tagger");
  assert.match(whyOnlyShown(tagger).text, /labels words/);
  const archive = inspect(npz({
    Wemb: { shape: [3, 2], data: Buffer.alloc(24) },
    "special:model.yml": { descr: "|i1", shape: [19], data: Buffer.from("type: s2s\ndim: 12\n\0") },
  }), "x");
  assert.deepEqual(archive, { kind: "weights", tensors: [{ name: "Wemb", type: "F32", shape: [3, 2] }], options: { type: "s2s", dim: "12" } });
});

test("what a file is not, or is no more, is told", () => {
  const fault = (bytes, name = "file") => {
    try {
      inspect(bytes, name);
    } catch (error) {
      return error.fault;
    }
    return undefined;
  };
  assert.equal(fault(Buffer.alloc(0)), "empty");
  assert.equal(fault(Buffer.from("Hello, world. This is a text.")), "unknown");
  assert.equal(fault(Buffer.from("no model"), "a.safetensors"), "damaged");
  assert.equal(fault(Buffer.from("PK\x03\x04 some other archive, long enough for that")), "damaged");
  for (const bytes of [golden("model.bin"), golden("lex.bin"), golden("vocab.spm"), ours("en-tagger")]) {
    for (const left of [9, 40, 1000, bytes.length - 1]) assert.equal(fault(bytes.subarray(0, left)), "damaged", `${left} of ${bytes.length}`);
  }
  // Any byte may be another one: there is an answer, and soon.
  for (const bytes of [golden("model.bin"), golden("lex.bin"), golden("vocab.spm")]) {
    for (let at = 8; at < 2000; at += 7) {
      const changed = Buffer.from(bytes);
      changed[at] ^= 0xff;
      assert.ok([undefined, "damaged", "unknown"].includes(fault(changed)));
    }
  }
});

test("compression goes away with its name", async () => {
  const file = new File([gzipSync(golden("vocab.spm"))], "vocab.spm.gz");
  const plain = await decompressed(file);
  assert.equal(plain.name, "vocab.spm");
  assert.deepEqual(Buffer.from(await plain.arrayBuffer()), golden("vocab.spm"));
  await assert.rejects(decompressed(new File([gzipSync(golden("vocab.spm")).subarray(0, 500)], "a.gz")), { fault: "damaged" });
  await assert.rejects(decompressed(new File([gzipSync(Buffer.alloc(2e6))], "bomb.gz"), 1e6), { fault: "large" });
});

test("files make a model in any order, and what is missing or does not fit is known", () => {
  const file = (name, contents) => ({ file: { name, size: 1 }, contents });
  const weights = (...names) => file("w.bin", { kind: "weights", options: {}, tensors: names.map((name, i) => ({ name, shape: [10 * (i + 1), 4], type: "F32" })) });
  const spm = (name, pieces) => file(name, { kind: "vocabulary", pieces, method: "unigram" });
  const lex = (words) => file("lex.bin", { kind: "shortlist", words, entries: 1 });
  const of = (...files) => judge(files.reduce(withFile, kNoFiles));
  assert.deepEqual(of(), { kind: "missing", what: "nothing" });
  assert.deepEqual(of(spm("v", 10)), { kind: "missing", what: "weights" });
  assert.deepEqual(of(weights("Wemb")), { kind: "missing", what: "vocabulary" });
  assert.equal(of(weights("Wemb"), spm("v", 10)).kind, "marian");
  assert.equal(of(lex(10), spm("v", 10), weights("Wemb")).shortlist.file.name, "lex.bin");
  const misfit = of(lex(11), spm("v", 10), weights("Wemb"));
  assert.deepEqual([misfit.kind, misfit.culprit.file.name, misfit.has, misfit.expected], ["misfit", "lex.bin", 11, 10]);
  assert.equal(of(weights("Wemb"), spm("v", 9)).culprit.file.name, "v");
  // Two vocabularies: by size, by name, in order.
  const two = weights("encoder_Wemb", "decoder_Wemb");
  assert.deepEqual(of(two, spm("v", 10)), { kind: "missing", what: "second vocabulary" });
  assert.deepEqual([of(two, spm("b", 20), spm("a", 10)).source.file.name, of(two, spm("b", 20), spm("a", 10)).target.file.name], ["a", "b"]);
  assert.equal(of(two, spm("trg.spm", 10), spm("src.spm", 10)).culprit.file.name, "trg.spm");
  assert.equal(of(two, spm("a", 10), spm("b", 20)).source.file.name, "a");
  // A whole model and parts exclude each other; a vocabulary of the same name takes the place of the first.
  const whole = file("m.safetensors", { kind: "model", tensors: [], config: {} });
  assert.equal(of(spm("v", 10), whole).kind, "model");
  assert.deepEqual(of(whole, spm("v", 10)), { kind: "missing", what: "weights" });
  assert.equal(of(weights("Wemb"), spm("v", 9), spm("v", 10)).kind, "marian");
  assert.deepEqual(withoutFile([weights("Wemb"), spm("v", 9)].reduce(withFile, kNoFiles), "v"), [weights("Wemb")].reduce(withFile, kNoFiles));
  assert.deepEqual(languagesIn("model.esen.intgemm.alphas.bin"), { source: "es", target: "en" });
  assert.equal(languagesIn("model.bin"), undefined);
  assert.deepEqual(["EN-gb", " fr ", "x!", ""].map(languageTag), ["en-GB", "fr", undefined, undefined]);
});

test("what is in a model is counted right", () => {
  const contents = inspect(ours("en-fr-transformer"), "x");
  const facts = Object.fromEntries(factsOf({ file: { name: "m", size: 2_819_254 }, contents }));
  assert.equal(facts.File, "m, 2.8 MB");
  assert.equal(facts.Languages, "English to French");
  assert.equal(facts.Vocabulary, "4,000 pieces");
  const weights = contents.tensors.filter(({ name, type }) => type !== "U8" && !name.endsWith(".scale")).reduce((sum, each) => sum + elementsOf(each), 0);
  assert.equal(facts.Weights, `${weights.toLocaleString("en")} in ${contents.tensors.length} tensors`);
  assert.ok(weights > 2e6 && weights < 3e6);
});

describe("the page of one's own models", { skip: missing }, () => {
  const visit = visits();
  const { open } = visit;
  const payload = (name, buffer) => ({ name, mimeType: "application/octet-stream", buffer });
  const model = () => payload("model.bin", golden("model.bin"));
  const vocabulary = () => payload("vocab.spm", golden("vocab.spm"));
  const shortlist = () => payload("lex.bin", golden("lex.bin"));
  const own = (id, name = `${id}.safetensors`) => payload(name, ours(id));
  const choose = (...files) => visit.page.getByLabel("Choose files").setInputFiles(files);
  /** As a visitor drags files from a folder onto the page. */
  const drop = async (...files) => {
    const transfer = await visit.page.evaluateHandle((files) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of files) {
        transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      }
      return transfer;
    }, files.map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") })));
    await visit.page.locator(".drop").dispatchEvent("dragover", { dataTransfer: transfer });
    await soon.ok(async () => await visit.page.locator("body.dragging").count() > 0);
    await visit.page.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
  };
  const status = (text) => visit.page.locator("#status", { hasText: text }).waitFor();
  const translates = (text) => visit.page.waitForFunction((text) => document.querySelector("#translation").textContent === text, text);
  const fact = (term) => visit.page.locator("#facts dl > div", { has: visit.page.getByText(term, { exact: true }) }).first().locator("dd").innerText();
  const setLanguages = async (from, to) => {
    await visit.page.getByLabel("From").fill(from);
    await visit.page.getByLabel("To", { exact: true }).fill(to);
    await visit.page.getByRole("button", { name: "Set languages" }).click();
  };
  const text = () => visit.page.locator("#text");

  test("a model of ours is shown, translates and draws; nothing was downloaded for it but the engine", async () => {
    const page = await open("yours.html");
    await page.getByRole("heading", { name: "Bring your own model" }).waitFor();
    assert.deepEqual(visit.server.requests.filter((path) => /wasm|worker-[\w-]{8}\.js|safetensors/.test(path)), []);
    await soon.ok(() => page.locator("#use").isHidden());
    await choose(own("en-fr-additive"));
    await status("en-fr-additive.safetensors is in use: it translates English to French.");
    await page.waitForFunction(() => document.querySelector("#translation").textContent.startsWith("J'ai froid") || document.querySelector("#translation").textContent.startsWith("Je suis froid"));
    await page.getByRole("gridcell", { name: /^cold to froid/ }).waitFor();
    await soon.equal(() => fact("Languages"), "English to French");
    await soon.equal(() => fact("Architecture"), "seq2seq-gru");
    await soon.equal(() => fact("Attention"), "additive");
    await page.getByText(/^All \d+ tensors$/).click();
    await page.getByRole("row", { name: "attention.query.weight 192 × 320 I8" }).waitFor();
    await text().fill("I am hungry.");
    await translates("J'ai faim.");
    await page.getByRole("radio", { name: "Threads" }).check({ force: true });
    await page.getByRole("option", { name: /^faim: hungry/ }).waitFor();
    assert.deepEqual(visit.server.requests.filter((path) => /safetensors/.test(path)), []);
  });

  test("Marian's files, dropped together and compressed, are used once their languages are set", async () => {
    const page = await open("yours.html");
    await drop(shortlist(), payload("vocab.spm.gz", gzipSync(golden("vocab.spm"))), payload("model.bin.gz", gzipSync(golden("model.bin"))));
    await status("which languages does it translate?");
    await soon.deepEqual(() => page.locator("#given li").allInnerTexts(),
      ["model.bin: Marian’s weights, 104 kB", "vocab.spm: a vocabulary, 3 kB", "lex.bin: a shortlist, 12 kB"]);
    await setLanguages("xx!", "fr");
    await soon.match(() => page.getByRole("alert").innerText(), /“xx!” is no language code/);
    await setLanguages("es", "en");
    await status("model.bin is in use: it translates Spanish to English.");
    await soon.equal(() => page.getByRole("alert").count(), 0);
    await page.getByRole("textbox", { name: "Spanish" }).fill("Hola.");
    await page.getByRole("gridcell", { name: /^Hola/ }).first().waitFor();
    await soon.equal(() => page.locator("alignment-grid").getAttribute("source-label"), "Spanish");
    await soon.equal(() => fact("Decoder’s cell"), "ssru");
    await soon.equal(() => fact("Shortlist"), "likely translations of 240 words, 2,400 in all");
    await page.locator("view-options summary").click();
    await page.getByText("Spanish sorted").waitFor();
  });

  test("Marian's files one after the other: each time it is said what is missing, and all are used", async () => {
    const page = await open("yours.html");
    await choose(vocabulary());
    await status("The weights (.bin or .npz) are still missing.");
    await choose(payload("model.enfr.intgemm.bin", golden("model.bin")));
    await status("model.enfr.intgemm.bin is in use: it translates English to French.");
    // The package says the same in Node.
    const parts = { weights: golden("model.bin"), vocabulary: golden("vocab.spm"), shortlist: golden("lex.bin") };
    const said = async (model) => {
      const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model });
      const translation = await translator.translate("Where did you buy this book?", { beam: 4 });
      translator.destroy();
      return translation;
    };
    const [without, withList] = [await said({ ...parts, shortlist: undefined }), await said(parts)];
    assert.notEqual(without, withList);
    await text().fill("Where did you buy this book?");
    await translates(without);
    await choose(shortlist());
    await translates(withList);
    await page.getByRole("button", { name: "Forget these files" }).click();
    await soon.ok(() => page.locator("#given").isHidden());
    await text().fill("I am cold.");
    await page.waitForFunction(() => document.querySelector("#translation").textContent !== "");
    await choose(model());
    await status("The vocabulary (.spm) is still missing");
  });

  test("a model of two vocabularies waits for both", async () => {
    const page = await open("yours.html");
    await choose(payload("model.enja.bin", withTwoVocabularies()), payload("trgvocab.enja.spm", golden("vocab.spm")));
    await status("A second vocabulary (.spm) is still missing");
    await choose(payload("srcvocab.enja.spm", golden("vocab.spm")));
    await status("model.enja.bin is in use: it translates English to Japanese.");
    await page.getByRole("gridcell", { name: /^cold/ }).first().waitFor();
  });

  test("what does not fit or is no model is told with its name, and the model before stays in use", async () => {
    const page = await open("yours.html");
    await choose(own("en-fr-transformer", "good.safetensors"));
    await status("good.safetensors is in use");
    const bad = Buffer.from(ours("en-fr-transformer"));
    bad[bad.indexOf('"embedding.weight"') + 1] = "E".charCodeAt(0);
    const cases = [
      [[payload("notes.txt", Buffer.from("Buy milk, bread and butter."))], /notes\.txt is not a model/],
      [[payload("empty.spm", Buffer.alloc(0))], /empty\.spm is empty/],
      [[payload("cut.safetensors", ours("en-fr-dot").subarray(0, 1e6))], /cut\.safetensors is damaged/],
      [[payload("odd.safetensors", bad)], /odd\.safetensors cannot be used[\s\S]*What exactly happened/],
      [[payload("broken.bin.gz", gzipSync(golden("model.bin")).subarray(0, 9000))], /broken\.bin\.gz is damaged/],
      [[model(), payload("other.spm", vocabularyOf(ours("en-fr-dot")))], /other\.spm belongs to another model[\s\S]*4,000 words[\s\S]*240/],
    ];
    for (const [files, says] of cases) {
      await choose(...files);
      await page.getByRole("alert").filter({ hasText: says }).waitFor();
      await soon.equal(() => page.getByRole("alert").count(), 1, String(says));
      await status("good.safetensors stays in use.");
      await text().fill("I am hungry.");
      await translates("J'ai faim.");
      await text().fill("");
    }
    // The weights of the last case are still there, so now what fits them.
    const wrong = Buffer.from(golden("lex.bin"));
    wrong.writeBigUInt64LE(200n, 32);
    await setLanguages("en", "fr");
    await choose(vocabulary());
    await status("model.bin is in use");
    await choose(payload("wrong-lex.bin", wrong));
    await page.getByRole("alert").filter({ hasText: "wrong-lex.bin belongs to another model." }).waitFor();
    await status("model.bin stays in use.");
    const lists = Buffer.from(golden("lex.bin"));
    lists.writeUInt32LE(100_000, lists.length - 4);
    await choose(payload("bad-lex.bin", lists));
    await page.getByRole("alert").filter({ hasText: "bad-lex.bin cannot be used." }).waitFor();
    await soon.deepEqual(() => page.locator("#given li b").allInnerTexts(), ["model.bin", "vocab.spm"]);
  });

  test("who has no model takes one of ours", async () => {
    visit.server.answers.set(/additive.*safetensors$/, (response) => response.writeHead(404).end());
    visit.expected = /404/;
    const page = await open("yours.html");
    await page.getByRole("button", { name: "Take one of ours" }).click();
    await soon.match(() => page.getByRole("alert").innerText(), /en-fr-additive\.safetensors could not be downloaded/);
    visit.server.answers.clear();
    await page.getByRole("button", { name: "Take one of ours" }).click();
    await status("en-fr-additive.safetensors is in use: it translates English to French.");
    await soon.equal(() => page.getByRole("alert").count(), 0);
    await page.getByRole("gridcell", { name: /^cold to froid/ }).waitFor();
    await soon.equal(() => fact("File"), "en-fr-additive.safetensors, 2.7 MB");
  });

  test("ours comes with its progress, and can be cancelled; files that come meanwhile are used", async () => {
    visit.server.answers.set(/additive.*safetensors$/, (response) => {
      response.writeHead(200, { "content-length": 2_674_358 });
      response.write(Buffer.alloc(1_200_000));
    });
    const page = await open("yours.html");
    await page.getByRole("button", { name: "Take one of ours" }).click();
    await page.getByRole("progressbar", { name: /^Fetching en-fr-additive\.safetensors, 4\d %$/ }).waitFor();
    await choose(payload("dot.safetensors", ours("en-fr-dot")));
    await status("dot.safetensors is in use: it translates English to French.");
    await page.getByRole("button", { name: "Cancel" }).click();
    await status("Cancelled. dot.safetensors stays in use.");
    await soon.equal(() => page.evaluate(() => document.activeElement.id), "sample");
    await soon.equal(() => page.getByRole("progressbar").count(), 0);
    await soon.equal(() => page.getByRole("alert").count(), 0);
  });

  test("after a crash the next text is translated, and the trouble is told once", async () => {
    const page = await open("yours.html");
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (request, ...rest) {
        // As if its engine had torn it down.
        if (request?.text === "crash") this.dispatchEvent(new ErrorEvent("error", { message: "torn down", cancelable: true }));
        else postMessage.call(this, request, ...rest);
      };
    });
    await choose(payload("dot.safetensors", ours("en-fr-dot")));
    await status("dot.safetensors is in use: it translates English to French.");
    for (const word of ["crash", "I am hungry.", "crash", "I am late."]) {
      await text().fill(word);
      if (word === "crash") await page.getByRole("alert").waitFor();
      else await soon.notEqual(() => page.locator("#translation").innerText(), "");
    }
    await soon.equal(() => page.getByRole("alert").count(), 1);
  });

  test("what was given is there in the other language, too, and nowhere else", async () => {
    const kept = () => visit.page.evaluate(() => caches.has("softalign-given"));
    const page = await open("yours.html");
    await choose(payload("model.enfr.bin", golden("model.bin")), vocabulary(), shortlist());
    await status("model.enfr.bin is in use: it translates English to French.");
    await setLanguages("en", "pt");
    await status("model.enfr.bin is in use: it translates English to Portuguese.");
    await soon.notEqual(() => page.locator("#translation").innerText(), "");
    const before = await page.locator("#translation").innerText();
    await text().fill("Where did you buy this book?");
    await soon.notEqual(() => page.locator("#translation").innerText(), before);
    const translation = await page.locator("#translation").innerText();
    await page.getByRole("link", { name: "Français" }).click();
    await status("model.enfr.bin est en service (traduction : anglais → portugais).");
    await soon.equal(() => text().inputValue(), "Where did you buy this book?");
    await translates(translation);
    await soon.equal(() => page.locator("#given li").count(), 3);
    await soon.equal(kept, false);
    // Without anything given, and in another tab, there is nothing to take back.
    await page.getByRole("button", { name: "Oublier ces fichiers" }).click();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Bring your own model" }).waitFor();
    await page.evaluate(async (bytes) => {
      const form = new FormData();
      form.append("file", new File([Uint8Array.from(bytes)], "another-tab.spm"));
      await (await caches.open("softalign-given")).put("./given", new Response(form));
    }, [...golden("vocab.spm")]);
    await page.reload();
    await soon.equal(kept, false);
    await choose(model());
    await status("The vocabulary (.spm) is still missing");
  });

  test("a file that is too large is not read", async () => {
    const page = await open("yours.html");
    await page.evaluate(() => {
      const million = new Uint8Array(1e6);
      const transfer = new DataTransfer();
      transfer.items.add(new File(Array(257).fill(million), "huge.npz"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    });
    await soon.match(() => page.getByRole("alert").innerText(), /huge\.npz is too large[\s\S]*256 MB/);
    await choose(own("en-fr-dot"));
    await status("en-fr-dot.safetensors is in use");
  });

  test("models that do not translate are shown, with the page where one like it works; without attention there is no picture", async () => {
    const page = await open("yours.html");
    await choose(own("en-tagger"));
    await status("What is in en-tagger.safetensors stands below.");
    await soon.match(() => page.locator("#only-shown").innerText(), /labels words.*on the page Other uses\./);
    await soon.equal(() => page.locator("#only-shown a").getAttribute("href"), "./uses.html");
    await soon.equal(() => fact("Architecture"), "tagger");
    await soon.ok(() => page.locator("#use").isHidden());
    const header = Buffer.from(JSON.stringify({ w: { dtype: "F32", shape: [1, 2], data_offsets: [0, 8] } }));
    const size = Buffer.alloc(8);
    size.writeBigUInt64LE(BigInt(header.length));
    await choose(payload("foreign.safetensors", Buffer.concat([size, header, Buffer.alloc(8)])));
    await status("What is in foreign.safetensors stands below.");
    await soon.match(() => page.locator("#only-shown").innerText(), /no model of softalign’s/);
    await choose(own("en-fr-plain"));
    await status("en-fr-plain.safetensors is in use");
    await page.getByText("This model has no attention").waitFor();
    await soon.ok(() => page.locator("alignment-grid").isHidden());
    await text().fill("x".repeat(1001));
    await page.getByText("This text has 1,001 characters").waitFor();
  });

  test("with the keyboard alone", async () => {
    const page = await open("yours.html");
    // Listened for early: Playwright does not wait until the browser hands dialogs over.
    const opened = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Dark" }).focus();
    await page.keyboard.press("Tab");
    await soon.ok(() => page.getByLabel("Choose files").evaluate((input) => input === document.activeElement));
    await page.keyboard.press("Space");
    await (await opened).setFiles([model(), vocabulary()]);
    await status("which languages does it translate?");
    await page.keyboard.press("Tab");
    await soon.ok(() => page.getByRole("button", { name: "Take one of ours" }).evaluate((button) => button === document.activeElement));
    await page.keyboard.press("Tab");
    await page.keyboard.type("en");
    await page.keyboard.press("Tab");
    await page.keyboard.type("fr");
    await page.keyboard.press("Enter");
    await status("model.bin is in use: it translates English to French.");
  });

  test("axe finds nothing: light, dark, phone; nothing sticks out", async () => {
    const phone = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
    for (const [name, view] of Object.entries({ light: {}, dark: { colorScheme: "dark" }, phone, wide: { viewport: { width: 1920, height: 1080 } } })) {
      const page = await open("uses.html", view);
      await page.getByRole("link", { name: "Your model" }).click();
      await page.getByRole("heading", { name: "Bring your own model" }).waitFor();
      await page.screenshot({ path: `${artifacts}yours-${name}-empty.png`, fullPage: true });
      await choose(own("en-fr-transformer"));
      await page.getByRole("gridcell").first().waitFor();
      await page.getByText(/^All \d+ tensors$/).click();
      await visit.sound();
      await page.screenshot({ path: `${artifacts}yours-${name}.png`, fullPage: true });
      await choose(payload("vocab.spm", golden("vocab.spm")), payload("notes.txt", Buffer.from("Buy milk, bread and butter.")), model());
      await page.getByRole("alert").waitFor();
      assert.deepEqual(await visit.noticed(), [], name);
      await visit.sound();
      await page.screenshot({ path: `${artifacts}yours-${name}-trouble.png`, fullPage: true });
    }
  });
});
