// What all pages have around their own part: the head, the header with the ways to other pages and languages, the footer.

import type { pages as words } from "./src/words/en/pages.ts";

export type Language = "en" | "fr";
export type PageName = Exclude<keyof typeof words, "all">;

/** English stands where one comes first, the others in folders. */
export const languages: Record<Language, { folder: string; name: string }> = {
  en: { folder: "", name: "English" },
  fr: { folder: "fr/", name: "Français" },
};

interface Page {
  style: string;
  program: string;
  /** Which words its program says: files of src/words/LANGUAGE. */
  says: readonly string[];
}

export const pages: Record<PageName, Page> = {
  index: { style: "page", program: "main", says: ["common", "index"] },
  align: { style: "align", program: "align/main", says: ["common", "align"] },
  yours: { style: "yours", program: "yours/main", says: ["common", "yours"] },
  uses: { style: "uses", program: "uses/main", says: ["common", "uses"] },
  how: { style: "how", program: "how/main", says: ["common", "how", "steps"] },
};

const names = Object.keys(pages) as PageName[];
const fileOf = (name: PageName) => (name === "index" ? "" : `${name}.html`);

/** From a page of one language to one of any. */
function address(from: Language, to: Language, name: PageName): string {
  const up = from === to || languages[from].folder === "" ? "./" : "../";
  return `${up}${from === to ? "" : languages[to].folder}${fileOf(name)}`;
}

// Nothing inline, nothing from elsewhere, nothing sent: what is typed stays in the tab.
const policy = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'",
  "font-src 'self'", "img-src 'self'", "base-uri 'none'", "form-action 'none'",
].join("; ");

/** @param main what is between header and footer. @param scripts come before the page's program. */
export function layOut(name: PageName, language: Language, said: typeof words, main: string, scripts: string): string {
  const { style, program } = pages[name];
  const { head, description, footer } = said[name];
  const others = (Object.keys(languages) as Language[]).filter((other) => other !== language);
  const links = names.map((each) =>
    `<a href="${address(language, language, each)}"${each === name ? ' aria-current="page"' : ""}>${said[each].nav}</a>`);
  const alternates = (Object.keys(languages) as Language[]).map((each) =>
    `<link vite-ignore rel="alternate" hreflang="${each}" href="${address(language, each, name)}">`);
  const switches = others.map((other) =>
    `<a class="language" href="${address(language, other, name)}" hreflang="${other}" lang="${other}">${languages[other].name}</a>`);
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <title>${head}</title>
    <meta name="description" content="${description}">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    ${alternates.join("\n    ")}
    <script src="/choices.js"></script>
    <link rel="stylesheet" href="/src/style/${style}.css">
    ${scripts}
    <script type="module" src="/src/${program}.ts"></script>
  </head>
  <body>
    <header class="top">
      <a class="wordmark" href="./"><img src="/icon.svg" alt="" width="28" height="28">softalign</a>
      <nav class="pages" aria-label="${said.all.pages}">
        ${links.join("\n        ")}
      </nav>
      ${switches.join("\n      ")}
      <button id="theme" class="quiet" type="button">${said.all.dark}</button>
    </header>

${main}
    <footer>
      ${footer.map((text) => `<p>${text}</p>`).join("\n      ")}
    </footer>
  </body>
</html>
`;
}
