import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { offline } from "./offline-plugin.ts";
import { languageAt, languagePages, pageFiles, wordScripts } from "./pages-plugin.ts";

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const web = fromRoot("web");

// With older targets light-dark() would become variables of the page, which its elements could not use alone.
const browsers = ["chrome123", "firefox125", "safari17.5"];

/** Vite's development server puts styles into the page inline, which the page's own policy forbids: drop it there. */
const relaxedWhileDeveloping: Plugin = {
  name: "relaxed-while-developing",
  apply: "serve",
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ""),
};

/** Pages without the white space that lines begin with: a kilobyte of the first visit. */
const unindented: Plugin = {
  name: "unindented",
  apply: "build",
  transformIndexHtml: { order: "post", handler: (html) => html.replace(/^[ \t]+/gm, "") },
};

/** A page without the engine would build, and only fail before a visitor's eyes. */
const engineFirst: Plugin = {
  name: "engine-first",
  buildStart() {
    if (!existsSync(fromRoot("dist/index.js"))) this.error("dist/ is missing: build the package first (npm run build)");
  },
};

/** What is imported late has neither styles nor much else to be fetched beside it: it is imported plainly. */
const plainImports: Plugin = {
  name: "plain-imports",
  apply: "build",
  transform: (_code, id) => (id.includes("vite/preload-helper") ? "export const __vitePreload = (load) => load();" : undefined),
};

/** The page has workers of its own and works in place there: what starts the package's comes only if it is asked for after all. */
const ownWorkers: Plugin = {
  name: "own-workers",
  apply: "build",
  enforce: "pre",
  load(id) {
    if (id !== fromRoot("dist/start-engine.js")) return undefined;
    return `export const startEngine = async () => (await import(${JSON.stringify(`${id}?late`)})).startEngine();`;
  },
};

/** The font is asked for together with the page, under the name that the build gave it. */
const preloadedFont: Plugin = {
  name: "preloaded-font",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (_html, { bundle, path }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith(".woff2"))
        .map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", href: `${languageAt(path) === "en" ? "./" : "../"}${file}`, crossorigin: "" },
          injectTo: "head" as const,
        })),
  },
};

/** The models that the package does not carry, beside the ones that Vite finds by itself: there the package looks for them. */
const otherModels: Plugin = {
  name: "other-models",
  apply: "build",
  async generateBundle() {
    const { models } = JSON.parse(readFileSync(fromRoot("models/manifest.json"), "utf8"));
    const { carried } = await import(pathToFileURL(fromRoot("dist/models.js")).href);
    for (const { id, file } of models) {
      if (id in carried) continue;
      this.emitFile({ type: "asset", fileName: `assets/${file}`, source: readFileSync(fromRoot(`models/${id}/model.safetensors`)) });
    }
  },
};

export default defineConfig({
  root: web,
  base: "./",
  cacheDir: fromRoot("node_modules/.vite"),
  resolve: {
    alias: {
      "softalign/models": fromRoot("dist/manage-models.js"),
      softalign: fromRoot("dist/index.js"),
      "/@font": fromRoot("node_modules/@fontsource-variable/atkinson-hyperlegible-next/files"),
    },
  },
  build: {
    outDir: fromRoot("build/web"),
    emptyOutDir: true,
    target: browsers,
    cssTarget: browsers,
    rolldownOptions: { input: pageFiles(web) },
    modulePreload: { polyfill: false },
    // Weights and fonts stay files; the policy forbids data addresses.
    assetsInlineLimit: 0,
  },
  worker: { format: "es", plugins: () => [ownWorkers, plainImports] },
  server: { host: "127.0.0.1", fs: { allow: [fromRoot(".")] } },
  plugins: [languagePages(web), plainImports, ownWorkers, relaxedWhileDeveloping, engineFirst, preloadedFont, unindented, otherModels, offline(web), wordScripts(web)],
});
