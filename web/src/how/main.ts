import { HowEngine } from "../engine/how.ts";
import { wireHeader } from "../page/header.ts";
import "./cost-table.ts";
import "./position-pictures.ts";

wireHeader();
const engine = new HowEngine();
document.querySelector("position-pictures")!.engine = engine;
document.querySelector("cost-table")!.engine = engine;
