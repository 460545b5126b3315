// Tags, judges and fills in off the page's thread. Each model is loaded at its first use and stays.

import { Classifier, type LoadOptions, MaskedLanguageModel, Tagger } from "softalign";
import { failureOf } from "./failure.ts";
import type { Answers, Ask, Asks, Use, UsesReply, UsesRequest } from "./uses-protocol.ts";

const kShown = 8;
/** How far down the word that stood there is looked for. */
const kDeep = 1000;
const kMask = "[MASK]";

interface Models {
  tagger: Tagger;
  sentiment: Classifier;
  masked: MaskedLanguageModel;
}

const load: { [U in Use]: (options: LoadOptions) => Promise<Models[U]> } = {
  tagger: (options) => Tagger.load("en-tagger", options),
  sentiment: (options) => Classifier.load("en-sentiment", options),
  masked: (options) => MaskedLanguageModel.load("en-masked", options),
};

const answer: { [U in Use]: (model: Models[U], ask: Asks[U]) => Promise<Answers[U]> } = {
  tagger: async (model, { text }) => ({ ...(await model.tag(text)), labels: model.labels }),
  sentiment: (model, { text }) => model.classify(text),
  masked: fill,
};

/** Until a model has arrived it can be given up. */
const loading = new Map<Use, { model: Promise<Models[Use]>; abort: AbortController | undefined }>();
const latest = new Map<Use, number>();

self.addEventListener("message", ({ data }: MessageEvent<UsesRequest>) => {
  if (data.kind === "ask") {
    latest.set(data.use, data.id);
    void respond(data);
  } else {
    latest.delete(data.use);
    const entry = loading.get(data.use);
    if (!entry?.abort) return;
    entry.abort.abort();
    loading.delete(data.use);
  }
});

async function respond<U extends Use>({ use, id, ask }: Extract<Ask, { use: U }> & { use: U }): Promise<void> {
  const superseded = () => latest.get(use) !== id;
  try {
    const model = (await modelFor(use)) as Models[U];
    if (superseded()) return;
    const result = await answer[use](model, ask as Asks[U]);
    if (!superseded()) reply({ kind: "answer", use, id, answer: result } as UsesReply);
  } catch (error) {
    if (superseded()) return;
    const failure = failureOf(error);
    if (failure.code !== "argument") loading.delete(use); // it did not arrive, or its engine stopped: the next one may
    reply({ kind: "failed", use, id, ...failure });
  }
}

function modelFor(use: Use): Promise<Models[Use]> {
  const known = loading.get(use);
  if (known) return known.model;
  const abort = new AbortController();
  const onProgress = (fraction: number) => {
    if (!abort.signal.aborted) reply({ kind: "loading", use, fraction });
  };
  const model: Promise<Models[Use]> = load[use]({ signal: abort.signal, onProgress });
  const entry: { model: typeof model; abort: AbortController | undefined } = { model, abort };
  loading.set(use, entry);
  model.then(() => (entry.abort = undefined), () => {});
  return model;
}

async function fill(model: MaskedLanguageModel, { text, words, masked }: Asks["masked"]): Promise<Answers["masked"]> {
  const guesses = await guess(model, text, words, masked, masked);
  const first = guesses[0]!;
  const { start, end } = words[masked]!;
  const rank = guesses.findIndex(({ text: guessed, beginsWord }) => beginsWord && guessed === text.slice(start, end));
  const left: number[] = [];
  for (let other = 0; other < words.length; ++other) {
    const without = other === masked ? guesses : await guess(model, text, words, masked, other);
    const now = without.find(({ text: guessed, beginsWord }) => guessed === first.text && beginsWord === first.beginsWord);
    left.push((now?.probability ?? 0) / first.probability);
  }
  const { given, place } = masking(text, words, masked, masked);
  const look = await model.look(given);
  const masks = [...look.tokens.keys()].filter((index) => look.tokens[index]!.text === kMask);
  return {
    guesses: guesses.slice(0, kShown), original: rank < 0 ? null : { rank, probability: guesses[rank]!.probability }, left,
    look, place: masks[place]!,
  };
}

/** What may stand at word `masked` when word `other` is masked, too. */
async function guess(model: MaskedLanguageModel, text: string, words: Asks["masked"]["words"], masked: number, other: number) {
  const { given, place } = masking(text, words, masked, other);
  return (await model.fill(given, { count: kDeep }))[place]!;
}

/** The text with both words masked, and the how-maniest of its masks `masked` is: the visitor may have written masks, too. */
function masking(text: string, words: Asks["masked"]["words"], masked: number, other: number) {
  let given = "";
  let from = 0;
  let place = 0;
  for (const at of [...new Set([masked, other])].sort((a, b) => a - b)) {
    const { start, end } = words[at]!;
    given += text.slice(from, start);
    if (at === masked) place = given.split(kMask).length - 1;
    given += kMask;
    from = end;
  }
  return { given: given + text.slice(from), place };
}

function reply(message: UsesReply): void {
  self.postMessage(message);
}
