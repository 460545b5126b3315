// HTML in and out, with the models themselves.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { defaultTreeAdapter, html as names, parse, parseFragment, serialize } from "parse5";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
let installed, softalign, Translator, translator;
before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
  ({ Translator } = softalign);
  softalign.setModelBase(hosted); // for what the package does not carry
  translator = await Translator.create(enFr);
});
after(async () => {
  translator?.destroy();
  await installed?.remove();
});

const html = (text, options) => translator.translate(text, { html: true, ...options });

/** A fragment as `innerHTML` of a body has it. */
const fragment = (text) => parseFragment(defaultTreeAdapter.createElement("body", names.NS.HTML, []), text, {});

function* nodesIn(root) {
  const nodes = [root];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    yield node;
    nodes.push(...[...(node.content?.childNodes ?? []), ...(node.childNodes ?? [])].reverse());
  }
}
const textOf = (text) => [...nodesIn(fragment(text))].map(({ nodeName, value }) => (nodeName === "#text" ? value : "")).join("");
const collapse = (text) => text.replace(/[ \t\n\f\r]+/g, " ").trim();

/** Each line the source and, after an arrow, what it becomes. */
async function become(table) {
  for (const line of table.trim().split(/\n\s*/)) {
    const [source, expected = source] = line.split(" => ");
    assert.equal(await html(source), expected, source);
  }
}

describe("elements", () => {
  test("go where their words go", () =>
    become(`
      I <b>really</b> love <a href="x">this little house</a>. => J'adore <b>vraiment</b> <a href="x">cette petite maison</a>.
      The <b>red</b> <i>house</i> <u>is</u> on the <em>street</em>. => La <i>maison</i> <b>rouge</b> <u>est</u> sur la <em>rue</em>.
      My <b>brother</b> lives in a <a href="/city">big city</a>. => Mon <b>frère</b> vit dans une <a href="/city">grande ville</a>.
      I don't <strong>want</strong> to go <i>home</i>. => Je ne <strong>veux</strong> pas aller <i>chez moi</i>.
      This is <b>not</b> my car. => Ce n'est <b>pas</b> ma voiture.
      Where is the <a id="x" href="#">train station</a>? => Où est la <a id="x" href="#">gare</a> ?
      It is <b>5</b> o'clock. => Il est <b>5</b> heures.
      <i>Tom</i>&nbsp;is here. => <i>Tom</i> est ici.
    `));

  test("come in the order of their words", () =>
    become(`
      She <a href="1">gave</a> <a href="2">him</a> <a href="3">the book</a> <a href="4">yesterday</a>. => Elle <a href="2">lui</a> <a href="1">donna</a> <a href="3">le livre</a> <a href="4">hier</a>.
    `));

  test("stay inside each other", () =>
    become(`
      The <b><i>big</i> house</b> and the <a id="q">small car</a> are <b>blue</b>. => La <b><i>grande</i> maison</b> et la <a id="q">petite voiture</a> sont <b>bleue</b>.
      The <a href="a"><b>white</b> horse</a> is old. => Le <a href="a">cheval <b>blanc</b></a> est vieux.
    `));

  test("are cloned where their words part, the id staying with the first", () =>
    become(`
      <p>He <b id="n">never</b> sleeps.</p> => <p>Il <b id="n">ne</b> dort <b>jamais</b>.</p>
      I <b class="c" id="n">do not</b> like this book. => Je <b class="c" id="n">n'</b>aime <b class="c">pas</b> ce livre.
    `));

  test("go on from one sentence to the next", () =>
    become(`
      He opened the <b>door</b>. <i>Tom</i> was there. => Il ouvrit la <b>porte</b>. <i>Tom</i> était là.
      <b>I am cold. I am <i>hungry</i>.</b> => <b>J'ai froid. J'ai <i>faim</i>.</b>
      I am <b>cold. I</b> am hungry. => J'ai <b>froid. J'</b>ai faim.
    `));
});

