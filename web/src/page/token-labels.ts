import type { Level, Token } from "../engine/protocol.ts";

/** What stands at rows and columns. Pieces that go on with a word get a dot in front, as in "to·day". */
export function labels(tokens: readonly Token[], level: Level): string[] {
  return tokens.map(({ text, start }, index) =>
    level === "piece" && index > 0 && tokens[index - 1]!.end === start && /^[\p{L}\p{N}]/u.test(text) ? `·${text}` : text);
}
