import type { Sentence } from "../engine/protocol.ts";
import { words as said } from "../words/words.ts";

/** Why a translation is not to be trusted, or "". */
export function doubtAbout({ repetitions: [repetition] }: Sentence, source: string): string {
  if (repetition) return said.index.lost(repetition.times);
  const letters = source.match(/\p{L}/gu)?.length ?? 0;
  const latin = source.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return 2 * latin < letters ? said.index.foreign : "";
}
