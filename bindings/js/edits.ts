/**
 * One head of one of a model's attentions, layers and heads counted from 0: "cross", target tokens that look at source tokens;
 * "encoder", source tokens that look at each other; "decoder", target tokens that look at those before them. The recurrent
 * models with attention have one, the first of "cross".
 */
export interface AttentionHead {
  kind: "cross" | "encoder" | "decoder";
  layer: number;
  head: number;
}

/** Where a target token is made to look. */
export interface EditedRow {
  /** Which target token, as an index of `targetTokens`. */
  target: number;
  /**
   * How much it looks at each of the `sourceTokens` (there must be as many), in any unit: what counts is their ratios among
   * the tokens of its sentence.
   */
  weights: ArrayLike<number>;
  /** The "cross" head that looks there. All of the model's if left out. */
  head?: AttentionHead | undefined;
}

/**
 * What attention is made to do while a text is translated. Tokens are those of the explanation, of the level asked for and with
 * the ends of sentences if `special` asks for them; indices count through the whole text. What a translation is made to say
 * is its `prefix`.
 */
export interface Edits {
  /**
   * Source tokens that no attention looks at, as indices of `sourceTokens`: their weight is 0, and goes to the others. A transformer
   * does not see them at all, a recurrent model's encoder has still read them when it reads their neighbours.
   */
  mask?: readonly number[] | undefined;
  /** Heads that look at nothing: their weights are 0, and so is what they bring. */
  off?: readonly AttentionHead[] | undefined;
  /**
   * Target tokens that look where they are told. Those before the first of them stay as they were (with a beam of 1), what follows
   * is translated anew; a row is that of the token which then has that index.
   */
  rows?: readonly EditedRow[] | undefined;
  /**
   * No attention: every target token looks at all source tokens alike, as an encoder-decoder without attention does; but for
   * `rows`. (With all "cross" heads off it sees nothing of them.)
   */
  uniform?: boolean | undefined;
}
