import { HowEngine } from "../engine/how.ts";
import { StepsEngine } from "../engine/steps.ts";
import { wireHeader } from "../page/header.ts";
import "./cost-table.ts";
import "./decoder-steps.ts";
import "./position-pictures.ts";

wireHeader();
const engine = new HowEngine();
document.querySelector("position-pictures")!.engine = engine;
document.querySelector("cost-table")!.engine = engine;
document.querySelector("decoder-steps")!.engine = new StepsEngine();
