// What `<pair-figure>` says, for any two languages.

import type { Description } from "../elements/alignment/sayings.ts";
import type { SideNames } from "./view-options.ts";
import type { ViewState } from "./view-state.ts";
import { percent } from "./words.ts";

interface Around {
  before: string;
  after: string;
}

export interface FigureWords {
  aside: string;
  legend: string;
  hardLegend: string;
  describe(source: string, target: string, weight: number): Description;
  row: Around;
  column: Around;
  rest(weight: number): string;
  guide(picture: ViewState["picture"]): { title: string; paragraphs: string[] };
}

const kGuides = {
  grid: {
    title: "How to read the grid",
    pointing: "Point at a square or touch it. With the keyboard, press Tab, then the arrow keys.",
  },
  threads: {
    title: "How to read the threads",
    pointing:
      "Point at a word or a thread, or touch it. With the keyboard, press Tab, the arrow keys, and Enter for one thread after the other.",
  },
};

export function figureWords({ source, target }: SideNames): FigureWords {
  return {
    aside: "What the picture shows",
    legend: "How much it looked: 0 not at all, 1 only here",
    hardLegend: `The ${source} word each ${target} word looked at most`,
    describe: (from, to, weight) => ({
      title: `${from} to ${to}: ${weight.toFixed(2)}`,
      text: `While writing “${to}”, ${percent(weight)} of the network’s attention was on “${from}”.`,
    }),
    row: { before: "While writing ", after: ", the network looked at" },
    column: { before: "", after: " was looked at while writing" },
    rest: (weight) => `The other ${percent(weight)} went to the mark for the end of the sentence.`,
    guide: (picture) => {
      const { title, pointing } = kGuides[picture];
      const first = {
        grid:
          `Each row is a word of the ${target} text. Its squares show how much the network looked at each ${source} word while ` +
          "writing it: the stronger the colour, the more.",
        threads:
          `${source} above or on the left, ${target} below or on the right. A thread joins a ${target} word with what the network ` +
          "looked at while writing it: the thicker and stronger, the more.",
      }[picture];
      return { title, paragraphs: [first, pointing] };
    },
  };
}
