// Translates a sentence and computes it anew, off the page's thread. Each model is loaded at its first use and stays.

import { Translator } from "softalign";
import { modelBytes } from "softalign/models";
import { failureOf } from "./failure.ts";
import { passagesOf } from "./passages.ts";
import type { StepsModel, StepsReply, StepsRequest } from "./steps/protocol.ts";
import { StepsNetwork } from "./steps/walk.ts";

interface Loaded {
  translator: Translator;
  network: StepsNetwork;
}

const loading = new Map<StepsModel, { loaded: Promise<Loaded>; abort: AbortController }>();
let latest: StepsRequest | undefined;

self.addEventListener("message", ({ data }: MessageEvent<StepsRequest>) => {
  const before = latest;
  latest = data;
  // A load that nobody waits for any more is given up.
  if (before?.kind === "walk" && (data.kind === "cancel" || data.model !== before.model)) {
    loading.get(before.model)?.abort.abort();
  }
  if (data.kind === "walk") void respond(data);
});

async function respond(request: StepsRequest & { kind: "walk" }): Promise<void> {
  const { id, model, text } = request;
  const superseded = () => latest !== request;
  try {
    const { translator, network } = await loadedOf(model);
    if (superseded()) return;
    const sentences = passagesOf(text, "en").list;
    const walk = await network.walk(model, translator, sentences[0]?.text ?? text);
    if (!superseded()) reply({ kind: "walk", id, walk: { ...walk, sentences: sentences.length } });
  } catch (error) {
    if (superseded()) return;
    const failure = failureOf(error);
    if (failure.code === "internal" || failure.code === "destroyed") loading.delete(model);
    reply({ kind: "failed", id, ...failure });
  }
}

function loadedOf(model: StepsModel): Promise<Loaded> {
  const known = loading.get(model);
  if (known) return known.loaded;
  const abort = new AbortController();
  const entry = { loaded: load(model, abort.signal), abort };
  loading.set(model, entry);
  entry.loaded.then(
    // What has arrived is not given up.
    () => (entry.abort = new AbortController()),
    () => {
      if (loading.get(model) === entry) loading.delete(model);
    });
  abort.signal.addEventListener("abort", () => {
    if (loading.get(model) === entry) loading.delete(model);
  });
  return entry.loaded;
}

async function load(model: StepsModel, signal: AbortSignal): Promise<Loaded> {
  const onProgress = (fraction: number) => {
    if (!signal.aborted && latest?.kind === "walk" && latest.model === model) reply({ kind: "loading", model, fraction });
  };
  const bytes = await modelBytes(`en-fr-${model}`, { signal, onProgress });
  const [translator, network] = await Promise.all([
    Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: bytes, worker: false }), StepsNetwork.of(bytes),
  ]);
  if (signal.aborted) {
    translator.destroy();
    signal.throwIfAborted();
  }
  return { translator, network };
}

function reply(message: StepsReply): void {
  self.postMessage(message);
}
