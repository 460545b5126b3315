import "./elements/alignment-grid/alignment-grid.ts";
import { Engine } from "./engine/engine.ts";
import { Lab } from "./page/lab.ts";
import { wireTheme } from "./page/theme.ts";

wireTheme(document.querySelector<HTMLButtonElement>("#theme")!);
new Lab((listener) => new Engine(listener));
