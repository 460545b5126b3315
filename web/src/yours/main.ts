import { YoursEngine } from "../engine/yours.ts";
import { wireTheme } from "../page/theme.ts";
import { YoursLab } from "./yours-lab.ts";

wireTheme(document.querySelector<HTMLButtonElement>("#theme")!);
new YoursLab(new YoursEngine());
