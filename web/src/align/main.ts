import { AlignEngine } from "../engine/align.ts";
import { wireHeader } from "../page/header.ts";
import { AlignLab } from "./align-lab.ts";

wireHeader();
new AlignLab((listener) => new AlignEngine(listener));
