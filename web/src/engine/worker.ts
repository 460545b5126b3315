// Translates and reads off the page's thread. One translation at a time; a newer one ends the older at the next sentence.

import { LanguageModel, type Translator } from "softalign";
import { failureOf } from "./failure.ts";
import { Loader } from "./loader.ts";
import { languageOf, type ModelId } from "./models.ts";
import { passagesOf, type Passage } from "./passages.ts";
import type { Cancel, Offer, Read, Reply, Request, Search, Sentence, Translate, WhatIf } from "./protocol.ts";
import { explainChanged, plain, searchOf, wordsAfter } from "./what-if.ts";

/** Better translations than the single most likely next word gives, and still a matter of milliseconds. */
const kBeam = 4;
/** A network without attention, and the one that it is compared with. */
const kForgetful: ModelId = "fr-plain";
const kAttentive: ModelId = "fr-additive";
/** Sentences already translated, so that an edit translates only what it touched. */
const kRemembered = 500;
/** A long text is shown while it grows, but not a message for every sentence. */
const kMillisecondsPerReply = 40;

type Result = Omit<Sentence, "before" | "start" | "end">;

let current: Translate | undefined;
const remembered = new Map<string, Result>();
const loader = new Loader((model, fraction) => {
  if (current?.model === model) reply({ kind: "loading", model, fraction });
});

let reader: { model: Promise<LanguageModel>; abort: AbortController } | undefined;

self.addEventListener("message", ({ data }: MessageEvent<Request>) => {
  if (data.kind === "read") return void read(data);
  if (data.kind === "what-if" || data.kind === "offer" || data.kind === "search") return void wonder(data);
  if (data.kind === "cancel") return cancel(data);
  if (current && current.model !== data.model) loader.cancel();
  current = data;
  void answer(data);
});

function cancel({ what }: Cancel): void {
  if (what === "translate") {
    current = undefined;
    loader.cancel();
  } else {
    reader?.abort.abort();
    reader = undefined;
  }
}

async function answer(request: Translate): Promise<void> {
  await translateAll(request);
  if (request.model !== kForgetful || current !== request || loader.atHand(kAttentive)) return;
  // For comparison; where it cannot be had there is none.
  const arrived = await loader.get(kAttentive).then(() => true, () => false);
  if (arrived && current === request) await translateAll(request);
}

async function translateAll(request: Translate): Promise<void> {
  const superseded = () => current !== request;
  try {
    // First, even for blank text: the visitor is about to type. It also finds out what this browser lacks.
    const translator = await loader.get(request.model);
    const { list, after } = passagesOf(request.text, "en");
    let from = 0;
    let sentences: Sentence[] = [];
    let told = performance.now();
    for (const passage of list) {
      if (superseded()) return;
      sentences.push({ ...(await translate(passage, translator, request)), ...placeOf(passage) });
      if (performance.now() - told > kMillisecondsPerReply && !superseded()) {
        reply({ kind: "sentences", id: request.id, from, sentences });
        from += sentences.length;
        sentences = [];
        told = performance.now();
      }
    }
    if (superseded()) return;
    reply({ kind: "sentences", id: request.id, from, sentences });
    reply({ kind: "done", id: request.id, count: list.length, after });
  } catch (error) {
    if (superseded()) return;
    const { code, message } = failureOf(error);
    if (code === "internal" || code === "destroyed") loader.drop(request.model);
    reply({ kind: "failed", id: request.id, code, message });
  }
}

async function translate({ text }: Passage, translator: Translator, { model, level }: Translate): Promise<Result> {
  const attentive = model === kForgetful ? loader.atHand(kAttentive) : undefined;
  const key = `${model} ${level} ${attentive ? "compared" : "alone"} ${text}`;
  const known = remembered.get(key);
  if (known) return known;
  const explanation = plain(await translator.explain(text, { level, beam: kBeam }));
  const withAttention = attentive ? await attentive.translate(text, { beam: kBeam }) : null;
  const result = { ...explanation, language: languageOf(model), withAttention };
  remembered.set(key, result);
  // A Map keeps the order of insertion: the first key is the oldest.
  if (remembered.size > kRemembered) remembered.delete(remembered.keys().next().value!);
  return result;
}

/** The page asks only when it has the answer before. */
async function wonder(request: WhatIf | Offer | Search): Promise<void> {
  const { id, model } = request;
  try {
    const translator = await loader.get(model);
    if (request.kind === "offer") reply({ kind: "offers", id, words: await wordsAfter(translator, request) });
    else if (request.kind === "search") reply({ kind: "searched", id, nodes: await searchOf(translator, request.sentence, kBeam) });
    else reply({ kind: "changed", id, changed: await explainChanged(translator, request, kBeam) });
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code === "internal" || code === "destroyed") loader.drop(model);
    reply({ kind: "failed", id, code, message });
  }
}

async function read({ id, text }: Read): Promise<void> {
  const asked = (reader ??= loadReader());
  try {
    const model = await asked.model;
    reply({ kind: "reading", id, reading: await model.read(text) });
  } catch (error) {
    const { code, message } = failureOf(error);
    if (code !== "argument" && reader === asked) reader = undefined; // it did not arrive, or its engine stopped: the next one may
    reply({ kind: "failed", id, code, message });
  }
}

function loadReader() {
  const abort = new AbortController();
  const onProgress = (fraction: number) => {
    if (!abort.signal.aborted) reply({ kind: "loading", model: "reader", fraction });
  };
  return { abort, model: LanguageModel.load("en-lstmn", { signal: abort.signal, onProgress }) };
}

function placeOf({ before, text, start }: Passage): Pick<Sentence, "before" | "start" | "end"> {
  return { before, start, end: start + text.length };
}

function reply(message: Reply): void {
  self.postMessage(message);
}
