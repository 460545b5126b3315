/**
 * A piece or word of a text. `text` is what stands at `start`..`end` (JavaScript string offsets),
 * without surrounding white space. Tokens come in order and do not overlap; two that touch belong to
 * the same word. What the model was not shown (white space, lines without letters) has no token.
 */
export interface Token {
  text: string;
  start: number;
  end: number;
  /** Of a translator's pieces: the number in the model's vocabulary. */
  id?: number;
}

/** Tokens from pairs (start, end) of offsets, counted from `offset` on, and their numbers if they have any. */
export function tokensOf(text: string, ranges: Uint32Array, offset = 0, ids: ArrayLike<number> = []): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    const each = token(text, offset + (ranges[i] as number), offset + (ranges[i + 1] as number));
    tokens.push(numbered(each, ids[i / 2]));
  }
  return tokens;
}

export const numbered = (token: Token, id: number | undefined): Token => (id === undefined ? token : { ...token, id });

function token(text: string, start: number, end: number): Token {
  const raw = text.slice(start, end);
  const inner = raw.trim();
  // A piece of nothing but white space stays visible.
  if (inner === "") return { text: raw, start, end };
  const begin = start + raw.length - raw.trimStart().length;
  return { text: inner, start: begin, end: begin + inner.length };
}
