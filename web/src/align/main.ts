import { AlignEngine } from "../engine/align.ts";
import { wireTheme } from "../page/theme.ts";
import { AlignLab } from "./align-lab.ts";

wireTheme(document.querySelector<HTMLButtonElement>("#theme")!);
new AlignLab((listener) => new AlignEngine(listener));
