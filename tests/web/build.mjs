// Builds what only the tests need, with Vite as the page itself: the element alone, and the parts that Node can import.
import { build } from "vite";
import { fromRoot } from "./browser.mjs";

const quiet = { configFile: false, logLevel: "warn" };
const browsers = ["chrome123", "firefox125", "safari17.5"];

/** @returns the folder that has grid.html or threads.html. */
export async function buildElement(name) {
  const outDir = fromRoot(`build/tests-web/${name}`);
  await build({
    ...quiet,
    root: fromRoot("tests/web/fixtures"),
    base: "./",
    build: {
      outDir, emptyOutDir: true, assetsInlineLimit: 0, target: browsers, cssTarget: browsers,
      modulePreload: { polyfill: false }, rolldownOptions: { input: fromRoot(`tests/web/fixtures/${name}.html`) },
    },
  });
  return outDir;
}

/** Builds a module of the fixtures, with the package's double in the place of the package, or with the package itself, and imports it. */
export async function importFixture(name, { double = true } = {}) {
  const outDir = fromRoot(`build/tests-web/${name}`);
  const itself = fromRoot("dist/index.js");
  await build({
    ...quiet,
    root: fromRoot("tests/web/fixtures"),
    resolve: { alias: { softalign: double ? fromRoot("tests/web/fixtures/softalign.ts") : itself } },
    build: {
      outDir, emptyOutDir: true, minify: false, ssr: fromRoot(`tests/web/fixtures/${name}.ts`),
      rolldownOptions: { external: [itself], output: { entryFileNames: "[name].mjs" } },
    },
  });
  return import(`${outDir}/${name}.mjs`);
}
