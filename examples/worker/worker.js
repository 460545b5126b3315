import { Translator } from "softalign";

let latest = "";
const ready = Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });

self.addEventListener("message", async ({ data }) => {
  latest = data;
  let shown = "";
  try {
    const translator = await ready;
    // Sentence by sentence, for as long as nothing newer was typed.
    for await (const chunk of translator.translateStreaming(data)) {
      if (latest !== data) return;
      self.postMessage((shown += chunk));
    }
  } catch (error) {
    self.postMessage(error.message);
  }
});
