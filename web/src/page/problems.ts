import type { Loadable } from "../engine/models.ts";
import type { Failure } from "../engine/protocol.ts";
import { type Problem, words } from "../words/words.ts";

/** What there is to say of a failure, by its code. */
export function problemIn(problems: Record<string, Problem> & { other: Problem }, { code }: Failure): Problem {
  return Object.hasOwn(problems, code) ? problems[code]! : problems.other;
}

/** Of the translator and the reader. */
export const problemOf = (failure: Failure) => problemIn(words.common.problems, failure);

export const wholePercents = (fraction: number) => Math.floor(100 * fraction);

export const loadingText = (model: Loadable, fraction: number) => words.common.loading(model, wholePercents(fraction));
