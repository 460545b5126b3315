const english = document.querySelector("#english");
const french = document.querySelector("output");
const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

const translate = () => worker.postMessage(english.value);
worker.addEventListener("message", ({ data }) => (french.value = data));
worker.addEventListener("error", ({ message }) => (french.value = message));
english.addEventListener("input", translate);
translate();
