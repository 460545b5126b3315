// What several pages say. Plain words: a visitor need not know what a tensor is.

import type { Description } from "../../elements/alignment/sayings.ts";
import type { Loadable } from "../../engine/models.ts";
import { decimal, percent } from "../language.ts";
import { type Around, type Problem, speak } from "../words.ts";

const again = "Try again";
const needs = "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.";

interface Sides {
  source: string;
  target: string;
}

export const common = {
  theme: { dark: "Dark", light: "Light", about: "Switch between light and dark" },
  offline: "Once visited, this works without a connection, too: the page and the networks it has loaded are kept in your browser.",
  cancel: "Cancel",
  details: "What exactly happened",
  /** By the codes of failures. */
  problems: {
    cancelled: {
      title: "The download was cancelled.",
      text: "What you typed is still here. Choose another kind of attention, or load this one after all.",
      retry: "Load it",
    } as Problem,
    network: {
      title: "The translator could not be downloaded.", text: "Check your connection, then try again. What you typed is still here.", retry: again,
    } as Problem,
    format: {
      title: "The downloaded model is damaged.",
      text: "It is not a file this page can read. Loading it once more often helps; another kind of attention may work meanwhile.",
      retry: "Load it again",
    } as Problem,
    unavailable: { title: "This browser cannot run the translator.", text: needs, retry: null } as Problem,
    out_of_memory: {
      title: "There is not enough memory.", text: "Closing other tabs or shortening the text may help.", retry: again,
    } as Problem,
    worker: {
      title: "The translator did not start.", text: "A part of this page could not be loaded. Check your connection, then try again.", retry: again,
    } as Problem,
    other: {
      title: "The translator stumbled over this text.", text: "That is our mistake, not yours. Changing the text or trying again may help.", retry: again,
    } as Problem,
  },
  loading: (model: Loadable, percents: number) => {
    const name = {
      transformer: "transformer", student: "student", additive: "additive model", dot: "dot-product model", plain: "model without attention", reader: "reader",
    }[model];
    return `Loading the ${name}, ${percents} %`;
  },
  view: {
    picture: "Draw", grid: "Grid", threads: "Threads",
    title: "View",
    threshold: "Fade weights below",
    links: "Weights", soft: "Soft", hard: "Hard links",
    order: "Order", original: "As written", sorted: (language: string) => `${language} sorted`,
    sums: "Sums of rows and columns",
    gold: "Our own links, made by hand",
    about: {
      hard: ({ source, target }: Sides) =>
        `Of each ${target} word only the ${source} word it looked at most is linked: its largest weight, the first of equals.`,
      source: ({ source, target }: Sides) =>
        `Each ${source} word stands where the ${target} word is that looked at it most, so where threads crossed, they run side by side.`,
      target: ({ source, target }: Sides) => `Each ${target} word stands where the ${source} word is that it looked at most.`,
    },
  },
  takeAway: {
    save: "Save as",
    png: "A picture made of pixels, for slides",
    svg: "A drawing that stays sharp in any size",
    csv: "The weights as a table, for a spreadsheet",
    json: "Words and weights, for a program or another grid",
    copy: "Copy picture", aboutCopy: "For pasting into a document",
    link: "Copy link", aboutLink: "An address that brings back what you see",
    copied: "Copied.",
    linked: "Link copied.",
    linkedInPart: "Link copied, without the text: it is too long for a link.",
    saved: "Saved.",
    refusedCopy: "The browser did not allow it. Save the picture instead.",
    refusedLink: "The browser did not allow it. The address of the page is the same link.",
    failed: "That did not work. Try another format.",
  },
  /** Of any two languages. */
  pair: {
    aside: "What the picture shows",
    legend: "How much it looked: 0 not at all, 1 only here",
    hardLegend: ({ source, target }: Sides) => `The ${source} word each ${target} word looked at most`,
    describe: (from: string, to: string, weight: number): Description => ({
      title: `${from} to ${to}: ${decimal(weight, 2)}`,
      text: `While writing “${to}”, ${percent(weight)} of the network’s attention was on “${from}”.`,
    }),
    row: { before: "While writing ", after: ", the network looked at" } as Around,
    column: { before: "", after: " was looked at while writing" } as Around,
    rest: (weight: number) => `The other ${percent(weight)} went to the mark for the end of the sentence.`,
    titles: { grid: "How to read the grid", threads: "How to read the threads" },
    first: {
      grid: ({ source, target }: Sides) =>
        `Each row is a word of the ${target} text. Its squares show how much the network looked at each ${source} word while ` +
        "writing it: the stronger the colour, the more.",
      threads: ({ source, target }: Sides) =>
        `${source} above or on the left, ${target} below or on the right. A thread joins a ${target} word with what the network ` +
        "looked at while writing it: the thicker and stronger, the more.",
    },
    pointing: {
      grid: "Point at a square or touch it. With the keyboard, press Tab, then the arrow keys.",
      threads:
        "Point at a word or a thread, or touch it. With the keyboard, press Tab, the arrow keys, and Enter for one thread after the other.",
    },
  },
};

speak({ common });
