// What the page "How it works" says.

import { decimal, percent } from "../language.ts";
import { type Problem, speak } from "../words.ts";

const notLoaded: Problem = {
  title: "The program that computes this could not be loaded.", text: "Check your connection, then try again.", retry: "Try again",
};

export const how = {
  problems: {
    unavailable: {
      title: "This browser cannot compute this.",
      text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.",
      retry: null,
    } as Problem,
    network: notLoaded,
    worker: notLoaded,
    out_of_memory: { title: "There is not enough memory.", text: "Closing other tabs may help.", retry: "Try again" } as Problem,
    other: { title: "The computation stopped.", text: "That is our mistake, not yours. Trying again may help.", retry: "Try again" } as Problem,
  },

  positions: {
    slider: "Position",
    ofPosition: (position: number) => `position ${position}`,
    computing: "Computing the pictures",
    legend: "A column is a position, a square one of its numbers: ",
    minus: "below 0",
    plus: "above 0",
    how: (position: number) =>
      `The line under a picture shows how like position ${position} the others are: 1 is the same, 0 nothing in common. ` +
      "Move the slider, or press a picture.",
    trained:
      "The learned, recurrent and continuous ones were trained for one thing: that attention can find the word before, the next one, and those " +
      "three away, in sentences of 32 words. The line of each has found its own way to tell neighbours apart.",
    picture: (name: string, count: number, numbers: number) => `${name} positions: a heat map of ${numbers} numbers for each of ${count} positions`,
    beyond: (position: number) => `There is no position ${position}: the table ends.`,
    alike: (position: number, near: number, far: number) =>
      `Like position ${position}: its neighbour ${decimal(near, 2)}, the position eight away ${decimal(far, 2)}.`,
    relativePicture: (head: number) => `Head ${head + 1}: how much each word looks at each other`,
    relativeCaption: (head: number) => `Head ${head + 1}`,
    relativeRow: (position: number, head: number, share: number, at: number) =>
      `Head ${head + 1}: ${percent(share)} of the attention of word ${position} goes to word ${at}.`,
  },

  kinds: {
    sinusoidal: {
      name: "Sinusoidal",
      about:
        "Waves, fast at the top and slow at the bottom, like the hands of a clock. Nothing is learned, and there is always a next position " +
        "(Vaswani and others, 2017).",
    },
    learned: {
      name: "Learned",
      about:
        "A table with a list of numbers for each position, found in training like all other weights. The table has an end: after position 31 " +
        "there is nothing (Devlin and others, 2019).",
    },
    recurrent: {
      name: "Recurrent",
      about:
        "A small network that reads nothing walks from each position to the next: a list is made of the one before. The walk goes on where " +
        "training ended.",
    },
    continuous: {
      name: "Continuous",
      about:
        "A path through time, drawn by an equation that is learned. So there are positions between positions, too: here three between each two " +
        "(Liu and others, 2020).",
    },
    relative: {
      name: "Relative",
      about:
        "No list is added. Attention itself learns what it thinks of each distance (Shaw and others, 2018). These are two heads of the network that " +
        "labels parts of speech, with words that say nothing: one has learned to look at the next word, one at the word before.",
    },
  },

  costs: {
    n: "Words in the sentence, n",
    d: "Numbers a word, d",
    measure: "Measure in this browser",
    stop: "Stop",
    ready: "Each layer runs several times with sentences of 32 to 2,048 words; what counts is the median. It takes a few seconds.",
    running: (n: number) => `Measuring, n = ${n} …`,
    finished: "Measured here, just now.",
    stopped: "Stopped.",
    nothing: "–",
    table: "Costs of four kinds of layers",
    columns: {
      layer: "Layer", theory: "Work", operations: (n: number, d: number) => `With n = ${n}, d = ${d}`, steps: "Steps in turn", path: "Longest path",
      time: "Measured", growth: "If n doubles, from 256",
    },
    letters:
      "k is how many words a convolution sees at once, here 3; r how many a restricted attention looks at, here 17: eight on each side and the word " +
      "itself. “Steps in turn” cannot be done at the same time, and along the longest path a word’s influence has to travel to reach another.",
    caveat:
      "Measured is a whole layer, one head, one thread. Attention’s has the maps to queries, keys and values in it, whose work, 4 n d², " +
      "the theory leaves out: for few words it is most of the time, so the curve grows steep only later.",
    growth: (measured: number, theory: number) => `× ${decimal(measured, 1)} (theory: ${theory})`,
    plot: "Measured time by number of words",
    axisTime: "milliseconds",
    axisLength: "n, words in the sentence",
    all: "All measurements in numbers (milliseconds)",
  },

  layers: {
    attention: { name: "Self-attention", short: "self-attention" },
    recurrent: { name: "Recurrent", short: "recurrent" },
    convolution: { name: "Convolution", short: "convolution" },
    window: { name: "Restricted self-attention", short: "restricted" },
  },
};

speak({ how });
