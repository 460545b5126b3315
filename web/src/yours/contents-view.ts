import type { TensorInfo } from "../engine/model-files/contents.ts";
import type { FoundFile } from "../engine/model-files/model-set.ts";
import { words } from "../words/words.ts";
import { factsOf, shapeOf, whyOnlyShown } from "./words.ts";

/** What is in the files of a model: the main things as a list, and a table of all tensors. */
export class ContentsView {
  readonly #section = document.querySelector<HTMLElement>("#contents")!;

  show(files: readonly FoundFile[]): void {
    this.#section.hidden = files.length === 0;
    this.#section.querySelector("h2")!.textContent = words.yours.contents(files.map(({ file }) => file.name).join(", "));
    this.#section.querySelector("#facts")!.replaceChildren(...files.map(list));
    const tensors = files.flatMap(({ contents }) => ("tensors" in contents ? contents.tensors : []));
    const details = this.#section.querySelector("details")!;
    details.hidden = tensors.length === 0;
    details.querySelector("summary")!.textContent = words.yours.tensors(tensors.length);
    details.querySelector(".scroll")!.replaceChildren(table(tensors));
    this.#tellWhy(files[0]);
  }

  #tellWhy(file: FoundFile | undefined): void {
    const why = file?.contents.kind === "model" ? whyOnlyShown(file.contents) : undefined;
    const place = this.#section.querySelector("#only-shown")!;
    place.replaceChildren(why?.text ?? "");
    if (why?.page) place.append(" ", Object.assign(document.createElement("a"), { href: why.page.href, textContent: why.page.name }), ".");
  }
}

function list(file: FoundFile): HTMLElement {
  const list = document.createElement("dl");
  for (const [term, text] of factsOf(file)) {
    const pair = document.createElement("div");
    pair.append(
      Object.assign(document.createElement("dt"), { textContent: term }), Object.assign(document.createElement("dd"), { textContent: text }));
    list.append(pair);
  }
  return list;
}

function table(tensors: readonly TensorInfo[]): HTMLTableElement {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  for (const textContent of words.yours.columns) {
    head.append(Object.assign(document.createElement("th"), { scope: "col", textContent }));
  }
  const body = table.createTBody();
  for (const tensor of tensors) {
    const row = body.insertRow();
    row.append(Object.assign(document.createElement("th"), { scope: "row", textContent: tensor.name }));
    for (const text of [shapeOf(tensor), tensor.type]) row.insertCell().textContent = text;
  }
  return table;
}
