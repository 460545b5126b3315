// What the stations are made of: strips of numbers, tables, formulas.

import { words as said } from "../words/words.ts";
import { paintSigned } from "./heat-map.ts";
import { written } from "./steps-arithmetic.ts";

const words = said.steps.table;

/** At most so many squares stand in a line of a strip. */
const kLine = 80;
/** So many numbers of a strip are written out. */
const kBegins = 3;

export type Cell = string | Node;

/** A list of numbers as small squares; `largest` has the strongest colour. Its name says what a screen reader needs. */
export function strip(name: string, values: Float32Array, largest: number): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), { className: "strip" });
  const lines = Math.ceil(values.length / kLine);
  const columns = Math.ceil(values.length / lines);
  paintSigned(canvas, columns, lines, (column, line) => {
    const value = values[line * columns + column];
    return value === undefined ? undefined : value / (largest || 1);
  });
  canvas.style.setProperty("--lines", String(lines));
  canvas.setAttribute("role", "img");
  canvas.ariaLabel = words.strip(name, values.length, written(Math.min(...values)), written(Math.max(...values)));
  return canvas;
}

/** The first numbers of a list, in writing. */
export function beginning(values: Float32Array): HTMLElement {
  const numbers = [...values.subarray(0, kBegins)].map((x) => written(x));
  return element("span", `${numbers.join("  ")} …`, "begins");
}

/** What colours mean in the strips beside it. */
export function scale(largest: number): HTMLElement {
  const legend = element("p", "", "signs");
  legend.append(`${words.scale(written(largest))} `);
  for (const [name, text] of [["minus", words.minus], ["plus", words.plus]] as const) {
    const sign = document.createElement("span");
    sign.append(element("i", "", name), text);
    legend.append(sign);
  }
  return legend;
}

export interface Row {
  head: Cell;
  cells: Cell[];
  /** Whether it is the one that is looked at closely. */
  chosen?: boolean;
  /** Whether it closes the table: a sum. */
  closing?: boolean;
}

/** A table whose first column says what a row is. `kind` says which columns are wide. */
export function tableOf(kind: string, caption: string, heads: readonly string[], rows: readonly Row[]): HTMLTableElement {
  const table = element("table", "", kind);
  const title = element("caption", caption, "unseen");
  const top = document.createElement("tr");
  top.append(...heads.map((text) => (text ? cell("th", withSubscripts(text), "col") : element("td"))));
  const head = document.createElement("thead");
  head.append(top);
  const body = document.createElement("tbody");
  for (const { head: first, cells, chosen, closing } of rows) {
    const row = document.createElement("tr");
    if (chosen) row.className = "chosen";
    if (closing) row.className = "closing";
    row.append(cell("th", first, "row"), ...cells.map((content) => cell("td", content)));
    body.append(row);
  }
  table.append(title, head, body);
  return table;
}

/** Text in which "_" begins a subscript. */
export function withSubscripts(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text.split(/_(\w+)/).forEach((part, i) => fragment.append(i % 2 === 0 ? part : element("sub", part)));
  return fragment;
}

export function bar(value: number): HTMLElement {
  return Object.assign(document.createElement("meter"), { value, max: 1, ariaHidden: "true" });
}

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = "", className = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function cell(tag: "td" | "th", content: Cell, scope?: "col" | "row"): HTMLElement {
  const made = element(tag);
  if (scope) made.setAttribute("scope", scope);
  made.append(content);
  return made;
}
