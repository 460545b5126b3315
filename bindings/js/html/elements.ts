// What is to be done with each element of a document. How elements are meant is HTML's own: which begin a new line, which
// hold no text for people, which attributes are read (html.spec.whatwg.org, "Rendering" and "The translate attribute").
import type { DefaultTreeAdapterTypes as Tree } from "parse5";

export const htmlNamespace = "http://www.w3.org/1999/xhtml" as Tree.Element["namespaceURI"];

const list = (tags: string) => new Set(tags.split(" "));

/** They and their likes begin and end a text. */
const blocks = list(
  "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption " +
    "figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol " +
    "optgroup option p pre search section summary table tbody td tfoot th thead title tr ul",
);

/** They stand in a line like a picture; what is in them is a text, or several, of its own. */
const boxes = list("audio button canvas datalist marquee meter object progress select video");

/** What is in them is not for readers, is somebody's own, or tells how the word beside it sounds. */
const closed = list("iframe noembed noframes noscript plaintext rp rt script style template textarea xmp");

/** Their words are no language's, unless they say so themselves. */
const verbatim = list("code kbd samp var");

/** White space in them stays. */
const preformatted = list("listing pre");

/** Attributes that are read, and whose. */
const anyElement = new Set<string>();
const readable = new Map([
  ...["title", "aria-description", "aria-label", "aria-placeholder", "aria-roledescription", "aria-valuetext"].map(
    (name) => [name, anyElement] as const,
  ),
  ["abbr", list("th")],
  ["alt", list("area img input")],
  ["label", list("optgroup option track")],
  ["placeholder", list("input textarea")],
]);

/** How an element takes part in the text around it. */
export type Kind =
  /** It ends that text. */
  | "block"
  /** Its words are part of it. */
  | "inline"
  /** The same, but they stay as they are. */
  | "verbatim"
  /** It has a place in it, and texts of its own. */
  | "box"
  /** It has a place in it. */
  | "closed";

export interface Traits {
  kind: Kind;
  /** What it says, or what is around it: translate="no". */
  refused: boolean;
  /** It is in another language than the source's. */
  foreign: boolean;
  /** White space in it stays. */
  preformatted: boolean;
}

/** Whether what is in an element stays as it is. */
export const isKept = ({ refused, foreign }: Traits) => refused || foreign;

export const isElement = (node: Tree.Node | null | undefined): node is Tree.Element => node != null && "tagName" in node;
export const isText = (node: Tree.Node): node is Tree.TextNode => node.nodeName === "#text";
export const valueOf = ({ attrs }: Tree.Element, name: string) => attrs.find((attribute) => attribute.name === name)?.value;

/** The attributes of an element that are read. */
export function readableAttributes(element: Tree.Element): Tree.Element["attrs"] {
  const isButton = element.tagName === "input" && /^(button|reset)$/i.test(valueOf(element, "type") ?? "");
  return element.attrs.filter(({ name }) => {
    const of = readable.get(name);
    return of === anyElement || of?.has(element.tagName) || (name === "value" && isButton);
  });
}

/** Whether a language tag is of this language, as "en-GB" is of "en". */
export const isOf = (tag: string, language: string) => tag.split("-")[0]?.trim().toLowerCase() === language;

/** Looks at all elements under a node, for texts in this language. Elements with blocks in them count as blocks. */
export function survey(root: Tree.ParentNode, language: string): Map<Tree.Element, Traits> {
  const traits = new Map<Tree.Element, Traits>();
  const everywhere: Traits = { kind: "block", refused: false, foreign: false, preformatted: false };
  // `around` is missing for what is in closed elements.
  const nodes: { node: Tree.ParentNode; around?: Traits | undefined }[] = [{ node: root, around: everywhere }];
  for (let next = nodes.pop(); next; next = nodes.pop()) {
    const { node, around } = next;
    for (const child of node.childNodes) {
      if (!isElement(child)) continue;
      keepFirstLine(child);
      const own = around && traitsOf(child, around, language);
      if (own) {
        traits.set(child, own);
        if (own.kind === "block") breakUp(child.parentNode, traits);
      }
      nodes.push({ node: "content" in child ? child.content : child, around: own?.kind === "closed" ? undefined : own });
    }
  }
  return traits;
}

function traitsOf(element: Tree.Element, around: Traits, language: string): Traits {
  const { tagName, namespaceURI } = element;
  const asked = valueOf(element, "translate")?.toLowerCase();
  const lang = valueOf(element, "lang");
  const refuses = asked === "no" || verbatim.has(tagName) || /(^|\s)notranslate(\s|$)/.test(valueOf(element, "class") ?? "");
  const refused = asked !== "yes" && asked !== "" && (refuses || around.refused);
  const foreign = lang ? !isOf(lang, language) : around.foreign;
  const isClosed = namespaceURI !== htmlNamespace || closed.has(tagName);
  const kind = isClosed ? "closed" : boxes.has(tagName) ? "box" : blocks.has(tagName) ? "block" : undefined;
  return {
    kind: kind ?? (refused || foreign ? "verbatim" : "inline"),
    refused,
    foreign,
    preformatted: around.preformatted || preformatted.has(tagName),
  };
}

/** Lets what is around a block be one. */
function breakUp(parent: Tree.Node | null, traits: Map<Tree.Element, Traits>): void {
  for (; isElement(parent); parent = parent.parentNode) {
    const around = traits.get(parent);
    if (around?.kind !== "inline" && around?.kind !== "verbatim") return;
    around.kind = "block";
  }
}

/** A parser drops the first line break in these, if there is one, and a serialiser does not give it back. */
function keepFirstLine({ tagName, childNodes: [first] }: Tree.Element): void {
  if ((preformatted.has(tagName) || tagName === "textarea") && first && isText(first) && first.value.startsWith("\n")) {
    first.value = `\n${first.value}`;
  }
}
