import { strongestLinks, Translator } from "softalign";

const text = process.argv.slice(2).join(" ") || "I am cold.";
const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
const explanation = await translator.explain(text);
translator.destroy();

console.log(explanation.translation);
for (const [source, target] of strongestLinks(explanation)) {
  console.log(`  ${explanation.targetTokens[target].text} <- ${explanation.sourceTokens[source].text}`);
}
