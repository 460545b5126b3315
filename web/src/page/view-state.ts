// How the figure shows its sentence, as one plain object: the controls make it, a link keeps it.

import { kPlainView, optionsFrom, type ViewOptions } from "../elements/alignment/view.ts";

export interface ViewState extends ViewOptions {
  picture: "grid" | "threads";
  /** Whether links made by hand are drawn, where there are some. */
  gold: boolean;
}

export const kFirstView: Readonly<ViewState> = { ...kPlainView, picture: "grid", gold: false };

/** Writes what differs from the first view into a link's fields. */
export function writeView(view: ViewState, fields: URLSearchParams): void {
  for (const [name, value] of Object.entries(view)) {
    if (value !== kFirstView[name as keyof ViewState]) fields.set(name, value === true ? "1" : String(value));
  }
}

/** Reads what is there and known. */
export function readView(fields: URLSearchParams): ViewState {
  const isOn = (name: string) => fields.get(name) === "1";
  return {
    ...optionsFrom((name) => (name === "sums" && !isOn("sums") ? null : fields.get(name))),
    picture: fields.get("picture") === "threads" ? "threads" : "grid",
    gold: isOn("gold"),
  };
}
