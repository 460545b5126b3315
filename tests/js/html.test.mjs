// Where markup goes, by alignments made by hand.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { alignWords, wordsOf } from "../../dist/html/align.js";
import { streamHtml, translateHtml } from "../../dist/html/index.js";
import { place, project } from "../../dist/html/project.js";

/** An alignment from rows like "0", "1 2" (all of the attention, shared) and "0:0.2 1:0.7". */
function alignment(sources, rows) {
  const weights = new Float32Array(rows.length * sources);
  rows.forEach((row, t) => {
    const links = row.split(" ").filter(Boolean);
    for (const link of links) {
      const [source, weight = 1 / links.length] = link.split(":");
      weights[t * sources + Number(source)] = Number(weight);
    }
  });
  return { sources, targets: rows.length, weights };
}
const span = (from, to, parent = -1, whole = false) => ({ from, to, parent, whole });

describe("an element goes", () => {
  test("with its words", () => {
    // the red house: la maison rouge
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(1, 2)]), [[2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(1, 3)]), [[1, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(0, 2)]), [[0, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(0, 3)]), [[0, 1, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), []), []);
  });

  test("around words that are aligned with nothing, if both sides are its own", () => {
    assert.deepEqual(project(alignment(4, ["0", "1", "", "2", "", "3"]), [span(1, 3)]), [[1, 2, 3]]);
    assert.deepEqual(project(alignment(2, ["", "0", "1", ""]), [span(0, 1)]), [[1]]);
  });

  test("over a word that is aligned with another by little more than with it, but not over one that is another's", () => {
    assert.deepEqual(project(alignment(4, ["1", "3:0.6 2:0.4", "2", "3"]), [span(1, 3)]), [[0, 1, 2]]);
    // I do not know: je ne sais pas
    assert.deepEqual(project(alignment(4, ["0", "1", "3", "2"]), [span(1, 3)]), [[1, 3]]);
  });

  test("once, unless a word far away is clearly its own", () => {
    assert.deepEqual(project(alignment(5, ["0", "1", "2", "3", "4:0.3 1:0.7"]), [span(1, 2)]), [[1]]);
    assert.deepEqual(project(alignment(5, ["0", "1", "2", "3", "4:0.1 1:0.9"]), [span(1, 2)]), [[1, 4]]);
  });

  test("to the word that looked at it most, if none is its own", () => {
    assert.deepEqual(project(alignment(3, ["0", "2:0.8 1:0.1", "2:0.7 1:0.3"]), [span(1, 2)]), [[2]]);
    assert.deepEqual(project(alignment(3, ["0", "2:0.98 1:0.02", "2"]), [span(1, 2)]), [[]]);
    assert.deepEqual(project(alignment(3, ["", "", ""]), [span(1, 2)]), [[]]);
    assert.deepEqual(project(alignment(3, []), [span(1, 2)]), [[]]);
  });

  test("beside its siblings, each with a word of its own", () => {
    const words = ["1", "0", "2", "3"];
    assert.deepEqual(project(alignment(4, words), [span(0, 1), span(1, 2), span(2, 4)]), [[1], [0], [2, 3]]);
    // Both want the same word: who is surer has it.
    const shared = alignment(3, ["0:0.9 1:0.1", "1:0.4 0:0.6", "2"]);
    assert.deepEqual(project(shared, [span(0, 1), span(1, 2)]), [[0], [1]]);
  });

  test("inside the one around it, however its words are aligned", () => {
    const words = ["0", "1", "2", "3", "2"];
    assert.deepEqual(project(alignment(4, words), [span(1, 3), span(2, 3, 0)]), [[1, 2, 4], [2, 4]]);
    for (const [outer, inner] of [[span(1, 3), span(1, 3, 0)], [span(0, 4), span(0, 4, 0)]]) {
      const [around, within] = project(alignment(4, ["0", "1:0.5 3:0.5", "", "2", "3"]), [outer, inner]);
      assert.deepEqual(within, around, "what has the same words has the same place");
    }
    // Its best word is outside of the other.
    const far = alignment(4, ["0", "1", "1", "3:0.6 2:0.4", "3"]);
    const [outer, inner] = project(far, [span(1, 3), span(2, 3, 0)]);
    assert.deepEqual(outer, [1, 2]);
    assert.deepEqual(inner, []);
  });

  test("whole to one place, around what is its own beyond doubt, or nowhere", () => {
    const code = span(1, 3, -1, true);
    assert.deepEqual(project(alignment(4, ["0", "1", "2", "3", "1"]), [code]), [[1, 2]]);
    assert.deepEqual(project(alignment(4, ["0", "1", "", "2", "3"]), [code]), [[1]]);
    assert.deepEqual(project(alignment(4, ["0:0.6 1:0.4", "3:0.6 2:0.4", "3"]), [code]), [[]]);
    assert.deepEqual(project(alignment(2, ["0", "1"]), [span(0, 2, -1, true)]), [[0, 1]]);
  });

  test("through thousands of others", () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => span(0, 2, i - 1));
    assert.deepEqual(project(alignment(2, ["1", "0"]), chain).at(-1), [0, 1]);
  });
});

