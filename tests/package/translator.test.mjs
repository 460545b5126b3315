import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
let installed, softalign, Translator, translator;

before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
  ({ Translator } = softalign);
  softalign.setModelBase(hosted); // for what the package does not carry
  translator = await Translator.create(enFr);
});
after(async () => {
  translator?.destroy();
  await installed?.remove();
});

const row = ({ attention, sourceTokens }, t) => attention.subarray(t * sourceTokens.length, (t + 1) * sourceTokens.length);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const texts = (tokens) => tokens.map(({ text }) => text);

/** What holds of every explanation. */
function check(explanation, source) {
  const { sourceTokens, targetTokens, attention, confidence, translation, score } = explanation;
  assert.equal(explanation.source, source);
  for (const [text, tokens] of [[source, sourceTokens], [translation, targetTokens]]) {
    let last = 0;
    for (const { text: token, start, end } of tokens) {
      assert.ok(last <= start && start <= end && end <= text.length, `${last} <= ${start} <= ${end}`);
      assert.equal(text.slice(start, end), token);
      if (tokens.length) assert.match(text.slice(last, start), /^[^\p{L}\p{N}]*$/u, "no word is without a token");
      last = end;
    }
    if (tokens.length) assert.match(text.slice(last), /^[^\p{L}\p{N}]*$/u);
  }
  assert.ok(attention.every((weight) => weight >= 0 && weight <= 1.0001));
  assert.equal(attention.length, sourceTokens.length * targetTokens.length);
  assert.equal(confidence.length, targetTokens.length);
  assert.ok(confidence.every((p) => p >= 0 && p <= 1.0001));
  assert.ok(score <= 0);
}

