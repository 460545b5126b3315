// What each station of a step shows. Arrays in, elements out.

import type { LayerNext, Piece, RecurrentNext, Walk } from "../engine/steps/protocol.ts";
import { decimal } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { largestOf, lookAt, outermostTerms, type Place, powersOf, termsOf, written, writtenPower } from "./steps-arithmetic.ts";
import { bar, beginning, element, type Row, scale, strip, tableOf } from "./steps-parts.ts";
import type { Station, Told } from "./told.ts";

const { walk: steps, names, table: words } = said.steps;
const kTerms = 3;

/** A piece as it is written: what goes on with a word has dots before it. */
export function shown({ text, begins }: Piece): string {
  if (text === "") return steps.end;
  if (text.trim() === "") return steps.space;
  return begins || !/^[\p{L}\p{N}]/u.test(text) ? text : steps.part(text);
}

/** What the words of a place can depend on. */
export function told(walk: Walk, place: Place): Told {
  const { query } = lookAt(walk, place);
  const before = walk.target.slice(0, place.step).map(({ text, begins }) => (begins ? ` ${text}` : text)).join("").trim();
  return {
    model: walk.model, before, word: shown(walk.target[place.step]!), source: shown(walk.source[place.source]!), query: query.length,
    memory: walk.memory[0]!.length, last: walk.steps[0]!.last.length, vocabulary: walk.vocabulary,
    layer: place.layer, head: place.head, heads: walk.heads, layers: walk.keys.length,
  };
}

export const draw: Record<Station, (walk: Walk, place: Place) => Node[]> = {
  read: (walk, { source }) => {
    const sign = walk.vector || walk.heads === 1 ? "h" : "m";
    return strips(names.read.title, walk.memory.map((values, j) => ({ name: shown(walk.source[j]!), sign, values, chosen: j === source })), { first: words.piece });
  },

  ask: (walk, place) => {
    const { state, query } = lookAt(walk, place);
    const [sign, name] = walk.heads === 1 ? ["s", words.state] : ["x", words.layerState];
    return [...strips(names.ask.title, [named(sign!, name!, state)]), ...strips(names.ask.title, [named("q", words.question, query)])];
  },

  compare: (walk, place) => {
    const { query, key, scores } = lookAt(walk, place);
    const terms = termsOf(query, key, walk.vector);
    const products = Float32Array.from(terms, ({ product }) => product);
    const name = shown(walk.source[place.source]!);
    const sum = element("div", "", "beside");
    sum.append(
      termTable(walk, place),
      tableOf("scores", words.score, [words.piece, words.score], walk.source.map((piece, j) => ({
        head: shown(piece), cells: [written(scores[j]!)], chosen: j === place.source,
      }))));
    return [
      ...strips(words.terms, [named("q", words.question, query), named("k", words.key(name), key)]),
      ...strips(words.terms, [named("", words.terms, products)], { withScale: false }), sum,
    ];
  },

  share: (walk, place) => {
    const { scores, weights } = lookAt(walk, place);
    const { most, powers, sum } = powersOf(scores);
    const rows: Row[] = walk.source.map((piece, j) => ({
      head: shown(piece), chosen: j === place.source,
      cells: [written(scores[j]!), written(scores[j]! - most), writtenPower(powers[j]!), decimal(weights[j]!, 3), bar(weights[j]!)],
    }));
    rows.push({ head: words.sum, closing: true, cells: ["", "", decimal(sum, 4), decimal(weights.reduce((a, b) => a + b), 3), ""] });
    const { source } = place;
    const example = words.share(shown(walk.source[source]!), writtenPower(powers[source]!), decimal(sum, 4), decimal(weights[source]!, 3));
    return [element("p", example, "formula"), tableOf("shares", names.share.title, [words.piece, words.score, words.lessMost, words.power, words.weight, ""], rows)];
  },

  gather: (walk, place) => {
    const { weights, values, context } = lookAt(walk, place);
    const sign = walk.heads === 1 ? "h" : "v";
    const largest = largestOf(values);
    const rows: Row[] = values.map((value, j) => {
      const part = value.map((x) => x * weights[j]!);
      const name = shown(walk.source[j]!);
      return { head: name, chosen: j === place.source, cells: [decimal(weights[j]!, 3), strip(words.scaled(sign), part, largest), beginning(part)] };
    });
    rows.push({ head: "c", closing: true, cells: ["", strip(words.context, context, largest), beginning(context)] });
    return [
      tableOf("strips weighed", names.gather.title, [words.piece, words.weight, words.scaled(sign), words.begins], rows), scale(largest),
    ];
  },

  "go-on": (walk, place) => {
    const { next, looks } = walk.steps[place.step]!;
    const title = names["go-on"].title;
    if (Array.isArray(next)) {
      const { before, brings, after } = (next as LayerNext[])[place.layer]!;
      return strips(title, [named("x", words.layerState, before), named("", words.brings, brings), named("new x", words.after, after)]);
    }
    const { input, keep, candidate, state } = next as RecurrentNext;
    const share = keep.reduce((sum, z) => sum + z, 0) / keep.length;
    const old = looks[0]!.state;
    const [z, n, s, mixed] = [keep, candidate, old, state].map((list) => written(list[0]!, 3));
    return [
      element("p", words.mixed(z!, n!, s!, mixed!), "formula"),
      ...strips(title, [named("x", words.input, input)], { withScale: false }),
      ...strips(title, [
        named("c", words.context, looks[0]!.context), named("s", words.oldState, old), named("n", words.candidate, candidate),
        named("z", words.keep, keep), named("new s", words.newState, state),
      ]),
      element("p", words.kept(share), "kept"),
    ];
  },

  choose: (walk, place) => {
    const { guesses, written: chosen, last } = walk.steps[place.step]!;
    const rows = guesses.map((guess, i): Row => {
      const head = element("span", shown(guess));
      head.lang = "fr";
      const name = document.createDocumentFragment();
      name.append(head, ...(i === chosen ? [" ", element("small", words.written)] : []));
      return { head: name, chosen: i === chosen, cells: [written(guess.score), decimal(guess.probability, 3), bar(guess.probability)] };
    });
    return [
      ...strips(names.choose.title, [named(walk.heads === 1 ? "r" : "y", words.last, last)], { withScale: false }),
      tableOf("guesses", names.choose.title, [words.piece, words.wordScore, words.probability, ""], rows),
      ...(chosen > 0 ? [element("p", steps.long, "kept")] : []),
    ];
  },
};

