// What the elements ask of the part that draws, and what it tells them.

import type { Place, WeighDetail } from "./data.ts";
import type { Measure, Picture } from "./picture.ts";
import type { Scheme } from "./ramp.ts";
import type { Numbers, Sayings } from "./sayings.ts";
import type { View } from "./view.ts";

/** How a board is to look, besides what is on it. */
export interface Look {
  colours: Uint8ClampedArray;
  sourceLabel: string;
  targetLabel: string;
  /** The same as a grid has them in its corner: what runs across, and what runs down. */
  names: readonly string[];
  /** The languages of the words of both sides, "" where nobody says. */
  langs: { source: string; target: string };
  /** What there is to draw in; the height is what the board should not outgrow if it can help it. */
  room: { width: number; height: number };
  say: Sayings;
  /** Whether the visitor may change weights. */
  editable: boolean;
}

/** Whoever has pointer and focus. Places are places in the view that was rendered last. */
export interface BoardListener {
  hover(place: Place): void;
  focus(place: Place): void;
  /** The visitor has settled on a place: pressed it, or come to it with the keyboard. */
  pick(place: Place): void;
  /** The visitor wants a pair to have another weight. */
  weigh(change: WeighDetail): void;
}

/** The part of an element that draws a view. */
export interface Board {
  render(view: View, look: Look): void;
  /** Marks a pair, or a word with all that belongs to it. */
  mark(place: Place): void;
  /** Lets the rows from this one on appear one after the other, if it has rows. */
  unroll?(from: number): void;
  /** Where a pair is in the window; null for a word. */
  rectOf(place: Place): DOMRect | null;
  /** Where in the window the part begins that a tooltip may cover. */
  readonly top: number;
  /** What has the keyboard's focus. */
  readonly focused: Place;
}

export interface Drawing {
  css: string;
  board: (element: HTMLElement, listener: BoardListener) => Board;
  picture: (view: View, scheme: Scheme, family: string, measure: Measure, numbers: Numbers, names: readonly string[]) => Picture;
}