describe("create", () => {
  test("says what can be translated", async () => {
    assert.equal(await Translator.availability(enFr), "available");
    assert.equal(await Translator.availability({ sourceLanguage: "en-GB", targetLanguage: "FR" }), "available");
    assert.equal(await Translator.availability({ sourceLanguage: "fr", targetLanguage: "en" }), "unavailable");
    for (const method of ["availability", "create"]) {
      for (const tag of ["?", "", "e", "en_US", "en-", "toolonglanguage", 5, null]) {
        await assert.rejects(Translator[method]({ sourceLanguage: tag, targetLanguage: "fr" }), RangeError, `${method} ${tag}`);
        await assert.rejects(Translator[method]({ sourceLanguage: "en", targetLanguage: tag }), RangeError, `${method} ${tag}`);
      }
      for (const pair of [undefined, {}, { sourceLanguage: "en" }, { targetLanguage: "fr" }]) {
        await assert.rejects(Translator[method](pair), TypeError);
      }
    }
  });

  test("names its languages and model", async () => {
    const british = await Translator.create({ sourceLanguage: "EN-gb", targetLanguage: "fr-latn-fr", model: "en-fr-additive" });
    assert.deepEqual([british.sourceLanguage, british.targetLanguage, british.model], ["en-GB", "fr-Latn-FR", "en-fr-additive"]);
    assert.match(await british.translate("I am cold."), /froid/);
    british.destroy();
  });

  test("refuses other pairs", async () => {
    await assert.rejects(Translator.create({ sourceLanguage: "fr", targetLanguage: "en" }), (error) => {
      assert.ok(error instanceof softalign.SoftalignError && error instanceof DOMException && error instanceof Error);
      assert.equal(error.name, "NotSupportedError");
      assert.equal(error.code, "unavailable");
      assert.match(error.stack, /no model translates fr to en/);
      return true;
    });
  });

  test("takes the id of any model", async () => {
    for (const [model, attentive] of [["en-fr-dot", true], ["en-fr-plain", false]]) {
      const own = await Translator.create({ ...enFr, model });
      const { translation, attention, targetTokens, confidence } = await own.explain("I am cold.");
      assert.match(translation, /froid/);
      assert.equal(attention !== null, attentive, model);
      assert.equal(confidence.length, targetTokens.length);
      own.destroy();
    }
    await assert.rejects(Translator.create({ ...enFr, model: "en-fr-none" }), { code: "argument", message: /en-fr-transformer, en-fr-additive, en-fr-dot, en-fr-plain/ });
  });

  test("takes an address or bytes, and checks them against the pair", async () => {
    const path = new URL("en-fr-transformer.safetensors", hosted);
    const bytes = await readFile(path);
    const expected = await translator.translate("I am cold.");
    const { File } = await import("node:buffer");
    const file = new File([bytes], "my model.safetensors");
    for (const model of [path, path.href, new Uint8Array(bytes), new Uint8Array(bytes).buffer, file, new Blob([bytes]), gzipSync(bytes)]) {
      const own = await Translator.create({ ...enFr, model });
      if (model === file) assert.equal(own.model, "my model.safetensors");
      assert.equal(await own.translate("I am cold."), expected);
      own.destroy();
    }
    await assert.rejects(Translator.create({ ...enFr, model: gzipSync(bytes).subarray(0, 1000) }), { code: "format", message: /^bytes: its gzip compression is broken$/ });
    await assert.rejects(Translator.create({ sourceLanguage: "de", targetLanguage: "fr", model: bytes }), {
      code: "unavailable",
      message: "model bytes translates en to fr, not de to fr",
    });
    await assert.rejects(Translator.create({ ...enFr, model: new File(["no model"], "notes.txt") }), { code: "format", message: /^model notes\.txt: / });
  });

  test("tells the monitor the progress, from 0 to 1", async () => {
    const seen = [];
    const own = await Translator.create({
      ...enFr,
      monitor: (m) => m.addEventListener("downloadprogress", ({ loaded }) => seen.push(loaded)),
    });
    own.destroy();
    assert.equal(seen.at(0), 0);
    assert.equal(seen.at(-1), 1);
    assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  });

  test("rejects with what a listener of the end throws, and keeps no model", async () => {
    const { handles } = softalign.engineStatus();
    const monitor = (m) => {
      m.ondownloadprogress = ({ loaded }) => {
        if (loaded === 1) throw new Error("mine");
      };
    };
    // A model that nobody else has open.
    await assert.rejects(Translator.create({ ...enFr, model: "en-fr-dot", monitor }), { message: "mine" });
    assert.equal(softalign.engineStatus().handles, handles);
  });

  test("rejects with what its monitor throws", async () => {
    const thrown = new RangeError("mine");
    const monitor = () => {
      throw thrown;
    };
    await assert.rejects(Translator.create({ ...enFr, monitor }), (error) => error === thrown);
    // even where nothing can be translated
    await assert.rejects(Translator.create({ sourceLanguage: "und", targetLanguage: "und", monitor }), (error) => error === thrown);
  });

  test("stops when aborted, before and while loading", async () => {
    const { handles } = softalign.engineStatus();
    const reason = new Error("mine");
    await assert.rejects(Translator.create({ ...enFr, signal: AbortSignal.abort(reason) }), (error) => error === reason);
    const controller = new AbortController();
    const pending = Translator.create({ ...enFr, signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(pending, (error) => error === reason);
    await assert.rejects(Translator.create({ ...enFr, signal: AbortSignal.abort() }), { name: "AbortError" });
    assert.equal(softalign.engineStatus().handles, handles);
  });

  test("tells no progress once it was aborted, not even from inside a listener", async () => {
    const { handles } = softalign.engineStatus();
    for (const last of [0, 1]) {
      const controller = new AbortController();
      const seen = [];
      const monitor = (m) =>
        m.addEventListener("downloadprogress", ({ loaded }) => {
          seen.push(loaded);
          if (loaded === last) controller.abort();
        });
      await assert.rejects(Translator.create({ ...enFr, signal: controller.signal, monitor }), { name: "AbortError" });
      assert.equal(seen.at(-1), last);
      await new Promise((done) => setTimeout(done, 50));
      assert.equal(seen.at(-1), last);
    }
    assert.equal(softalign.engineStatus().handles, handles);
  });

  test("with a signal makes a translator that ends with it, for that reason", async () => {
    const { handles } = softalign.engineStatus();
    const controller = new AbortController();
    const own = await Translator.create({ ...enFr, signal: controller.signal });
    assert.match(await own.translate("I am cold."), /froid/);
    const pending = [own.translate("I am cold. ".repeat(100)), own.measureInputUsage("a"), own.explain("a"), own.align("a", "b")];
    const stream = own.translateStreaming("I am cold.");
    const reason = new Error("mine");
    controller.abort(reason);
    assert.equal(softalign.engineStatus().handles, handles);
    const all = [...pending, own.translate("a"), own.measureInputUsage("a"), stream.pipeTo(new WritableStream())];
    for (const settled of await Promise.allSettled(all)) assert.equal(settled.reason, reason);
    own.destroy(); // once is enough: the reason stays
    await assert.rejects(own.translate("a"), (error) => error === reason);
    const destroyed = await Translator.create({ ...enFr, signal: AbortSignal.timeout(1e6) });
    destroyed.destroy();
    await assert.rejects(destroyed.translate("a"), { name: "AbortError", code: "destroyed" });
  });
});

describe("a model from a server", () => {
  let server, base, bytes;
  before(async () => {
    bytes = await installed.read("dist/models/en-fr-transformer.safetensors");
    const routes = {
      "/model": (response) => response.writeHead(200, { "content-length": bytes.length }).end(bytes),
      "/page": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Not found</title>"),
      "/gone": (response) => response.writeHead(410).end(),
      "/cut": (response) => {
        response.writeHead(200, { "content-length": bytes.length });
        response.write(bytes.subarray(0, 5000), () => response.destroy());
      },
    };
    server = createServer((request, response) => routes[request.url](response));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  test("works, with progress on the way", async () => {
    const seen = [];
    const monitor = (m) => m.addEventListener("downloadprogress", ({ loaded }) => seen.push(loaded));
    const own = await Translator.create({ ...enFr, model: `${base}/model`, monitor });
    assert.equal(own.model, `${base}/model`);
    assert.equal(await own.translate("I am cold."), await translator.translate("I am cold."));
    own.destroy();
    assert.ok(seen.length > 2, `only ${seen}`);
    assert.deepEqual([seen.at(0), seen.at(-1)], [0, 1]);
    assert.deepEqual(seen, [...new Set(seen)].sort((a, b) => a - b));
  });

  test("that fails is named with its address and status", async () => {
    await assert.rejects(Translator.create({ ...enFr, model: `${base}/gone` }), {
      name: "NetworkError",
      code: "network",
      message: `could not download ${base}/gone: 410 Gone`,
    });
    await assert.rejects(Translator.create({ ...enFr, model: `${base}/cut` }), { code: "network", message: /\/cut: / });
    await assert.rejects(Translator.create({ ...enFr, model: `${base}/page` }), { code: "format", message: /^model http.*\/page: / });
  });
});

describe("translate", () => {
  test("translates", async () => {
    assert.match(await translator.translate("I am cold."), /froid/);
    assert.match(await translator.translate("I am cold.", { beam: 4 }), /froid/);
  });

  test("gives blank text back, and text without words", async () => {
    for (const text of ["", " ", "\n\t\r\n  ", "…", "🙂", "\u0000\u0001\u0007", "-- * --"]) {
      assert.equal(await translator.translate(text), text);
    }
  });

  test("keeps white space and line breaks between sentences", async () => {
    const [cold, hungry] = [await translator.translate("I am cold."), await translator.translate("I am hungry.")];
    assert.equal(
      await translator.translate("  I am cold.\r\n\r\n\tI am hungry.  I am cold.\n🙂\n"),
      `  ${cold}\r\n\r\n\t${hungry}  ${cold}\n🙂\n`,
    );
  });

  test("checks its arguments", async () => {
    await assert.rejects(translator.translate(3), { code: "argument", message: /number/ });
    await assert.rejects(translator.translate(), { code: "argument" });
    await assert.rejects(translator.translate([, "a"]), { code: "argument", message: "texts[0] is of type undefined, expected a string" });
    for (const [options, message] of [
      [null, "options is null, expected an object"], ["x", "options is x, expected an object"], [{ signal: 5 }, "signal is 5, expected an AbortSignal"],
      [{ signal: { aborted: true } }, /^signal is .*, expected an AbortSignal$/], [{ glossary: null }, /^glossary is null, /], [{ glossary: 5 }, /^glossary is 5, /],
    ]) {
      for (const method of ["translate", "explain", "nBest"]) await assert.rejects(translator[method]("a", options), { code: "argument", message });
    }
    for (const method of ["explain", "nBest"]) await assert.rejects(translator[method]("a", { html: true }), { code: "argument", message: /^html is given, expected none/ });
    for (const [options, message] of [
      [{ model: null }, "model is null, expected an id, a URL, bytes or a File"], [{ monitor: 5 }, "monitor is 5, expected a function"],
      [{ signal: {} }, /^signal is /], [{ worker: "yes" }, 'worker is "yes", expected true or false'], [{ maxLengthFactor: 0 }, /^maxLengthFactor is 0, /],
      [{ maxLengthFactor: "2" }, /^maxLengthFactor is 2, /], [{ model: "./mine.safetensors" }, /pathToFileURL/],
    ]) {
      await assert.rejects(Translator.create({ sourceLanguage: "en", targetLanguage: "fr", ...options }), { code: "argument", message });
    }
    for (const beam of [0, 17, 1.5, "4", NaN]) {
      await assert.rejects(translator.translate("a", { beam }), { code: "argument", message: /beam/ });
    }
  });

  test("can be aborted in the middle, with the reason as it was given", async () => {
    const reason = { why: "typed on" };
    await assert.rejects(translator.translate("a", { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    const controller = new AbortController();
    const pending = translator.translate("I am cold. ".repeat(5000), { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 30);
    const start = performance.now();
    await assert.rejects(pending, (error) => error === reason);
    assert.ok(performance.now() - start < 5000);
  });

  test("lets other things happen between sentences", async () => {
    let ticks = 0;
    const timer = setInterval(() => ++ticks, 1);
    await translator.translate("I am cold. ".repeat(100));
    clearInterval(timer);
    assert.ok(ticks >= 20, `${ticks} ticks`);
  });

  test("serves several at once", async () => {
    const all = ["I am cold.", "You are right.", "He sleeps."];
    const together = await Promise.all(all.map((text) => translator.translate(text)));
    for (const [i, text] of all.entries()) assert.equal(together[i], await translator.translate(text));
  });
});

describe("explain", () => {
  const text = "I am cold, but I don't want to go home yet.";

  test("says the same as translate", async () => {
    const { translation } = await translator.explain(text);
    assert.equal(translation, await translator.translate(text));
    assert.equal((await translator.explain(text, { beam: 4 })).translation, await translator.translate(text, { beam: 4 }));
  });

  test("by words, unless asked for pieces", async () => {
    const words = await translator.explain(text);
    check(words, text);
    assert.deepEqual(texts(words.sourceTokens), ["I", "am", "cold", ",", "but", "I", "don't", "want", "to", "go", "home", "yet", "."]);
    const pieces = await translator.explain(text, { level: "piece" });
    check(pieces, text);
    assert.ok(pieces.sourceTokens.length >= words.sourceTokens.length);
    assert.ok(Math.abs(words.score - pieces.score) < 1e-6);
    await assert.rejects(translator.explain(text, { level: "letter" }), { code: "argument", message: /letter/ });
  });

  test("pieces have their numbers in the vocabulary, as SentencePiece's own spm_encode has them", async () => {
    const ids = (tokens) => tokens.map(({ id }) => id);
    const [english, french] = [[384, 109, 9, 623, 77, 528, 18], [414, 135, 7, 80, 1008, 47, 554, 19]];
    const book = "Where did you buy this book?";
    const told = await translator.explain(`${book} ${book}`, { level: "piece" });
    assert.equal(told.translation, "Où as-tu acheté ce livre ? Où as-tu acheté ce livre ?");
    assert.deepEqual(ids(told.sourceTokens), [...english, ...english]);
    assert.deepEqual(ids(told.targetTokens), [...french, ...french]);
    const ended = await translator.align(book, "Où as-tu acheté ce livre ?", { level: "piece", special: true });
    assert.deepEqual([ids(ended.sourceTokens), ids(ended.targetTokens)], [[...english, 1], [...french, 1]]);
    for (const token of (await translator.explain(book)).sourceTokens) assert.ok(!("id" in token), "a word has none");
  });

  test("with all ends of sentences every row sums to 1", async () => {
    for (const level of ["piece", "word"]) {
      const explanation = await translator.explain(text, { level, special: true });
      assert.equal(explanation.targetTokens.at(-1).text, "");
      for (let t = 0; t < explanation.targetTokens.length; ++t) {
        assert.ok(Math.abs(sum(row(explanation, t)) - 1) < 1e-4, `${level} row ${t} sums to ${sum(row(explanation, t))}`);
      }
    }
  });

  test("puts sentences and what is between them in place", async () => {
    const source = "\t🙂 I am cold.\n\nI am hungry!  ";
    const explanation = await translator.explain(source);
    check(explanation, source);
    assert.equal(explanation.translation, await translator.translate(source));
    // No word of the second sentence looks into the first.
    const second = explanation.sourceTokens.findIndex(({ start }) => start > source.indexOf("\n"));
    const t = explanation.targetTokens.findIndex(({ start }) => start > explanation.translation.indexOf("\n"));
    assert.equal(sum(row(explanation, t).subarray(0, second)), 0);
  });

  test("of nothing is nothing", async () => {
    const explanation = await translator.explain("  \n");
    check(explanation, "  \n");
    assert.equal(explanation.translation, "  \n");
    assert.equal(explanation.attention.length, 0);
  });

  test("is plain data", async () => {
    const explanation = await translator.explain("I am cold.");
    assert.deepEqual(structuredClone(explanation), explanation);
  });

  test("keeps its arrays when the memory grows", async () => {
    const explanation = await translator.explain("I am cold.");
    const before = [...explanation.attention];
    const others = [];
    const { heapBytes } = softalign.engineStatus();
    const model = await readFile(new URL("en-fr-plain.safetensors", hosted));
    while (softalign.engineStatus().heapBytes === heapBytes && others.length < 50) {
      model[model.length - 1] = others.length; // so that it is another one each time
      others.push(await Translator.create({ ...enFr, model }));
    }
    assert.ok(softalign.engineStatus().heapBytes > heapBytes, "the memory grew");
    for (const other of others) other.destroy();
    assert.deepEqual([...explanation.attention], before);
  });
});

describe("align", () => {
  test("finds the word that a word translates", async () => {
    const explanation = await translator.align("I am cold.", "J'ai froid.");
    assert.equal(explanation.translation, "J'ai froid.");
    check(explanation, "I am cold.");
    const weights = row(explanation, texts(explanation.targetTokens).indexOf("froid"));
    assert.equal(explanation.sourceTokens[weights.indexOf(Math.max(...weights))].text, "cold");
  });

  test("prefers the right translation", async () => {
    const right = await translator.align("I am cold.", "J'ai froid.");
    const wrong = await translator.align("I am cold.", "Le chat dort.");
    assert.ok(right.score > wrong.score, `${right.score} > ${wrong.score}`);
  });

  test("takes the texts as they are", async () => {
    for (const [source, target] of [["", "J'ai"], ["I", ""], [" ", "\n"], ["  I am\t cold. ", "\nJ'ai  froid "], ["\ud800 I", "moi \udc00 🙂"]]) {
      const explanation = await translator.align(source, target, { level: "piece" });
      check(explanation, source);
      assert.equal(explanation.translation, target);
    }
  });

  test("refuses what is no sentence, at once", async () => {
    for (const long of ["word ".repeat(1100), "x".repeat(100_000)]) {
      await assert.rejects(translator.align(long, "mot"), { code: "argument", message: /^source has / });
      await assert.rejects(translator.align("word", long), { code: "argument", message: /^target has / });
    }
  });
});

describe("translateStreaming", () => {
  const text = "  I am cold. Where is my book?\n\nThe cat sleeps.  ";
  const chunksOf = async (stream) => {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };

  test("gives what translate gives, sentence by sentence", async () => {
    for (const each of [text, "", " \n", "\u0000", "I am cold."]) {
      const stream = translator.translateStreaming(each, { beam: 2 });
      assert.equal(Object.prototype.toString.call(stream), "[object ReadableStream]");
      assert.equal((await chunksOf(stream)).join(""), await translator.translate(each, { beam: 2 }));
    }
    const words = (await chunksOf(translator.translateStreaming(text))).filter((chunk) => chunk.trim() !== "");
    assert.equal(words.length, 3);
  });

  test("can be given up at any time", async () => {
    const reader = translator.translateStreaming("I am cold. ".repeat(100_000 / 11)).getReader();
    assert.deepEqual(await reader.read(), { done: false, value: await translator.translate("I am cold.") });
    await reader.cancel();
    assert.deepEqual(await reader.read(), { done: true, value: undefined });
  });

  test("ends with its signal's reason, and with an error of its options", async () => {
    const reason = new Error("mine");
    await assert.rejects(chunksOf(translator.translateStreaming(text, { signal: AbortSignal.abort(reason) })), (error) => error === reason);
    const controller = new AbortController();
    const reader = translator.translateStreaming(text, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort(reason);
    await assert.rejects(reader.read(), (error) => error === reason);
    await assert.rejects(chunksOf(translator.translateStreaming(text, { beam: 0 })), { code: "argument" });
    await assert.rejects(chunksOf(translator.translateStreaming(5)), { code: "argument" });
  });
});

describe("measureInputUsage", () => {
  test("counts pieces, of which there may be any number", async () => {
    assert.equal(translator.inputQuota, Infinity);
    assert.equal(await translator.measureInputUsage(" \n\u0001"), 0);
    const once = await translator.measureInputUsage("I am cold.");
    assert.ok(once >= 4 && once <= 10, String(once));
    assert.equal(await translator.measureInputUsage("I am cold. I am cold.\n"), 2 * once);
  });

  test("can be aborted", async () => {
    const reason = new Error("mine");
    await assert.rejects(translator.measureInputUsage("a", { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    const controller = new AbortController();
    const pending = translator.measureInputUsage("a", { signal: controller.signal });
    controller.abort(reason);
    await assert.rejects(pending, (error) => error === reason);
  });
});

describe("destroy", () => {
  test("twice is fine, use afterwards is not", async () => {
    const { handles } = softalign.engineStatus();
    const own = await Translator.create({ ...enFr, model: "en-fr-plain" });
    assert.equal(softalign.engineStatus().handles, handles + 1);
    own.destroy();
    own.destroy();
    own[Symbol.dispose]();
    assert.equal(softalign.engineStatus().handles, handles);
    const uses = [
      () => own.translate("a"),
      () => own.translate(""),
      () => own.explain("a"),
      () => own.align("a", "b"),
      () => own.measureInputUsage("a"),
      () => own.translateStreaming("a").getReader().read(),
    ];
    for (const use of uses) await assert.rejects(use(), { name: "AbortError", code: "destroyed" });
  });

  test("ends what is running", async () => {
    const own = await Translator.create(enFr);
    const pending = own.translate("I am cold. ".repeat(1000));
    setTimeout(() => own.destroy(), 20);
    await assert.rejects(pending, { name: "AbortError", code: "destroyed" });
    const other = await Translator.create(enFr);
    const all = [other.translate("a"), other.measureInputUsage("a"), other.translateStreaming("a").pipeTo(new WritableStream())];
    other.destroy();
    for (const { reason } of await Promise.allSettled(all)) assert.equal(reason?.name, "AbortError");
  });

  test("gives the memory to the next one", async () => {
    const once = async (model) => {
      const own = await Translator.create({ ...enFr, model });
      await own.translate("Hi.");
      own.destroy();
    };
    // In turns, so that one leaves room of another size than the next one needs.
    const models = ["en-fr-plain", "en-fr-additive", "en-fr-dot"];
    for (const model of models) await once(model);
    const { heapBytes } = softalign.engineStatus();
    for (let i = 0; i < 1000; ++i) await once(models[i % 3]);
    assert.equal(softalign.engineStatus().heapBytes, heapBytes);
  });
});

describe("equal weights", () => {
  test("are in memory once, wherever they come from", async () => {
    const { handles, heapBytes } = softalign.engineStatus();
    const path = new URL("en-fr-transformer.safetensors", hosted);
    const bytes = await readFile(path);
    const sources = [undefined, "en-fr-transformer", path, bytes, new Blob([bytes])];
    const same = await Promise.all(Array.from({ length: 20 }, (_, i) => Translator.create({ ...enFr, model: sources[i % 5] })));
    assert.deepEqual(softalign.engineStatus(), { handles, heapBytes });
    const first = same.pop();
    for (const other of same) other.destroy();
    assert.match(await first.translate("I am cold."), /froid/);
    first.destroy();
    first.destroy();
    assert.equal(softalign.engineStatus().handles, handles);
    assert.match(await translator.translate("I am cold."), /froid/);
  });

  test("are shared by who asks for them at the same time, even if one of them gives up", async () => {
    const { handles } = softalign.engineStatus();
    const controller = new AbortController();
    const model = "en-fr-plain";
    const [given, up] = [Translator.create({ ...enFr, model }), Translator.create({ ...enFr, model, signal: controller.signal })];
    controller.abort();
    await assert.rejects(up, { name: "AbortError" });
    const own = await given;
    await own.translate("I am cold.");
    assert.equal(softalign.engineStatus().handles, handles + 1);
    own.destroy();
    assert.equal(softalign.engineStatus().handles, handles);
  });

  test("are forgotten if they are no model", async () => {
    const bytes = new Uint8Array(100);
    for (const create of [1, 2]) {
      const both = [Translator.create({ ...enFr, model: bytes }), Translator.create({ ...enFr, model: bytes })];
      for (const { reason } of await Promise.allSettled(both)) assert.equal(reason?.code, "format", String(create));
    }
  });
});

describe("a crash of the engine", () => {
  const { charCodeAt } = String.prototype;
  before(() => {
    // What a trap looks like from outside: something thrown in the middle of a call.
    String.prototype.charCodeAt = function (index) {
      if (String(this) === "Crash.") throw new WebAssembly.RuntimeError("unreachable");
      return charCodeAt.call(this, index);
    };
  });
  after(() => (String.prototype.charCodeAt = charCodeAt));
  const crash = (own) => assert.rejects(own.translate("Crash."), { name: "OperationError", code: "internal", message: /unreachable/ });

  test("rejects the call, and the next one works, in all translators", async () => {
    const expected = await translator.translate("I am cold.");
    const path = new URL("en-fr-transformer.safetensors", hosted);
    const bytes = await readFile(path);
    for (const model of [undefined, path, bytes, new Blob([bytes])]) {
      const own = await Translator.create({ ...enFr, model });
      await crash(own);
      assert.equal(await own.translate("I am cold."), expected);
      assert.equal(await translator.translate("I am cold."), expected);
      assert.equal(softalign.engineStatus().handles, 1, "the model is opened once for all");
      own.destroy();
    }
    await crash(translator);
    await Promise.all([translator.translate("a"), translator.explain("b"), translator.align("c", "d")]);
    assert.equal(softalign.engineStatus().handles, 1);
  });

  test("is over when the model can be had again", async () => {
    const bytes = await installed.read("dist/models/en-fr-transformer.safetensors");
    const answers = [bytes, undefined, bytes];
    const server = createServer((request, response) => {
      const answer = answers.shift();
      response.writeHead(answer ? 200 : 503).end(answer);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const own = await Translator.create({ ...enFr, model: `http://127.0.0.1:${server.address().port}/model` });
    await crash(own);
    await assert.rejects(own.translate("I am cold."), { code: "network", message: /503/ });
    assert.match(await own.translate("I am cold."), /froid/);
    own.destroy();
    server.closeAllConnections();
    server.close();
  });

  test("can be followed by destroy()", async () => {
    const own = await Translator.create(enFr);
    await crash(own);
    const pending = own.translate("I am cold.");
    await new Promise(setImmediate); // it is being opened
    own.destroy();
    await assert.rejects(pending, { name: "AbortError", code: "destroyed" });
    await translator.translate("I am cold.");
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(softalign.engineStatus().handles, 1);
  });
});

describe("hostile text", () => {
  const hostile = {
    "lone surrogates": "\ud800a\udc00 I am \udfff cold \ud83d",
    emoji: "I 🙂 you 👩‍👩‍👧‍👦 and 🇫🇷!",
    "control characters": "I\u0000am\u0001\u001b[31mcold\u007f\u0085\u2028now",
    "unknown scripts": "你好世界。 Привет мир. שלום עולם. ᚠᛇᚻ 𒀀𒁀",
    "combining marks": "a\u0300".repeat(50) + "e" + "\u0301".repeat(500),
    "zero width and bidi": "\u200b\u202eI am\u2066 cold\ufeff\u200d.",
    "one long word": "a".repeat(250),
    "a long sentence": "and then he said that ".repeat(60),
    "characters that normalisation spells out": "\ufdfa".repeat(60),
    digits: "1234567890".repeat(30),
    brackets: "(a".repeat(120),
    markup: "<b>I am</b> &amp; cold <script>alert(1)</script>",
  };
  for (const [name, text] of Object.entries(hostile)) {
    test(`is translated and explained: ${name}`, async () => {
      const translation = await translator.translate(text);
      assert.equal(translation, translation.replace(/\p{Surrogate}/gu, ""), "well formed");
      // At most 1.5 pieces of 16 characters for each of the text's pieces, which are some 18 for the
      // worst of characters, and 10 more for each part.
      const pieces = text.length * (text.includes("\ufdfa") ? 18 : 1);
      assert.ok(translation.length <= 16 * (2 * pieces + 10), `${translation.length} characters`);
      const explanation = await translator.explain(text, { level: "piece" });
      check(explanation, text);
      assert.equal(explanation.translation, translation);
    });
  }

  test("cannot ask for a matrix that fills the memory, and hears so at once", async () => {
    const start = performance.now();
    for (const text of ["a b. ".repeat(3000), "a".repeat(1_000_000)]) {
      await assert.rejects(translator.explain(text), { code: "argument", message: /^text has / });
    }
    assert.ok(performance.now() - start < 5000);
  });

  test("of 100,000 characters comes back, or can be aborted at any time", async () => {
    for (const nothing of [" ", "\n", "🙂", "\ud800", "\u0000", "-", "1"]) {
      const text = nothing.repeat(100_000 / nothing.length);
      assert.equal(await translator.translate(text), text);
    }
    for (const something of ["a", "I am cold. ", "字", "a (", "a\n", "\ufdfa"]) {
      const text = something.repeat(100_000 / something.length);
      await assert.rejects(translator.translate(text, { signal: AbortSignal.timeout(300) }), { name: "TimeoutError" });
    }
  });
});
