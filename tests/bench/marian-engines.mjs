// What tests/bench/marian.mjs compares, in whatever runs JavaScript: each opens a model of bytes and answers with what translates
// a list of texts, and with how large its memory is.

/** Both cut translations off at as many pieces as the source has. */
const maxLengthFactor = 1;

/** `dist` is the address of the built package's index.js. */
export async function openSoftalign({ weights, vocabulary, shortlist }, { dist }) {
  const { Translator, engineStatus } = await import(dist);
  const languages = { sourceLanguage: "en", targetLanguage: "fr" };
  const translator = await Translator.create({ ...languages, maxLengthFactor, worker: false, model: { weights, vocabulary, shortlist } });
  return {
    translate: (texts) => translator.translate(texts.length === 1 ? texts[0] : texts),
    heap: () => engineStatus().heapBytes,
  };
}

const products = [
  "prepare_a", "prepare_b", "prepare_b_from_transposed", "prepare_b_from_quantized_transposed", "prepare_bias", "multiply_and_add_bias", "select_columns_of_b",
];
const fallback = (name) => `int8${name.split("_").map((part) => part[0].toUpperCase() + part.slice(1)).join("")}Fallback`;

/** `glue` and `wasm` are the two files of Bergamot's worker. Its integer products are the portable ones that it brings. */
export async function openBergamot({ weights, vocabulary, shortlist }, { glue, wasm, precision }) {
  let memory;
  const module = await new Promise((resolve, reject) => {
    const Module = {
      instantiateWasm(imports, done) {
        memory = imports.env.memory;
        let exports;
        const gemm = Object.fromEntries(products.map((name) => [`int8_${name}`, (...args) => exports[fallback(name)](...args)]));
        WebAssembly.instantiate(wasm, { ...imports, wasm_gemm: gemm }).then(({ instance }) => {
          exports = instance.exports;
          done(instance);
        }, reject);
        return {};
      },
      onRuntimeInitialized: () => resolve(Module),
    };
    globalThis.Module = Module;
    (0, eval)(glue.replace(/^var Module\s*=[^;]*;/m, "var Module = globalThis.Module;"));
  });
  const aligned = (bytes, alignment) => {
    const copy = new module.AlignedMemory(bytes.length, alignment);
    copy.getByteArrayView().set(bytes);
    return copy;
  };
  const vocabularies = new module.AlignedMemoryList();
  vocabularies.push_back(aligned(vocabulary, 64));
  const options = {
    "beam-size": 1, normalize: 1, "word-penalty": 0, "max-length-break": 128, "mini-batch-words": 1024, workspace: 128, "max-length-factor": maxLengthFactor,
    "skip-cost": true, "cpu-threads": 0, quiet: true, "quiet-translation": true, "gemm-precision": precision, alignment: "soft",
  };
  const yaml = Object.entries(options).map(([name, value]) => `${name}: ${value}\n`).join("");
  const service = new module.BlockingService({ cacheSize: 0 });
  const translation = new module.TranslationModel(yaml, aligned(weights, 256), aligned(shortlist, 64), vocabularies, null);
  return {
    translate(texts) {
      const input = new module.VectorString();
      const settings = new module.VectorResponseOptions();
      for (const text of texts) {
        input.push_back(text);
        settings.push_back({ qualityScores: false, alignment: false, html: false });
      }
      const responses = service.translate(translation, input, settings);
      const output = texts.map((_, i) => responses.get(i).getTranslatedText());
      for (const object of [input, settings, responses]) object.delete();
      return output;
    },
    heap: () => memory.buffer.byteLength,
  };
}

/** Milliseconds by `clock` for each batch size, after a round that is not counted. */
export async function measure(open, texts, batches, clock) {
  const started = performance.now();
  const { translate, heap } = await open();
  await translate(texts.slice(0, 1));
  const result = { cold: performance.now() - started };
  for (const size of batches) {
    const run = async () => {
      for (let i = 0; i < texts.length; i += size) await translate(texts.slice(i, i + size));
    };
    await run();
    const before = clock();
    await run();
    result[`batch ${size}`] = (clock() - before) / texts.length;
    result.heap ??= heap() / 2 ** 20;
  }
  return result;
}
