// The pages as they are built can be installed and work offline. While developing, nothing of this is there.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { languageAt } from "./pages-plugin.ts";

const worker = "sw.js";
/** The package keeps weights itself, those that were used. */
const isWeights = (file: string) => file.endsWith(".safetensors");
const isHashed = (file: string) => /^assets\/.+-[\w-]{8}\.\w+$/.test(file);

/** Of the page's `--ground` in base.css, which these tags cannot name. */
const grounds = { light: "#f3f7fc", dark: "#0d131a" };

export function offline(root: string): Plugin {
  const folder = join(root, "public");
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    buildStart() {
      this.emitFile({ type: "chunk", id: join(root, "src/offline/sw.ts"), fileName: worker });
    },
    transformIndexHtml: {
      order: "pre",
      handler: (_html, { path }) => [
        { tag: "link", attrs: { rel: "manifest", href: languageAt(path) === "fr" ? "/manifest.fr.webmanifest" : "/manifest.webmanifest" }, injectTo: "head" },
        { tag: "link", attrs: { rel: "apple-touch-icon", href: "/icon-192.png" }, injectTo: "head" },
        ...Object.entries(grounds).map(([scheme, content]) => ({
          tag: "meta", attrs: { name: "theme-color", content, media: `(prefers-color-scheme: ${scheme})` }, injectTo: "head" as const,
        })),
        { tag: "script", attrs: { type: "module", src: "/src/offline/visit.ts" }, injectTo: "head" },
      ],
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const contents = new Map<string, string | Uint8Array>();
        for (const file of readdirSync(folder, { encoding: "utf8" })) contents.set(file, readFileSync(join(folder, file)));
        for (const [file, output] of Object.entries(bundle)) {
          if (!isWeights(file)) contents.set(file, output.type === "chunk" ? output.code : output.source);
        }
        const hash = createHash("sha256");
        const files = [...contents.keys()].sort();
        for (const file of files) hash.update(file).update("\0").update(contents.get(file)!).update("\0");
        const kept = files.filter((file) => file !== worker);
        const list = {
          version: hash.digest("hex").slice(0, 16),
          hashed: kept.filter(isHashed),
          named: kept.filter((file) => !isHashed(file)),
        };
        const chunk = bundle[worker];
        if (chunk?.type !== "chunk" || !chunk.code.includes("kBuild")) this.error(`${worker} has no place for the list of files`);
        chunk.code = chunk.code.replace("kBuild", () => JSON.stringify(list));
      },
    },
  };
}