interface Named {
  name: string;
  sign: string;
  values: Float32Array;
  chosen?: boolean;
}

const named = (sign: string, name: string, values: Float32Array): Named => ({ sign, name, values });

/** Lists of numbers below each other, coloured by one scale. */
function strips(caption: string, lists: readonly Named[], { withScale = true, first = words.list } = {}): Node[] {
  const largest = largestOf(lists.map(({ values }) => values));
  const rows = lists.map(({ name, sign, values, chosen = false }): Row => {
    const head = document.createDocumentFragment();
    head.append(name, ...(sign ? [" ", element("i", sign)] : []));
    return { head, chosen, cells: [strip(sign || name, values, largest), beginning(values)] };
  });
  const table = tableOf("strips", caption, [first, words.numbers(lists[0]!.values.length), words.begins], rows);
  return withScale ? [table, scale(largest)] : [table];
}

/** The terms that raise the chosen piece's score most, those that lower it most, the others, and their sum. */
function termTable(walk: Walk, place: Place): HTMLElement {
  const { query, key, scores } = lookAt(walk, place);
  const { highest, lowest, others, sum } = outermostTerms(termsOf(query, key, walk.vector), kTerms);
  const heads = walk.vector ? ["q", "k", "tanh(q + k)", "v"] : ["q", "k"];
  const blank = heads.map(() => "");
  const rows: Row[] = [...highest, ...lowest].map(({ index, factors, product }) => ({
    head: String(index + 1), cells: [...factors.map((x) => written(x)), written(product, 3)],
  }));
  rows.push({ head: words.others(query.length - 2 * kTerms), cells: [...blank, written(others, 3)] });
  rows.push({ head: words.sum, closing: true, cells: [...blank, written(sum, 3)] });
  if (walk.heads > 1) rows.push({ head: words.divided(query.length), closing: true, cells: [...blank, written(scores[place.source]!, 3)] });
  return tableOf("terms", words.outermost(kTerms), [words.number, ...heads, words.term], rows);
}
