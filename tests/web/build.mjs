// Builds what only the tests need, with Vite as the page itself: the element alone, and the parts that Node can import.
import { build } from "vite";
import { fromRoot } from "./browser.mjs";

const quiet = { configFile: false, logLevel: "warn" };
const browsers = ["chrome123", "firefox125", "safari17.5"];

/** @returns the folder that has grid.html. */
export async function buildGrid() {
  const outDir = fromRoot("build/tests-web/grid");
  await build({
    ...quiet,
    root: fromRoot("tests/web/fixtures"),
    base: "./",
    build: {
      outDir, emptyOutDir: true, assetsInlineLimit: 0, target: browsers, cssTarget: browsers,
      modulePreload: { polyfill: false }, rolldownOptions: { input: fromRoot("tests/web/fixtures/grid.html") },
    },
  });
  return outDir;
}

export async function importParts() {
  const outDir = fromRoot("build/tests-web/parts");
  await build({
    ...quiet,
    root: fromRoot("tests/web/fixtures"),
    build: {
      outDir, emptyOutDir: true, minify: false,
      lib: { entry: fromRoot("tests/web/fixtures/parts.ts"), formats: ["es"], fileName: () => "parts.mjs" },
    },
  });
  return import(`${outDir}/parts.mjs`);
}
