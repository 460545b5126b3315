import { CapitalsReader } from "./capitals.js";
import type { TranslatorCore } from "./core.js";
import { SoftalignError } from "./errors.js";
import { KeepingReader } from "./keeping-reader.js";
import { type ModelSource, pivotLanguage } from "./models.js";
import { OpenModel, type OpenOptions } from "./open-model.js";
import { Pivot, type TranslatorModel } from "./pivot.js";
import { Team } from "./team.js";
import type { LanguagePair } from "./translator-options.js";

/** What translates one language into another, from the sources of one model or of two in a row. */
export async function openTranslator(sources: readonly ModelSource[], languages: LanguagePair, options: OpenOptions): Promise<TranslatorModel> {
  const model = new CapitalsReader(await openModels(sources, languages, options), languages.sourceLanguage, languages.targetLanguage);
  return new KeepingReader(model, sources.length === 1);
}

/** One model, or two by way of English. */
async function openModels(sources: readonly ModelSource[], languages: LanguagePair, options: OpenOptions): Promise<TranslatorModel> {
  if (sources.length === 1) return openOne(sources[0]!, languages, options);
  const arrived = [0, 0];
  const opening = sources.map((source, i) => {
    const pair = { ...languages, [i === 0 ? "targetLanguage" : "sourceLanguage"]: pivotLanguage };
    const onProgress = (fraction: number) => {
      arrived[i] = fraction;
      options.onProgress?.((arrived[0]! + arrived[1]!) / 2);
    };
    return openOne(source, pair, { ...options, onProgress });
  });
  try {
    const [first, second] = await Promise.all(opening);
    return new Pivot(first!, second!);
  } catch (error) {
    for (const one of opening) void one.then((core) => core.free(error), () => {});
    throw error;
  }
}

async function openOne(source: ModelSource, languages: LanguagePair, options: OpenOptions): Promise<TranslatorModel> {
  const create = "files" in source ? "createMarianTranslator" : "createTranslator";
  const [first, ...others] = await OpenModel.openAll<TranslatorCore>(create, source, options);
  const core = others.length > 0 ? new Team([first!, ...others]) : first!;
  try {
    const from = await core.call(options.signal, "sourceLanguage");
    const to = await core.call(options.signal, "targetLanguage");
    if (from === languages.sourceLanguage && to === languages.targetLanguage) return core;
    throw new SoftalignError(
      "unavailable",
      `model ${source.name} translates ${from} to ${to}, not ${languages.sourceLanguage} to ${languages.targetLanguage}`,
    );
  } catch (error) {
    core.free(error);
    throw error;
  }
}