describe("what has no words goes", () => {
  // the red house is old: la maison rouge est vieille
  const words = alignment(5, ["0", "2", "1", "3", "4"]);
  const all = { from: 0, to: 5, own: [0, 1, 2, 3, 4] };

  test("before the word that is aligned with the next", () => {
    assert.deepEqual(place(words, { ...all, at: 1, clings: false }), { word: 2, clings: false });
    assert.deepEqual(place(words, { ...all, at: 2, clings: false }), { word: 1, clings: false });
    assert.deepEqual(place(words, { ...all, at: 0, clings: false }), { word: 0, clings: false });
  });

  test("after the one that it clings to, or where there is no other", () => {
    assert.deepEqual(place(words, { ...all, at: 2, clings: true }), { word: 3, clings: true });
    assert.deepEqual(place(words, { ...all, at: 5, clings: false }), { word: 5, clings: true });
    assert.deepEqual(place(words, { ...all, at: 0, clings: true }), { word: 0, clings: false });
  });

  test("by a word farther on if the next is aligned with nothing", () => {
    const gap = alignment(3, ["0", "2"]);
    assert.deepEqual(place(gap, { from: 0, to: 3, own: [0, 1], at: 1, clings: false }), { word: 1, clings: false });
    assert.deepEqual(place(alignment(2, ["", ""]), { from: 0, to: 2, own: [0, 1], at: 1, clings: false }), { word: 0, clings: false });
    assert.deepEqual(place(alignment(2, []), { from: 0, to: 2, own: [], at: 1, clings: false }), { word: 0, clings: false });
  });

  test("no farther than its element does", () => {
    assert.deepEqual(place(words, { from: 1, to: 3, own: [1, 2], at: 3, clings: false }), { word: 2, clings: true });
    assert.deepEqual(place(words, { from: 1, to: 3, own: [2], at: 2, clings: false }), { word: 3, clings: true });
  });
});

/** Pieces of a text that is written with | between them. */
function pieces(marked) {
  const text = marked.replaceAll("|", "");
  let at = 0;
  const tokens = marked.split("|").map((raw) => {
    const start = at + raw.length - raw.trimStart().length;
    at += raw.length;
    return raw.trim() === "" ? { text: raw, start: at - raw.length, end: at } : { text: raw.trim(), start, end: at };
  });
  return { text, tokens };
}

