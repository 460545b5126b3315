// HTML in, HTML out: parsed as browsers do, what people read in it is translated line by line, and elements go where their
// words go. Loaded when it is first asked for.
import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { languageOf } from "../language-tags.js";
import type { TranslateOptions } from "../translator-options.js";
import type { Translator } from "../translator.js";
import { htmlNamespace, isElement, isKept, isOf, readableAttributes, survey, type Traits } from "./elements.js";
import { parse, parseFragment, serializeOuter } from "./parse5.js";
import { readPassage } from "./passage.js";
import { hasWords, type SentenceTranslator } from "./sentence.js";
import { translatePassage } from "./translate.js";

/**
 * Translates a fragment, as `innerHTML` of a `<body>` takes it, or a whole document if it begins like one. What comes out
 * comes in pieces: the elements of the outermost level, and what stands between them.
 * @throws what the translator throws.
 */
export async function* translateHtml(
  html: string,
  translator: Translator,
  options: TranslateOptions,
): AsyncGenerator<string, void> {
  const root = beginsDocument.test(html) ? parse(html) : parseFragment(body, html, {});
  const content = new Content(root, translator, options);
  for (const nodes of content.lines(root.childNodes)) yield (await content.translate(nodes)).map(serialize).join("");
}

const beginsDocument = /^\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype|html)\b/is;

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

/** The content of a document while it is translated, in place. */
class Content {
  readonly #traits: Map<Tree.Element, Traits>;
  readonly #translator: SentenceTranslator;
  readonly #source: string;
  readonly #target: string;

  constructor(root: Tree.ParentNode, translator: Translator, { signal, beam, glossary }: TranslateOptions) {
    this.#source = languageOf(translator.sourceLanguage);
    this.#target = translator.targetLanguage;
    this.#traits = survey(root, this.#source);
    this.#translator = {
      translate: (sentence) => translator.translate(sentence, { signal, beam, glossary }),
      explain: (sentence) => translator.explain(sentence, { signal, beam, glossary, level: "piece" }),
    };
  }

  /** Siblings in groups: each block alone, and what stands between two blocks, which is a line of text. */
  *lines(siblings: readonly Tree.ChildNode[]): Generator<Tree.ChildNode[]> {
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
  async translate(group: Tree.ChildNode[]): Promise<Tree.ChildNode[]> {
    const elements: Tree.Element[] = [];
    const translated = await this.#translateGroup(group, false, elements);
    for (let element = elements.pop(); element; element = elements.pop()) {
      const traits = this.#traits.get(element);
      // What is kept may have something in it that is not.
      if (!traits || traits.kind === "closed") continue;
      if (isKept(traits)) {
        for (const child of element.childNodes) if (isElement(child)) elements.push(child);
        continue;
      }
      await this.#translateAttributes(element);
      const children: Tree.ChildNode[] = [];
      for (const inner of this.lines(element.childNodes)) {
        for (const node of await this.#translateGroup(inner, traits.preformatted, elements)) children.push(node);
      }
      element.childNodes = children;
    }
    return translated;
  }

  /** @param later gets the elements that have texts of their own. */
  async #translateGroup(group: Tree.ChildNode[], preformatted: boolean, later: Tree.Element[]): Promise<Tree.ChildNode[]> {
    const [first] = group;
    if (this.#isBlock(first)) {
      later.push(first);
      return group;
    }
    const passage = readPassage(group, this.#traits, this.#source, preformatted);
    for (const element of passage.elements) await this.#translateAttributes(element);
    for (const element of passage.others) later.push(element);
    return hasWords(passage.text) ? translatePassage(passage, this.#translator, this.#source) : group;
  }

  async #translateAttributes(element: Tree.Element): Promise<void> {
    for (const attribute of readableAttributes(element)) {
      if (hasWords(attribute.value)) attribute.value = await this.#translator.translate(attribute.value);
    }
    const lang = element.attrs.find(({ name }) => name === "lang");
    if (lang && isOf(lang.value, this.#source) && this.#traits.get(element)?.kind !== "closed") lang.value = this.#target;
  }
}
