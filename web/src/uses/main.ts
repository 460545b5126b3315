import { UsesEngine } from "../engine/uses.ts";
import { wireHeader } from "../page/header.ts";
import "./masked-lab.ts";
import "./sentiment-lab.ts";
import "./tagger-lab.ts";

wireHeader();
const engine = new UsesEngine();
for (const name of ["tagger-lab", "sentiment-lab", "masked-lab"] as const) document.querySelector(name)!.engine = engine;