describe("what has no words", () => {
  test("keeps its place among them", () =>
    become(`
      I love <img src="a">this little house. => J'adore <img src="a">cette petite maison.
      A friend of the <img> man saw me. => Un ami de <img> l'homme me vit.
      <i>Tom</i><!--c--> <b>is</b> here. => <i>Tom</i><!--c--> <b>est</b> ici.
      <label><input type="checkbox"> I agree.</label> => <label><input type="checkbox"> Je suis d'accord.</label>
      <a href="/"><i class="icon"></i> My house</a> is old. => <a href="/"><i class="icon"></i> Ma maison</a> est vieille.
      I know <a href="/"><i class="icon"></i> your sister</a>. => Je connais <a href="/"><i class="icon"></i> ta sœur</a>.
    `));

  test("marks of notes stay with their word", () =>
    become(`
      The cat<sup><a href="#1">[1]</a></sup> is white. => Le chat<sup><a href="#1">[1]</a></sup> est blanc.
    `));

  test("a line break ends a sentence, unless it stands in the middle of one", () =>
    become(`
      He is <b>very</b> tall.<br>She is small. => Il est <b>très</b> grand.<br>Elle est petite.
      I love this<br>little house. => J'adore cette <br>petite maison.
      I am<br><br>cold. => Je suis<br><br>froid.
    `));
});

describe("texts", () => {
  test("are what blocks hold", async () => {
    const [cold, hungry] = [await translator.translate("I am cold."), await translator.translate("I am hungry.")];
    for (const [before, between, after] of [
      ["<p>", "</p><p>", "</p>"],
      ["<ul><li>", "</li><li>", "</li></ul>"],
      ["<table><tbody><tr><td>", "</td><td>", "</td></tr></tbody></table>"],
      ["", "<div>", "</div>"],
      ["<a><div>", "</div>", "</a>"],
      ["", "<hr>", ""],
      ["<select><option>", "</option><option>", "</option></select>"],
      ["<button>", "</button><button>", "</button>"],
    ]) {
      assert.equal(await html(before + "I am cold." + between + "I am hungry." + after), before + cold + between + hungry + after);
    }
    assert.equal(await html("I am cold. <button>I am hungry.</button>"), `${cold} <button>${hungry}</button>`);
  });

  test("keep the white space around them; inside it counts for one space", async () => {
    const [cold, hungry] = [await translator.translate("I am cold."), await translator.translate("I am hungry.")];
    assert.equal(await html("<div>\n\t<p>\n  I am\n  cold.\n\n  I   am\thungry.\n</p>\n</div>\n"), `<div>\n\t<p>\n  ${cold}\n\n  ${hungry}\n</p>\n</div>\n`);
    assert.equal(await html("<pre>\n\n  I am cold.\n\tI am hungry.\n</pre>"), `<pre>\n\n  ${cold}\n\t${hungry}\n</pre>`);
    assert.equal(await html("<p>I <b>am\n  </b>\n <i> cold</i>.</p>"), "<p>J'<b>ai</b> <i>froid</i>.</p>");
  });

  test("without words, and what comes out unchanged, keep their markup exactly", () =>
    become(`
      <td>1</td> 12 <b>13</b>  <i> 14</i> - => 1 12 <b>13</b>  <i> 14</i> -
      <table><tbody><tr><td> 1,000 </td><td><b>50</b> %</td></tr></tbody></table>
      <p> <b> 3 </b> &lt; <i>4 </i>&amp;&nbsp;5 </p>
    `));

  test("keep their markup exactly when they come out unchanged", async () => {
    // A translator that knows nothing to say differently.
    const { translateHtml } = await import(new URL(`file://${installed.path("node_modules/softalign/dist/html/index.js")}`));
    const echo = { sourceLanguage: "en", targetLanguage: "fr", lanes: 1, translate: async (texts) => texts };
    echo.explain = async (text) => ({ source: text, translation: text, sourceTokens: [], targetTokens: [], attention: null });
    const text = '<p> I <b>am <i> cold </i></b>,  <a><img> and</a><!---->\n you. <b>Are</b> </p>\n<b>x<br>y</b>';
    assert.deepEqual(await translateHtml([text], echo, {}), [text]);
  });

  const documents = [
    "I <b>really</b> love <a href=x>this little house</a>.",
    "<p>Hello, <b>my friend</b>! <i>How are you?</i> I am <u>cold</u>, <s>but I don't want</s> to go home yet.",
    "<h1>The old man</h1>",
    "<p><a>Do</a> <b>you</b> <i>know</i> <u>where</u> <s>my</s> <q>dog</q> <em>is</em>?</p>",
    "<b>I</b>'m<i> not</i> <u>su<s>re</s></u> <b>I</b> <b>can</b> <b>do</b> that.",
    "&lt;b&gt;Bold&lt;/b&gt; &amp; <i>old</i> &copy; 2020",
    "The <b>lavishness</b> of <i>the <b>party</b></i> amazed <u>everybody</u>.",
  ];
  for (const model of ["en-fr-transformer", "en-fr-additive", "en-fr-dot", "en-fr-plain"]) {
    test(`read as the translation of what they were, ${model}`, async () => {
      const own = await Translator.create({ ...enFr, model });
      for (const text of documents) {
        assert.equal(collapse(textOf(await own.translate(text, { html: true }))), collapse(await own.translate(collapse(textOf(text)))), text);
      }
      own.destroy();
    });
  }

  test("that are attributes are translated, too", async () => {
    const cat = await translator.translate("The cat is black.");
    for (const tag of [
      '<img alt="*">', '<p title="*"></p>', '<input placeholder="*">', '<textarea placeholder="*"></textarea>', '<b aria-label="*"></b>',
      '<input type="button" value="*">', '<svg aria-label="*"></svg>', '<option label="*"></option>', '<video title="*"></video>',
    ]) {
      assert.equal(await html(tag.replace("*", "The cat is black.")), tag.replace("*", cat));
    }
    await become(`
      <a href="the cat" class="the cat" data-title="The cat is black."></a>
      <input value="The cat is black."><input type="submit" value="The cat is black.">
      <img alt="12"><p alt="The cat is black."></p>
      <p translate="no" title="The cat is black."></p>
    `);
  });
});

