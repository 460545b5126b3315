// Where the elements of a sentence go in its translation: around the words that are aligned with the words inside them.

/** How much each word of the translation looked at each word of the source: `weights[t * sources + s]`. */
export interface Alignment {
  sources: number;
  targets: number;
  weights: Float32Array;
}

/** An element, by the words of the source inside it: all from `from` up to but not including `to`. */
export interface Span {
  from: number;
  to: number;
  /** The index of the element around it, which comes before it; -1 for none. */
  parent: number;
  /** It stands in one place, around words that are clearly its own, or nowhere. */
  whole: boolean;
}

/**
 * What an element that begins once more has to gain, in words. Chosen on gold alignments of novels and parliament, where
 * it matters little: from 0.5 to 1 the words in the wrong element are as few, and the more it is, the fewer clones.
 */
const clonePrice = 0.7;

/** What looked less than this at a word has nothing to do with it. */
const leastWeight = 0.05;

/**
 * The words of the translation that are in each element, in order.
 *
 * From the outermost elements inwards, the words of an element are shared out between it and the elements in it so that
 * what the words looked at in their own element is the most in all, less a price for each time that an element begins. So
 * a word that looked at nothing, or past its own, goes with its neighbours where both sides agree, and an element is
 * cloned only for words that are clearly its own. Each element gets one word at least if any looked at it.
 */
export function project({ sources, targets, weights }: Alignment, spans: readonly Span[]): number[][] {
  // sums[t * (sources + 1) + s] is how much word t looked at the words before s.
  const sums = new Float32Array(targets * (sources + 1));
  for (let t = 0, i = 0; t < targets; ++t, ++i) {
    for (let s = 0; s < sources; ++s, ++i) sums[i + 1] = (sums[i] as number) + (weights[t * sources + s] as number);
  }
  const look = (t: number, from: number, to: number) =>
    (sums[t * (sources + 1) + to] as number) - (sums[t * (sources + 1) + from] as number);

  const inside = new Map<number, Span[]>();
  const words = new Map<Span | undefined, number[]>([[undefined, Array.from({ length: targets }, (_, t) => t)]]);
  for (const span of spans) {
    words.set(span, []);
    if (span.from === span.to) continue;
    const siblings = inside.get(span.parent);
    if (siblings) siblings.push(span);
    else inside.set(span.parent, [span]);
  }
  const all: Span = { from: 0, to: sources, parent: -1, whole: false };
  for (let i = -1; i < spans.length; ++i) {
    const mine = words.get(spans[i]) as number[];
    const inner = inside.get(i);
    if (!inner || mine.length === 0) continue;
    const [first, outer] = [inner[0] as Span, spans[i] ?? all];
    if (first.from === outer.from && first.to === outer.to && !first.whole) {
      words.set(first, mine);
      continue;
    }
    const looks = inner.map(({ from, to }) => mine.map((t) => look(t, from, to)));
    const rest = mine.map((t, w) => looks.reduce((left, of) => left - (of[w] as number), look(t, 0, sources)));
    const owners = shareOut(mine, [rest, ...looks], [false, ...inner.map(({ whole }) => whole)]);
    owners.forEach((owner, w) => {
      if (owner > 0) words.get(inner[owner - 1])?.push(mine[w] as number);
    });
  }
  return spans.map((span) => words.get(span) as number[]);
}

/**
 * The owner of each word (Viterbi's algorithm): 0 is the element around, the others are those in it.
 * @param looks for each owner, how much each word looked at what is its own.
 */
function shareOut(words: readonly number[], looks: readonly number[][], whole: readonly boolean[]): number[] {
  const totals = words.map((_, w) => looks.reduce((sum, look) => sum + (look[w] as number), 0));
  /** Whether a word may be with this owner, as far as that is whole. */
  const isClear = (k: number, w: number) => !whole[k] || 2 * (looks[k]?.[w] as number) > Math.max(0.5, totals[w] as number);
  const pins = pinned(looks, isClear);
  const greatest = (scores: Float64Array) => scores.reduce((most, score, k) => (score > (scores[most] as number) ? k : most), 0);
  const steps: Int32Array[] = [];
  let scores = new Float64Array(looks.length).fill(-Infinity);
  scores[0] = 0;
  words.forEach((word, w) => {
    const adjoins = word - 1 === words[w - 1];
    const best = greatest(scores);
    const next = new Float64Array(looks.length).fill(-Infinity);
    const from = new Int32Array(looks.length);
    looks.forEach((look, k) => {
      if (pins[w] === undefined ? !isClear(k, w) : pins[w] !== k) return;
      // What must not be cloned begins only where it is pinned to a word: once.
      const begin = (scores[best] as number) - (k === 0 ? 0 : whole[k] ? 1e6 : clonePrice);
      const goOn = adjoins || k === 0 ? (scores[k] as number) : -Infinity;
      from[k] = goOn > begin ? k : best;
      next[k] = Math.max(goOn, begin) + (look[w] as number);
    });
    steps.push(from);
    scores = next;
  });
  const owners: number[] = [];
  let owner = greatest(scores);
  for (let w = words.length - 1; w >= 0; --w) {
    owners[w] = owner;
    owner = steps[w]?.[owner] as number;
  }
  return owners;
}

/** For each word the owner that must have it, if any: each owner's best word, those who are surest choosing first. */
function pinned(looks: readonly number[][], isClear: (k: number, w: number) => boolean): (number | undefined)[] {
  const pins: (number | undefined)[] = [];
  const most = looks.map((look) => look.reduce((a, b) => Math.max(a, b), 0));
  const order = looks.map((_, k) => k).slice(1).sort((a, b) => (most[b] as number) - (most[a] as number));
  for (const k of order) {
    const look = looks[k] as number[];
    let best = -1;
    look.forEach((gain, w) => {
      if (pins[w] === undefined && gain > (look[best] ?? 0)) best = w;
    });
    if ((look[best] ?? 0) >= leastWeight && isClear(k, best)) pins[best] = k;
  }
  return pins;
}

/** Between two words of the translation: close to the one before `word` if it clings to it, else close to `word`. */
export interface Place {
  word: number;
  clings: boolean;
}

/** So many words to each side are asked for the place of what has none; farther ones know nothing of it. */
const reach = 4;

/**
 * The place of what has no words, an image say, and stands before the source word `at` in an element that has the words
 * `from` to `to` of the source and `own` of the translation: before the word that is aligned with the next source word, or,
 * if it `clings` to the one before, after that one's.
 */
export function place(
  { sources, weights }: Alignment,
  { from, to, own, at, clings }: { from: number; to: number; own: readonly number[]; at: number; clings: boolean },
): Place {
  const next: [number, boolean][] = [];
  const last: [number, boolean][] = [];
  for (let i = 0; i < reach; ++i) {
    if (at + i < to) next.push([at + i, false]);
    if (at - 1 - i >= from) last.push([at - 1 - i, true]);
  }
  for (const [source, isBefore] of clings ? [...last, ...next] : [...next, ...last]) {
    const weight = (t: number) => weights[t * sources + source] as number;
    const word = own.reduce((best, t) => (weight(t) > weight(best) ? t : best), own[0] ?? 0);
    if (weight(word) >= leastWeight) return { word: isBefore ? word + 1 : word, clings: isBefore };
  }
  return { word: own[0] ?? 0, clings: false };
}
