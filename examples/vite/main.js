import { Translator } from "softalign";

const english = document.querySelector("#english");
const french = document.querySelector("output");
const translator = await Translator.create({
  sourceLanguage: "en",
  targetLanguage: "fr",
  monitor: (monitor) => monitor.addEventListener("downloadprogress", ({ loaded }) => {
    french.value = `Loading … ${Math.round(100 * loaded)} %`;
  }),
});

let latest = new AbortController();
async function translate() {
  latest.abort(); // what was typed before is of no interest any more
  latest = new AbortController();
  const { signal } = latest;
  try {
    const translation = await translator.translate(english.value, { signal });
    french.value = translation;
  } catch (error) {
    if (!signal.aborted) french.value = error.message;
  }
}

english.addEventListener("input", translate);
translate();