describe("words", () => {
  const cut = (marked, ...ends) => {
    const { text, tokens } = pieces(marked);
    return wordsOf(tokens, new Set(ends)).map(({ start, end }) => text.slice(start, end));
  };

  test("are cut at white space, marks, digits and after apostrophes", () => {
    assert.deepEqual(cut("J|'|adore| vrai|ment| |ça|."), ["J'", "adore", "vraiment", "ça", "."]);
    assert.deepEqual(cut("H|2|O| as|-|tu| (|non|)"), ["H", "2", "O", "as-tu", "(", "non", ")"]);
    assert.deepEqual(cut(" "), []);
    assert.deepEqual(cut("a|!|!"), ["a", "!", "!"]);
  });

  test("and where an element ends, if a piece does", () => {
    assert.deepEqual(cut("un|believ|able", 2), ["un", "believable"]);
    assert.deepEqual(cut("un|believ|able", 3), ["unbelievable"]);
  });

  const explanation = (source, translation, attention) => {
    const [from, to] = [pieces(source), pieces(translation)];
    return { source: from.text, translation: to.text, sourceTokens: from.tokens, targetTokens: to.tokens, attention };
  };

  test("are aligned as their pieces are", () => {
    const attention = Float32Array.of(0.5, 0.3, 0, 0, 0, 0);
    const { weights, sources, targets } = alignWords(explanation("dea|r me", "cher| à| moi", attention), new Set());
    assert.deepEqual([sources, targets], [1, 3]);
    assert.ok(Math.abs(weights[0] - 0.8) < 1e-6);
    assert.deepEqual([...weights.subarray(1)], [0, 0]);
    const halves = alignWords(explanation("a| b", "c|d", Float32Array.of(0.5, 0, 0, 0.25)), new Set()).weights;
    assert.ok(Math.abs(halves[0] + halves[1] - 0.375) < 1e-6, "a row says as much as its pieces did on average");
  });

  test("are rather aligned with the same word, and with one in the same place", () => {
    const even = (source, translation) => {
      const [wide, high] = [source, translation].map((text) => text.split("|").length);
      const attention = new Float32Array(wide * high).fill(1 / wide);
      const { weights, sources } = alignWords(explanation(source, translation, attention), new Set());
      return Array.from({ length: weights.length / sources }, (_, t) => {
        const row = [...weights.subarray(t * sources, (t + 1) * sources)];
        return row.indexOf(Math.max(...row));
      });
    };
    assert.deepEqual(even("x| y| z", "a| b| c"), [0, 1, 2]);
    assert.deepEqual(even("Tom| y| z", "a| tom| b"), [0, 0, 2]);
  });

  test("that are marks count half", () => {
    const { weights } = alignWords(explanation("x| y", "a|,", Float32Array.of(1, 0, 0, 1)), new Set());
    assert.deepEqual([...weights].map((weight) => Math.round(weight * 100) / 100), [1, 0, 0, 0.5]);
  });

  test("of a model without attention are aligned by their place", () => {
    const { weights } = alignWords(explanation("x| y| z", "a| b| c", null), new Set());
    for (let i = 0; i < 3; ++i) assert.ok(weights[i * 4] > 0.9);
  });
});

/** Writes sentences backwards in capitals, without the word "zero"; the full stop stays. Each word knows where it comes from. */
const backwards = {
  sourceLanguage: "en",
  targetLanguage: "fr",
  lanes: 2,
  async explain(source) {
    const sourceTokens = [...source.matchAll(/[\p{L}\p{N}]+'?|[^\s\p{L}\p{N}]/gu)].map(({ 0: text, index }) => {
      return { text, start: index, end: index + text.length };
    });
    const order = sourceTokens.flatMap(({ text }, i) => (/^(zero|\W)$/.test(text) ? [] : i)).reverse();
    order.push(...sourceTokens.flatMap(({ text }, i) => (text === "." ? i : [])));
    let translation = "";
    const targetTokens = order.map((i) => {
      const text = sourceTokens[i].text.toUpperCase();
      if (translation !== "" && text !== "." && !translation.endsWith("'")) translation += " ";
      translation += text;
      return { text, start: translation.length - text.length, end: translation.length };
    });
    const attention = new Float32Array(order.length * sourceTokens.length);
    order.forEach((i, t) => (attention[t * sourceTokens.length + i] = 1));
    return { source, translation, sourceTokens, targetTokens, attention };
  },
  translate: (texts) => Promise.all(texts.map(async (text) => (await backwards.explain(text)).translation)),
};

async function become(table) {
  for (const line of table.trim().split(/\n\s*/)) {
    const [source, expected] = line.replaceAll("\\n", "\n").split(" => ");
    let streamed = "";
    for await (const chunk of streamHtml(source, backwards, {})) streamed += chunk;
    assert.equal(streamed, expected, source);
    assert.deepEqual(await translateHtml([source, "<p>one", source], backwards, {}), [expected, "<p>ONE</p>", expected]);
  }
}

