// Aligns off the page's thread; only the latest request is answered.

import type { Translator } from "softalign";
import type { Align, Alignment, AlignReply, AlignRequest } from "./align-protocol.ts";
import { failureOf } from "./failure.ts";
import { Loader } from "./loader.ts";
import type { ModelId } from "./models.ts";
import { passagesOf } from "./passages.ts";
import { beginning, bitsOf, kSurprising, placeOfMost } from "./surprise.ts";

let current: Align | undefined;
const loader = new Loader((model, fraction) => {
  if (current && idOf(current) === model) reply({ kind: "loading", model: current.model, fraction });
});

self.addEventListener("message", ({ data }: MessageEvent<AlignRequest>) => {
  if (data.kind === "cancel") {
    current = undefined;
    loader.cancel();
    return;
  }
  if (current && idOf(current) !== idOf(data)) loader.cancel();
  current = data;
  void answer(data);
});

async function answer(request: Align): Promise<void> {
  const { id } = request;
  const superseded = () => current !== request;
  try {
    const translator = await loader.get(idOf(request));
    if (superseded()) return;
    const alignment = await align(translator, request, superseded);
    if (!superseded()) reply({ kind: "aligned", id, alignment });
  } catch (error) {
    if (superseded()) return;
    const failure = failureOf(error);
    if (failure.code === "internal" || failure.code === "destroyed") loader.drop(idOf(request));
    reply({ kind: "failed", id, ...failure });
  }
}

const idOf = ({ to, model }: Align): ModelId => `${to}-${model}`;

async function align(translator: Translator, request: Align, superseded: () => boolean): Promise<Alignment> {
  const { source, target, level } = request;
  const { sourceTokens, targetTokens, attention, confidence } = await translator.align(source, target, { level });
  const bits = Array.from(confidence, bitsOf);
  const most = placeOfMost(bits);
  const surprised = most >= 0 && bits[most]! >= kSurprising && !superseded();
  const expected = surprised ? await expectedAt(translator, request, targetTokens[most]!.start) : null;
  return { sourceTokens, targetTokens, attention, bits, expected };
}

/** The word that the model would have written where the target has the one at an offset. */
async function expectedAt(translator: Translator, { source, target }: Align, offset: number): Promise<string | null> {
  // It goes on within a sentence; of several it is not known which one it is.
  if (passagesOf(source, "en").list.length !== 1) return null;
  const words = (await translator.align(source, target)).targetTokens;
  const word = words.find(({ end }) => end > offset);
  if (!word) return null;
  const prefix = beginning(target, word.start);
  const { targetTokens } = await translator.explain(source, { prefix });
  const next = targetTokens.find(({ end }) => end > prefix.length);
  // One that goes on with the word before is none.
  return next && next.start >= prefix.length && next.text !== word.text ? next.text : null;
}

function reply(message: AlignReply): void {
  self.postMessage(message);
}
