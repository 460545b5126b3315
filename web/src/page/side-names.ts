import type { TargetLanguage } from "../engine/models.ts";
import { languageName } from "../words/language.ts";

/** The languages of both sides. */
export interface SideNames {
  source: string;
  target: string;
}

/** Of the page's own models. */
export const sideNames = (target: TargetLanguage = "fr"): SideNames => ({ source: languageName("en"), target: languageName(target) });
