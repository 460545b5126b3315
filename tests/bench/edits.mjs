// How long a translation takes whose attention was edited, every head of it in the answer: what the page waits for after a click.
//
//   node tests/bench/edits.mjs [ROUNDS]
//
// The built package, the bundled model, one thread; median and slowest of the rounds.
import { performance } from "node:perf_hooks";

const rounds = Number(process.argv[2] ?? 31);
const { Translator } = await import(new URL("../../dist/index.js", import.meta.url));
const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });

for (const text of ["I am cold.", "The old cat sleeps under the big table.", "I don't know what I would have done if you hadn't been there to help me."]) {
  const { sourceTokens } = await translator.explain(text);
  const weights = sourceTokens.map((_, s) => Number(s === 2));
  console.log(text);
  for (const edits of [undefined, { mask: [1] }, { rows: [{ target: 3, weights }] }, { uniform: true }, { off: [{ kind: "cross", layer: 0, head: 0 }] }]) {
    const times = [];
    for (let i = 0; i < rounds; ++i) {
      const start = performance.now();
      await translator.explain(text, { heads: true, edits });
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    const what = edits ? Object.keys(edits)[0] : "unedited";
    console.log(`  ${what.padEnd(8)} ${times[rounds >> 1].toFixed(1).padStart(6)} ms, slowest ${times.at(-1).toFixed(1)} ms`);
  }
}
translator.destroy();