describe("what stays as it is", () => {
  test("is no text, somebody's own or said to stay", () =>
    become(`
      <script>I am cold.</script><style>I am cold.</style><template><p>I am cold.</p></template><noscript>I am cold.</noscript>
      <textarea>I am cold.</textarea><svg><text>I am cold.</text></svg><math><mi>I am cold.</mi></math><iframe>I am cold.</iframe>
      <code>I am cold.</code> <kbd>I am cold.</kbd><p><samp>I am cold.</samp></p><pre><code>I am cold.\u2028I am.</code></pre>
      <p translate="no">I am <b>cold</b>.</p><p class="a notranslate b">I am cold.</p><p lang="fr">I am cold.</p>
      <!-- I am cold. -->
    `));

  test("unless something in it says otherwise", async () => {
    const cold = await translator.translate("I am cold.");
    assert.equal(await html('<div translate="no">I am <p translate="yes">I am cold.</p></div>'), `<div translate="no">I am <p translate="yes">${cold}</p></div>`);
    assert.equal(await html('<b translate="no">I am <i translate="">I am cold.</i></b>'), `<b translate="no">I am <i translate="">${cold}</i></b>`);
    assert.equal(await html('<p lang="de">I am <i lang="en">I am cold.</i></p>'), `<p lang="de">I am <i lang="fr">${cold}</i></p>`);
    assert.equal(await html('<code translate="yes">I am cold.</code>'), `<code translate="yes">${cold}</code>`);
  });

  test("stands in its sentence as a name does", () =>
    become(`
      Yesterday we saw a <span translate="no">Rembrandt</span> in the museum. => Hier, nous avons vu un <span translate="no">Rembrandt</span> dans le musée.
      I saw <b class="notranslate">Mr. Jones</b> in the garden. => J'ai vu <b class="notranslate">Mr. Jones</b> dans le jardin.
      <p>Do you know <i lang="es">Don Quijote</i>?</p> => <p>Savez-vous <i lang="es">Don Quijote</i> ?</p>
    `));

  test("is not shown to the model if it is longer than a name, and has its place all the same", async () => {
    const code = "<code>let x = 1. Then y = 2;</code>";
    const out = await html(`<p>I really love ${code} this little house.</p>`);
    assert.ok(out.includes(code));
    assert.equal(collapse(textOf(out.replace(code, ""))), await translator.translate("I really love this little house."));
  });

  test("the language of what was translated is the new one", () =>
    become(`
      <p lang="en-GB">I am <b lang="EN">cold</b>.</p> => <p lang="fr">J'ai <b lang="fr">froid</b>.</p>
    `));
});