describe("in a sentence that comes out backwards", () => {
  test("elements go with their words", () =>
    become(`
      one <b>two three</b> four. => FOUR <b>THREE TWO</b> ONE.
      <b>one</b> two <i>three</i> => <i>THREE</i> TWO <b>ONE</b>
      <a><b>one</b> two</a> three => THREE <a>TWO <b>ONE</b></a>
      <b>one two</b> => <b>TWO ONE</b>
      <p><b>one two.</b> Three <i>four</i>.</p> => <p><b>TWO ONE.</b> <i>FOUR</i> THREE.</p>
    `));

  test("an element of two sentences is in both", () =>
    become(`
      <b id="x" class="y">one two. Three</b> four. => <b id="x" class="y">TWO ONE.</b> FOUR <b class="y">THREE</b>.
      one <b>two. Three</b> => <b>TWO</b> ONE. <b>THREE</b>
    `));

  test("white space is in the elements that are on both sides of it", () =>
    become(`
      <b>one two. Three</b> => <b>TWO ONE. THREE</b>
      <p> <a> one </a> </p> => <p>  <a>ONE</a>  </p>
      <p><b> one</b> two</p> => <p> TWO <b>ONE</b></p>
      <p>one <b>two </b></p> => <p><b>TWO</b> ONE </p>
      <p>one<b> two </b>three</p> => <p>THREE <b>TWO</b> ONE</p>
    `));

  test("an object stands before the next word, or after that which it touches", () =>
    become(`
      one <img>two three => THREE <img>TWO ONE
      one two<img> three => THREE TWO<img> ONE
      one <img> two three => THREE <img> TWO ONE
      one two <img>. => TWO ONE <img>.
      one <!--a--><img><wbr>two => <!--a--><img><wbr>TWO ONE
      <img>one two<img> => <img>TWO ONE<img>
      one <img>two l' => <img>L'TWO ONE
    `));

  test("an object stays in its element, and out of others", () =>
    become(`
      <a><img> one</a> two => TWO <a><img> ONE</a>
      two <a>one <img></a> => <a>ONE <img></a> TWO
      <a><i></i>one</a> <b>two</b> => <b>TWO</b> <a><i></i>ONE</a>
      one <b>two <img>three</b> four => FOUR <b><img>THREE TWO</b> ONE
      <a>one</a> <img> <b>two</b> => <img> <b>TWO</b> <a>ONE</a>
    `));

  test("an element whose words are lost is empty, with what else is in it", () =>
    become(`
      one <b>zero</b> two => <b></b>TWO ONE
      one <a><img>zero</a> two => <a><img></a>TWO ONE
      <pre>one <a>zero\\nTwo</a> three</pre> => <pre>ONE\\nTHREE <a>TWO</a></pre>
    `));

  test("what is kept takes the place of its words, or one of its own", () =>
    become(`
      one <code>two</code> three => THREE <code>two</code> ONE
      one <b><code>two</code> four</b> three => THREE <b>FOUR <code>two</code></b> ONE
      <code>one</code> <kbd>two</kbd> => <code>one</code> <kbd>two</kbd>
    `));
});

describe("the sentences of many texts", () => {
  /** Notes what it is asked for, and answers later. */
  function slow(lanes, fail = () => false) {
    const asked = { together: [], explaining: 0, most: 0, explained: 0 };
    const answer = async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return value;
    };
    const translator = {
      ...backwards,
      lanes,
      async translate(texts) {
        asked.together.push(texts.length);
        return answer(await backwards.translate(texts));
      },
      async explain(text) {
        asked.most = Math.max(asked.most, ++asked.explaining);
        ++asked.explained;
        if (fail(text)) throw new Error(`not ${text}`);
        const explanation = await answer(await backwards.explain(text));
        --asked.explaining;
        return explanation;
      },
    };
    return { asked, translator };
  }

  test("are translated together, those with markup as many at a time as there are lanes", async () => {
    for (const lanes of [1, 3]) {
      const { asked, translator } = slow(lanes);
      const items = `<ul>${'<li title="one">One two.'.repeat(20)}${"<li>One <b>two</b>.".repeat(10)}</ul>`;
      const [list, other] = await translateHtml([items, "<p>Two. One.</p>"], translator, {});
      assert.equal(list, `<ul>${'<li title="ONE">TWO ONE.</li>'.repeat(20)}${"<li><b>TWO</b> ONE.</li>".repeat(10)}</ul>`);
      assert.equal(other, "<p>TWO. ONE.</p>");
      // Twenty texts, twenty attributes and the first sentence of the paragraph; then its second.
      assert.deepEqual(asked.together, [41, 1]);
      assert.equal(asked.most, lanes);
    }
  });

  test("that wait when one fails are forgotten", async () => {
    const { asked, translator } = slow(1, (text) => text === "Zero two.");
    const text = `<p>One <b>two</b>.<p>Zero <b>two</b>.${"<p>One <b>two</b>.".repeat(20)}`;
    await assert.rejects(translateHtml([text], translator, {}), { message: "not Zero two." });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(asked.explained <= 3, `${asked.explained} of 22 were explained`);
  });
});
