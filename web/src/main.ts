import "./elements/alignment-grid/alignment-grid.ts";
import "./elements/alignment-threads/alignment-threads.ts";
import { Engine } from "./engine/engine.ts";
import { firstTranslation } from "./page/first-translation.ts";
import { wireHeader } from "./page/header.ts";
import { Lab } from "./page/lab.ts";

wireHeader();
let engine!: Engine;
new Lab((listener) => (engine = new Engine(listener)));

// What stands below comes after the first translation, or as soon as a visitor does anything.
const touched = new Promise((resolve) => {
  for (const type of ["pointerdown", "keydown", "scroll"]) addEventListener(type, resolve, { once: true });
});
await Promise.race([firstTranslation(), touched]);
await import("./page/reading-lab.ts");
document.querySelector("reading-lab")!.engine = engine;