test("a whole document comes back whole", async () => {
  const cold = await translator.translate("I am cold.");
  assert.equal(
    await html('<!doctype html>\n<html lang="en"><head><title>I am cold.</title></head><body class="a"><p>I am cold.</p></body></html>'),
    `<!DOCTYPE html><html lang="fr"><head><title>${cold}</title></head><body class="a"><p>${cold}</p></body></html>`,
  );
  // What editors and XHTML write before it.
  assert.equal(await html("\ufeff<!doctype html><p>I am cold.</p>"), `\ufeff<!DOCTYPE html><html><head></head><body><p>${cold}</p></body></html>`);
  assert.equal(await html("\ufeff<p>I am cold.</p>"), `\ufeff<p>${cold}</p>`);
  assert.match(
    await html('<?xml version="1.0"?>\n<!DOCTYPE html>\n<html lang="en"><head><title>I am cold.</title></head><body class="a"><p>I am cold.</p></body></html>'),
    /<!DOCTYPE html><html lang="fr"><head><title>.+<\/title><\/head><body class="a"><p>.+<\/p><\/body><\/html>$/);
  const old = '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><html><head></head><body>1</body></html>';
  assert.equal(await html(`<!-- a --> <!-- b -->${old}`), `<!-- a --><!-- b -->${old}`);
});

describe("malformed HTML", () => {
  const hostile = [
"", " ", "<", ">", "</", "<!", "<?", "&", "&#", "&#x110000;", "<!--", "<!-->", "--!>", "<![CDATA[I am cold.]]>", "<b", "<b a",
    "<b a='", "</b>", "<b/>I", "\0", "I\0am", "<\0>", "\ud800", "I am <b>\udc00cold</b>", "<p><div></p></div>",
    "<b><p>I am</b> cold", "<a><a>I</a></a>", "<table>I <tr>am <td>cold", "<select><p>I am", "<b><i>I am</b> cold</i>",
    "<svg><p>I am", "<math><mi><p>I", "<textarea>I am", "<title>I am", "<script>I am", "<style><b>", "<xmp>I <b>am</xmp>",
    "<form><form>I", "<p></br></p>", "<template><td>I am", "<frameset><frame>", "<body a=b>I", "<html c=d>I", "<head>I",
    "<image>", "<isindex>", "<nobr>I<nobr>am", "<ruby>I<rt>am<rp>cold", "<b><table><b>I<td>am",
  ];

  test("is never refused, and what comes out is what it is parsed as", async () => {
    for (const text of hostile) {
      const out = await html(text);
      const tree = out.startsWith("<html") ? parse(out) : fragment(out);
      assert.equal(serialize(tree), out, JSON.stringify(text));
    }
  });

  test("can be anything", async () => {
    // The same soup each time.
    let seed = 4;
    const random = (below) => (seed = (seed * 48271) % 0x7fffffff) % below;
    const pick = (list) => list[random(list.length)];
    const tags = (
      "b i a em span p div ul li table tr td br img input code pre select option button h1 sub sup u svg template label hr kbd " +
      "ruby rt details"
    ).split(" ");
    const attributes = ["", "", "", ' translate="no"', ' lang="fr"', ' lang="en"', ' title="my dog"', ' alt="A cat."', ' translate="yes"'];
    const words = [
      "I am cold. ", "my ", "house", " ", "\n", "don't ", "Tom's ", "The red car", "really ", "Where is my book? ", ", ", ".", "! ", "12 ",
      "&amp;", "&lt;", "&nbsp;", "\0", "é", "😀", "<", ">", "<!-- c -->", "\ud800",
    ];
    const values = (tree, name) => [...nodesIn(tree)].flatMap(({ attrs }) => attrs?.find((one) => one.name === name)?.value ?? []);
    const numbers = (tree) => [...new Set(values(tree, "n"))].sort();
    const ids = (tree) => values(tree, "id").sort(); // the parser clones them, too
    for (let i = 0, n = 0; i < 250; ++i) {
      let soup = "";
      for (let left = 1 + random(25); left > 0; --left) {
        const kind = random(10);
        soup += kind < 3 ? `<${pick(tags)} n=${n++} id=${n}${pick(attributes)}>` : kind < 5 ? `</${pick(tags)}>` : pick(words);
      }
      const out = await html(soup);
      const source = serialize(fragment(soup));
      // Some trees no text has: those are told from them by the parser, too.
      if (serialize(fragment(source)) !== source) continue;
      const leveled = (text) => text.replace(/(<pre[^>]*>)\n/g, "$1"); // a serialiser loses it
      assert.equal(leveled(serialize(fragment(out))), leveled(out), JSON.stringify(soup));
      assert.deepEqual(numbers(fragment(out)), numbers(fragment(soup)), JSON.stringify(soup));
      assert.deepEqual(ids(fragment(out)), ids(fragment(soup)), JSON.stringify(soup));
    }
  });

  test("can be deep or long", async () => {
    const deep = 10_000;
    const cold = await translator.translate("I am cold.");
    const becomes = async (source, expected) => assert.ok((await html(source)) === expected, source.slice(0, 20));
    for (const tag of ["div", "span"]) {
      const [open, close] = [`<${tag}>`.repeat(deep), `</${tag}>`.repeat(deep)];
      await becomes(`${open}I am cold.`, open + cold + close);
      if (tag === "span") await becomes(`I am ${open}cold${close}.`, `J'ai ${open}froid${close}.`);
    }
    const image = "<img>".repeat(100_000);
    await becomes(`I am ${image}cold.`, `J'ai ${image}froid.`);
    const row = `<table><tbody><tr>${"<td>1</td>".repeat(20_000)}</tr></tbody></table>`;
    await becomes(row, row);
    for (const endless of ["a", "a ", "<b>a</b> ", "\ufdfa"]) {
      const text = `<i>I</i> ${endless.repeat(100_000)}`;
      await assert.rejects(html(text, { signal: AbortSignal.timeout(500) }), { name: "TimeoutError" });
    }
  });
});

