// What the page says. Each language has its words in a folder of its own; a page has those of its language in scripts that come before
// its program, so that a visitor downloads one language only.

import type { align } from "./en/align.ts";
import type { common } from "./en/common.ts";
import type { how } from "./en/how.ts";
import type { index } from "./en/index.ts";
import type { steps } from "./en/steps.ts";
import type { uses } from "./en/uses.ts";
import type { yours } from "./en/yours.ts";

/** English says what there is to say: a language that leaves something out does not compile. */
export interface Words {
  /** Of several pages, */
  common: typeof common;
  /** and of one each. */
  index: typeof index;
  align: typeof align;
  uses: typeof uses;
  yours: typeof yours;
  how: typeof how;
  /** A part of "How it works" with much to say. */
  steps: typeof steps;
}

export const words = {} as Words;

export function speak(more: Partial<Words>): void {
  Object.assign(words, more);
}

export interface Problem {
  title: string;
  text: string;
  /** What the visitor may press, if trying again can help. */
  retry: string | null;
}

/** A word of the text with what stands before and after it. */
export interface Around {
  before: string;
  after: string;
}
