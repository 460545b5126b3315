// Every page in every language. web/NAME.html has what is between header and footer, with {{words}} of src/words/LANGUAGE/pages.ts; the
// rest comes from layout.ts. Pages of other languages than English have no file of their own.

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Plugin } from "vite";
import { type Language, languages, layOut, type PageName, pages } from "./layout.ts";
import { pages as english } from "./src/words/en/pages.ts";
import { pages as french } from "./src/words/fr/pages.ts";

const words = { en: english, fr: french };
const mark = (name: string) => `<!-- words: ${name} -->`;

/** Where the pages are, or would be. */
export const pageFiles = (root: string): string[] =>
  Object.values(languages).flatMap(({ folder }) => Object.keys(pages).map((name) => join(root, `${folder}${name}.html`)));

/** Of an address below the root, "/fr/how.html". */
export function languageAt(path: string): Language {
  const found = (Object.keys(languages) as Language[]).find((each) => languages[each].folder && path.startsWith(`/${languages[each].folder}`));
  return found ?? "en";
}

/** Puts the words into a page. What has no word, or is never said, is a mistake. */
function fill(template: string, name: PageName, language: Language): string {
  const { all, [name]: own } = words[language];
  const { nav: _, head: __, description: ___, footer: ____, ...rest } = own;
  const unsaid = new Set(Object.keys(rest));
  const text = template.replace(/\{\{(?:(all)\.)?(\w+)\}\}/g, (found, shared: string | undefined, key: string) => {
    const word = (shared ? all : rest)[key as never] as string | undefined;
    if (word === undefined) throw new Error(`${name}.html: ${found} is not in src/words/${language}/pages.ts`);
    if (!shared) unsaid.delete(key);
    return word;
  });
  if (unsaid.size > 0) throw new Error(`${name}.html does not say ${[...unsaid].join(", ")} of src/words/${language}/pages.ts`);
  return text;
}

export function languagePages(root: string): Plugin {
  const wordsFile = (language: Language, name: string) => join(root, `src/words/${language}/${name}.ts`);
  const files = pageFiles(root);
  const template = (file: string) => join(root, basename(file));
  let isBuild = false;
  return {
    name: "language-pages",
    configResolved({ command }) {
      isBuild = command === "build";
    },
    buildStart() {
      if (!isBuild) return;
      const all = new Set(Object.values(pages).flatMap(({ says }) => says));
      for (const language of Object.keys(languages) as Language[]) {
        for (const name of all) this.emitFile({ type: "chunk", id: wordsFile(language, name), name: `${name}.${language}` });
      }
    },
    resolveId: (id) => (files.includes(id) ? id : undefined),
    load(id) {
      if (!files.includes(id)) return undefined;
      this.addWatchFile(template(id));
      return readFileSync(template(id), "utf8");
    },
    configureServer({ middlewares, transformIndexHtml }) {
      middlewares.use((request, response, next) => {
        const path = new URL(request.url!, "http://localhost").pathname.replace(/\/$/, "/index.html");
        if (languageAt(path) === "en" || !files.includes(join(root, path))) return next();
        transformIndexHtml(path, readFileSync(template(path), "utf8"), request.originalUrl)
          .then((html) => response.setHeader("content-type", "text/html").end(html), next);
      });
    },
    transformIndexHtml: {
      order: "pre",
      handler(html, { path }) {
        const [name, language] = [basename(path, ".html") as PageName, languageAt(path)];
        // Scripts of their own, since these come first; the built ones have no names yet.
        const scripts = pages[name].says.map((each) =>
          isBuild ? mark(each) : `<script type="module" src="/src/words/${language}/${each}.ts"></script>`);
        return layOut(name, language, words[language], fill(html, name, language), scripts.join("\n    "));
      },
    },
  };
}

/** Once it is known how the files of words are called. */
export function wordScripts(root: string): Plugin {
  return {
    name: "word-scripts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { path, bundle }) {
        const language = languageAt(path);
        const up = language === "en" ? "./" : "../";
        return html.replace(/<!-- words: (\w+) -->/g, (_, name: string) => {
          const file = Object.values(bundle!).find((output) =>
            output.type === "chunk" && output.facadeModuleId === join(root, `src/words/${language}/${name}.ts`))!.fileName;
          return `<script type="module" src="${up}${file}"></script>`;
        });
      },
    },
  };
}
