// What a stranger's page does with the package: the same few lines for every bundler and browser.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const creates = `const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });`;

/** Shows the translation as the page's title. */
export const program = `
  import { Translator } from "softalign";
  ${creates}
  document.title = (await translator.translate("<b>I am cold.</b>", { html: true })).slice(3, -4);
  translator.destroy();
`;

/** The same in a worker, and the page that starts it. Import maps hold for pages only: without a bundler a worker needs the path. */
export const moduleWorker = (from = "softalign") => `
  import { Translator } from "${from}";
  ${creates}
  self.postMessage((await translator.translate("<b>I am cold.</b>", { html: true })).slice(3, -4));
`;
export const startsModuleWorker = startsWorker(`{ type: "module" }`);

/** A classic worker has neither import statements nor await outside of functions. */
export const classicWorker = (from) => `
  (async () => {
    const { Translator } = await import("${from}");
    ${creates}
    self.postMessage(await translator.translate("I am cold."));
  })();
`;
export const startsClassicWorker = startsWorker("{}");

function startsWorker(options) {
  return `
    const worker = new Worker(new URL("./worker.js", import.meta.url), ${options});
    worker.addEventListener("message", ({ data }) => (document.title = data));
    worker.addEventListener("error", ({ message }) => console.error(message));
  `;
}

/** What all of them are to show: the translation in this Node. */
export async function translation(installed) {
  const { Translator } = await installed.import();
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  try {
    return await translator.translate("I am cold.");
  } finally {
    translator.destroy();
  }
}

/** A page under a strict policy; `scripts` names what else it allows, `head` is what that is for. */
export const page = (src, scripts = "", head = "") => `<!doctype html>
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval' ${scripts}">
  <title></title>
  ${head}<script type="module" src="${src}"></script>`;

/** Such a page with an import map, which stands in the page itself: the policy allows it by its hash. */
async function mappedPage() {
  const map = '{ "imports": { "softalign": "./softalign/index.js" } }';
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(map));
  const hash = `'sha256-${Buffer.from(digest).toString("base64")}'`;
  return page("main.js", hash, `<script type="importmap">${map}</script>`);
}

/** What runs without a bundler: the files beside `softalign/`, a copy of the package's dist/. */
export const unbundled = {
  "by an import map": { "index.html": await mappedPage(), "main.js": program },
  "in a module worker": { "index.html": page("main.js"), "main.js": startsModuleWorker, "worker.js": moduleWorker("./softalign/index.js") },
  "in a classic worker": { "index.html": page("main.js"), "main.js": startsClassicWorker, "worker.js": classicWorker("./softalign/index.js") },
};

/** A folder inside the scratch project of `installed` (an `Installed`), with these files and a copy of dist/. */
export function layOut(installed, name, files) {
  const folder = installed.path(name);
  mkdirSync(folder);
  cpSync(installed.path("node_modules", "softalign", "dist"), join(folder, "softalign"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}