test("a sentence that is too long to explain is translated in parts", async () => {
  const out = await html(`<i>I</i> am cold ${"- ".repeat(6000)}<b>and hungry</b>.`);
  assert.match(out, /^<i>[^<]+<\/i>.*<b>[^<]*<\/b>/s);
});

test("a stream has whole elements, and all together what translate gives", async () => {
  const text = "I am cold. <p>I am <b>hungry</b>.</p>\n<ul><li>One<li>Two</ul>You";
  const chunks = [];
  for await (const chunk of translator.translateStreaming(text, { html: true })) chunks.push(chunk);
  assert.equal(chunks.length, 5);
  for (const chunk of chunks) assert.equal(serialize(fragment(chunk)), chunk);
  assert.equal(chunks.join(""), await html(text));
});

test("a stream that is cancelled does nothing more", async () => {
  const own = await Translator.create(enFr);
  let asked = 0;
  own.explain = (...given) => {
    ++asked; // a sentence with markup
    return Translator.prototype.explain.apply(own, given);
  };
  const reader = own.translateStreaming(`<p>Hi.</p><div>${"<p>I am <b>very</b> cold.</p>".repeat(100)}</div>`, { html: true }).getReader();
  await reader.read();
  while (asked < 3) await new Promise(setImmediate);
  await reader.cancel();
  const before = asked;
  for (let i = 0; i < 300; ++i) await new Promise(setImmediate);
  own.destroy();
  assert.ok(asked <= before + 1, `${before}, then ${asked}`);
});

test("a translator that is aborted, destroyed or asked in vain says so, with HTML, too", async () => {
  const reason = new Error("mine");
  await assert.rejects(html("<p>1</p>", { signal: AbortSignal.abort(reason) }), (error) => error === reason);
  const controller = new AbortController();
  const pending = html("<p>I am <b>cold</b>.</p>".repeat(5000), { signal: controller.signal });
  setTimeout(() => controller.abort(null), 50);
  await assert.rejects(pending, (error) => error === null);
  const own = await Translator.create(enFr);
  const unfinished = own.translate("<p>I am <b>cold</b>.</p>".repeat(5000), { html: true });
  setTimeout(() => own.destroy(), 50);
  await assert.rejects(unfinished, { name: "AbortError", code: "destroyed" });
  await assert.rejects(own.translate("<p>1</p>", { html: true }), { name: "AbortError" });
  await assert.rejects(html(3), { code: "argument", message: /number/ });
  await assert.rejects(html("a", { beam: 17 }), { code: "argument", message: /beam/ });
});

test("beam search has its say", async () => {
  const text = "I think that Tom bought the <b>old house</b> he was looking at last week.";
  assert.equal(textOf(await html(text, { beam: 4 })), await translator.translate(textOf(text), { beam: 4 }));
});

test("text is not HTML unless it is said to be", async () => {
  assert.equal(await translator.translate("<>&amp;<"), await translator.translate("<>&amp;<", { html: false }));
});

test("the notices of what the parser is made of come with it", async () => {
  const notices = String(await installed.read("dist/html/THIRD-PARTY.txt"));
  for (const name of ["parse5", "entities"]) assert.match(notices, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+\n\nCopyright `, "m"));
});
