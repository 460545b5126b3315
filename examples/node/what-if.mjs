import { Translator } from "softalign";

const text = process.argv.slice(2).join(" ") || "The old cat sleeps under the big table.";
const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
const { translation, sourceTokens } = await translator.explain(text);

console.log(translation);
for (const [i, token] of sourceTokens.entries()) {
  const without = await translator.explain(text, { edits: { mask: [i] } });
  console.log(`  without "${token.text}": ${without.translation}`);
}
translator.destroy();
