// Who may know whom. Each part includes only itself and the parts to its left; SIMD lives in the
// kernels, Emscripten in the bindings, and the page's elements import nothing from outside.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { inRoot, main, root, Stop } from "./terminal.mjs";

const mayKnow = {
  core: [],
  kernels: ["core"],
  ops: ["core", "kernels"],
  layers: ["core", "kernels", "ops"],
  io: ["core"],
  text: ["core"],
  models: ["core", "kernels", "ops", "layers", "io"],
  decoding: ["core", "kernels", "ops", "layers", "io", "models", "text"],
  evaluation: ["core", "text"],
  bench: ["core", "kernels", "ops", "layers"],
  training: ["core", "kernels", "ops", "layers", "io", "models", "text", "decoding", "evaluation"],
  cli: ["core", "kernels", "ops", "layers", "io", "models", "text", "decoding", "evaluation", "bench", "training"],
};
const bindingsMayKnow = mayKnow.decoding.concat("decoding");

const simdHeader = /xsimd|[a-z]mmintrin|wasm_simd128|arm_neon/;

function filesBelow(folder, pattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Yields { header, quoted, line } for each #include of a file. */
function* includesOf(file) {
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [i, text] of lines.entries()) {
    const match = text.match(/^\s*#\s*include\s*([<"])([^>"]+)/);
    if (match) yield { quoted: match[1] === '"', header: match[2], line: i + 1 };
  }
}

/** What is wrong with one include of a file in `part`, or undefined. */
function wrongInclude(part, { header, quoted }) {
  if (simdHeader.test(header) && part !== "kernels") return "SIMD belongs in kernels";
  if (/^emscripten/.test(header) && part !== "bindings") return "Emscripten belongs in bindings/cpp";
  if (!quoted) return undefined;
  const known = part === "bindings" ? bindingsMayKnow : mayKnow[part];
  const [first, ...rest] = header.split("/");
  if (part === "bindings" && rest.length === 0) return undefined;
  if (!existsSync(inRoot("src", header))) return "includes are written from src/, and there is no such file";
  if (first !== part && !known.includes(first)) return `${part} may only know ${known.join(", ") || "itself"}`;
  return undefined;
}

export function checkIncludes() {
  const wrong = [];
  let count = 0;
  const report = (file, line, what, why) => wrong.push(`  ${relative(root, file)}:${line}: ${what}: ${why}`);

  const parts = readdirSync(inRoot("src"));
  for (const part of [...parts, "bindings"]) {
    if (part !== "bindings" && !mayKnow[part]) throw new Stop(`src/${part} is not in the table of scripts/check-includes.mjs`);
    const folder = part === "bindings" ? inRoot("bindings/cpp") : inRoot("src", part);
    for (const file of filesBelow(folder, /\.(h|cc)$/)) {
      for (const include of includesOf(file)) {
        count++;
        const why = wrongInclude(part, include);
        if (why) report(file, include.line, include.header, why);
      }
    }
  }

  const elements = inRoot("web/src/elements");
  for (const file of filesBelow(elements, /\.ts$/)) {
    for (const [i, text] of readFileSync(file, "utf8").split("\n").entries()) {
      const target = text.match(/\bfrom\s+"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/);
      if (!target) continue;
      count++;
      const name = target[1] ?? target[2];
      const inside = name.startsWith(".") && !relative(elements, join(dirname(file), name)).startsWith("..");
      if (!inside) report(file, i + 1, name, "elements know arrays and events, nothing else");
    }
  }

  if (wrong.length) throw new Stop(`includes in the wrong direction:\n${wrong.join("\n")}`);
  console.log(`  ${count} includes and imports, all in the right direction`);
}

if (process.argv[1] === inRoot("scripts/check-includes.mjs")) await main(checkIncludes);
