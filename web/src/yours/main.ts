import { YoursEngine } from "../engine/yours.ts";
import { wireHeader } from "../page/header.ts";
import { YoursLab } from "./yours-lab.ts";

wireHeader();
new YoursLab(new YoursEngine());
