import "./elements/alignment-grid/alignment-grid.ts";
import "./elements/alignment-threads/alignment-threads.ts";
import { Engine } from "./engine/engine.ts";
import { wireHeader } from "./page/header.ts";
import { Lab } from "./page/lab.ts";
import "./page/reading-lab.ts";

wireHeader();
new Lab((listener) => {
  const engine = new Engine(listener);
  document.querySelector("reading-lab")!.engine = engine;
  return engine;
});
