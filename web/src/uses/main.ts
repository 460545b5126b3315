import { UsesEngine } from "../engine/uses.ts";
import { wireTheme } from "../page/theme.ts";
import "./masked-lab.ts";
import "./sentiment-lab.ts";
import "./tagger-lab.ts";

wireTheme(document.querySelector<HTMLButtonElement>("#theme")!);
const engine = new UsesEngine();
for (const name of ["tagger-lab", "sentiment-lab", "masked-lab"] as const) document.querySelector(name)!.engine = engine;
