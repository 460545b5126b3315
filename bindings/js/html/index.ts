// HTML in, HTML out: parsed as browsers do, what people read in it is translated line by line, and elements go where their
// words go. Loaded when it is first asked for.
import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { languageOf } from "../language-tags.js";
import type { TranslateOptions } from "../translator-options.js";
import { htmlNamespace, isElement, isKept, isOf, readableAttributes, survey, type Traits } from "./elements.js";
import { parse, parseFragment, serializeOuter } from "./parse5.js";
import { readPassage } from "./passage.js";
import { type HtmlTranslator, SentenceQueue } from "./queue.js";
import { hasWords, type SentenceTranslator } from "./sentence.js";
import { translatePassage } from "./translate.js";

/**
 * Translates a fragment, as `innerHTML` of a `<body>` takes it, or a whole document if it begins like one. What comes out
 * comes in pieces: the elements of the outermost level, and what stands between them.
 * @throws what the translator throws.
 */
export async function* streamHtml(html: string, translator: HtmlTranslator, options: TranslateOptions): AsyncGenerator<string, void> {
  const queue = new SentenceQueue(translator, options);
  try {
    const document = new Document(html, translator, queue);
    if (document.mark) yield document.mark;
    for (const line of document.lines()) yield await document.translate(line);
  } finally {
    queue.close();
  }
}

/** The same of several texts as a whole: sentences of all of them are translated together. */
export async function translateHtml(texts: readonly string[], translator: HtmlTranslator, options: TranslateOptions): Promise<string[]> {
  const queue = new SentenceQueue(translator, options);
  try {
    const documents = texts.map((html) => new Document(html, translator, queue));
    return await Promise.all(
      documents.map(async (document) => document.mark + (await Promise.all([...document.lines()].map((line) => document.translate(line)))).join("")),
    );
  } finally {
    queue.close();
  }
}

/** Comments and the first line of XHTML may stand before. */
const beginsDocument = /^\s*(?:(?:<!--(?:(?!-->).)*-->|<\?[^>]*>)\s*)*<(?:!doctype|html)\b/is;
/** What a file may begin with, and what the parser would take for text. */
const byteOrderMark = /^\ufeff?/;

const body: Tree.Element = {
  nodeName: "body",
  tagName: "body",
  namespaceURI: htmlNamespace,
  attrs: [],
  childNodes: [],
  parentNode: null,
};

function serialize(node: Tree.ChildNode): string {
  if (node.nodeName !== "#documentType") return serializeOuter(node);
  // Some old documents are shown by other rules because of what stands here.
  const { name, publicId, systemId } = node as Tree.DocumentType;
  const quoted = (id: string) => (id.includes('"') ? `'${id}'` : `"${id}"`);
  const ids = publicId ? ` PUBLIC ${quoted(publicId)}${systemId && ` ${quoted(systemId)}`}` : systemId && ` SYSTEM ${quoted(systemId)}`;
  return `<!DOCTYPE ${name}${ids}>`;
}

/** A fragment or a document while it is translated, in place. */
class Document {
  /** What it begins with that is no HTML. */
  readonly mark: string;
  readonly #root: Tree.ParentNode;
  readonly #traits: Map<Tree.Element, Traits>;
  readonly #translator: SentenceTranslator;
  readonly #source: string;
  readonly #target: string;

  constructor(html: string, { sourceLanguage, targetLanguage }: HtmlTranslator, sentences: SentenceTranslator) {
    this.mark = byteOrderMark.exec(html)![0];
    const read = html.slice(this.mark.length);
    this.#root = beginsDocument.test(read) ? parse(read) : parseFragment(body, read, {});
    this.#source = languageOf(sourceLanguage);
    this.#target = targetLanguage;
    this.#traits = survey(this.#root, this.#source);
    this.#translator = sentences;
  }

  /** Siblings, those of the outermost level first of all, in groups: each block alone, and what stands between two blocks, a line of text. */
  *lines(siblings: readonly Tree.ChildNode[] = this.#root.childNodes): Generator<Tree.ChildNode[]> {
    let line: Tree.ChildNode[] = [];
    for (const node of siblings) {
      if (!this.#isBlock(node)) {
        line.push(node);
        continue;
      }
      if (line.length > 0) yield line;
      yield [node];
      line = [];
    }
    if (line.length > 0) yield line;
  }

  #isBlock(node: Tree.ChildNode | undefined): node is Tree.Element {
    return isElement(node) && this.#traits.get(node)?.kind === "block";
  }

  /** A group of the outermost level in its translation, with all that is in it. */
  async translate(group: Tree.ChildNode[]): Promise<string> {
    const elements: Tree.Element[] = [];
    const translation = this.#translateGroup(group, false, elements);
    // All is read at once, and put into its place when it is translated.
    const inside: Promise<void>[] = [];
    for (let element = elements.pop(); element; element = elements.pop()) {
      const traits = this.#traits.get(element);
      // What is kept may have something in it that is not.
      if (!traits || traits.kind === "closed") continue;
      if (isKept(traits)) {
        for (const child of element.childNodes) if (isElement(child)) elements.push(child);
        continue;
      }
      inside.push(this.#translateAttributes(element), this.#translateContent(element, traits, elements));
    }
    const [nodes] = await Promise.all([translation, ...inside]);
    return nodes.map(serialize).join("");
  }

  async #translateContent(element: Tree.Element, { preformatted }: Traits, later: Tree.Element[]): Promise<void> {
    const groups = [...this.lines(element.childNodes)].map((line) => this.#translateGroup(line, preformatted, later));
    element.childNodes = (await Promise.all(groups)).flat();
  }

  /** @param later gets, at once, the elements that have texts of their own. */
  async #translateGroup(group: Tree.ChildNode[], preformatted: boolean, later: Tree.Element[]): Promise<Tree.ChildNode[]> {
    const [first] = group;
    if (this.#isBlock(first)) {
      later.push(first);
      return group;
    }
    const passage = readPassage(group, this.#traits, this.#source, preformatted);
    later.push(...passage.others);
    const attributes = passage.elements.map((element) => this.#translateAttributes(element));
    const translation = hasWords(passage.text) ? translatePassage(passage, this.#translator, this.#source) : group;
    const [nodes] = await Promise.all([translation, ...attributes]);
    return nodes;
  }

  async #translateAttributes(element: Tree.Element): Promise<void> {
    const lang = element.attrs.find(({ name }) => name === "lang");
    if (lang && isOf(lang.value, this.#source) && this.#traits.get(element)?.kind !== "closed") lang.value = this.#target;
    const readable = readableAttributes(element).filter(({ value }) => hasWords(value));
    await Promise.all(readable.map(async (attribute) => (attribute.value = await this.#translator.translate(attribute.value))));
  }
}
