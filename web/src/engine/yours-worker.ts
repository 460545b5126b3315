// Looks into files, opens the models that they are, and translates with the last one that opened.

import { Translator } from "softalign";
import { modelBytes } from "softalign/models";
import { failureOf } from "./failure.ts";
import { FileFault } from "./model-files/contents.ts";
import { decompressed, inspect } from "./model-files/inspect.ts";
import { kSample, type Languages, type Looked, type OwnModel, type Translated, type YoursReply, type YoursRequest } from "./yours-protocol.ts";

const kBeam = 4;

let translator: Translator | undefined;
let sampling: AbortController | undefined;

self.addEventListener("message", ({ data }: MessageEvent<YoursRequest>) => void answer(data));

async function answer(request: YoursRequest): Promise<void> {
  const { id } = request;
  if (request.kind === "cancel") return sampling?.abort();
  try {
    if (request.kind === "look") reply({ kind: "looked", id, files: await lookAll(request.files) });
    else if (request.kind === "sample") reply({ kind: "looked", id, files: [await look(await sample(id))] });
    else if (request.kind === "open") {
      await open(request.model, request.languages);
      reply({ kind: "opened", id });
    } else reply({ kind: "translated", id, translated: await translate(request) });
  } catch (error) {
    reply({ kind: "failed", id, ...failureOf(error) });
  }
}

/** One after the other: they may be large. */
async function lookAll(files: readonly File[]): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const file of files) looked.push(await look(file));
  return looked;
}

async function look(given: File): Promise<Looked> {
  try {
    const file = await decompressed(given);
    return { isFine: true, file, contents: inspect(new Uint8Array(await file.arrayBuffer()), file.name) };
  } catch (error) {
    const { name } = given;
    if (error instanceof FileFault) return { isFine: false, name, fault: error.fault, message: error.message };
    // A folder, or a file that has changed or gone meanwhile.
    return { isFine: false, name, fault: "unknown", message: failureOf(error).message };
  }
}

async function sample(id: number): Promise<File> {
  const { signal } = (sampling = new AbortController());
  const bytes = await modelBytes(kSample.split(".")[0]!, { signal, onProgress: (fraction) => reply({ kind: "loading", id, fraction }) });
  return new File([bytes as Uint8Array<ArrayBuffer>], kSample);
}

async function open(model: OwnModel, { source: sourceLanguage, target: targetLanguage }: Languages): Promise<void> {
  const opened = await Translator.create({ sourceLanguage, targetLanguage, model: "file" in model ? model.file : marian(model) });
  translator?.destroy();
  translator = opened;
}

function marian({ weights, source, target, shortlist }: Exclude<OwnModel, { file: File }>) {
  return { weights, vocabulary: target ? { source, target } : source, ...(shortlist && { shortlist }) };
}

async function translate({ text, level }: { text: string; level: Translated["level"] }): Promise<Translated> {
  const { translation, sourceTokens, targetTokens, attention } = await translator!.explain(text, { level, beam: kBeam });
  return { text, level, translation, sourceTokens, targetTokens, attention };
}

function reply(message: YoursReply): void {
  self.postMessage(message);
}
