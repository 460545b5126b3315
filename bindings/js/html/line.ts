import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { around, type Inline } from "./passage.js";

/** Part of a line: a text or an object in an element; without content that element itself, if it has no place yet. */
export interface Item {
  inside: Inline | undefined;
  content?: string | Tree.ChildNode;
}

/** Builds the nodes of a line, item by item. An element that comes once more is cloned. */
export class LineBuilder {
  readonly nodes: Tree.ChildNode[] = [];
  readonly #open: { inline: Inline; node: Tree.Element }[] = [];
  /** White space, whose elements depend on what comes next. */
  #spaces: { inside: Inline | undefined; content: string }[] = [];
  #last: { inside: Inline | undefined; isCopy: boolean } = { inside: undefined, isCopy: true };

  /** @param isCopy whether it is here as it is in the source. */
  add({ inside, content }: Item, isCopy = false): void {
    if (typeof content === "string" && content.trim() === "") {
      if (content !== "") this.#spaces.push({ inside, content });
      return;
    }
    if (content === undefined && inside?.placed) return;
    this.#addSpaces({ inside, isCopy });
    this.#append(inside, content);
    this.#last = { inside, isCopy };
  }

  finish(): Tree.ChildNode[] {
    this.#addSpaces({ inside: undefined, isCopy: true });
    return this.nodes;
  }

  /** White space is in the elements that are on both sides of it, unless both sides are as they came. */
  #addSpaces(next: { inside: Inline | undefined; isCopy: boolean }): void {
    const both = around(this.#last.inside, next.inside);
    const isCopy = this.#last.isCopy && next.isCopy;
    for (const { inside, content } of this.#spaces) this.#append(isCopy ? inside : around(inside, both), content);
    this.#spaces = [];
  }

  #append(inside: Inline | undefined, content: Item["content"]): void {
    this.#enter(inside);
    if (content === undefined || inside?.verbatim) return;
    const parent = this.#open.at(-1)?.node;
    const siblings = parent?.childNodes ?? this.nodes;
    const last = siblings.at(-1);
    if (typeof content !== "string") siblings.push(content);
    else if (last?.nodeName === "#text") (last as Tree.TextNode).value += content;
    else siblings.push({ nodeName: "#text", value: content, parentNode: parent ?? null });
  }

  /** Closes and opens elements until `inside` is the innermost that is open. */
  #enter(inside: Inline | undefined): void {
    const stay = around(inside, this.#open.at(-1)?.inline);
    this.#open.length = stay?.depth ?? 0;
    const path: Inline[] = [];
    for (let inline = inside; inline && inline !== stay; inline = inline.parent) path.push(inline);
    for (const inline of path.reverse()) {
      const { node, placed, verbatim } = inline;
      const parent = this.#open.at(-1)?.node;
      const attrs = placed ? node.attrs.filter(({ name }) => name !== "id") : node.attrs;
      const own: Tree.Element = { ...node, attrs, childNodes: verbatim ? node.childNodes : [], parentNode: parent ?? null };
      // What stays as it is stands once.
      if (!(verbatim && placed)) (parent?.childNodes ?? this.nodes).push(own);
      this.#open.push({ inline, node: own });
      inline.placed = true;
    }
  }
}
