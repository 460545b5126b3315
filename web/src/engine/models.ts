// The page's own translators, all of them from English.

export type TargetLanguage = "fr" | "de" | "es";
/** A kind of network, by its attention. */
export type Network = "transformer" | "student" | "additive" | "dot" | "plain";
/** What a visitor may have to wait for: a translator, or the reader. */
export type Loadable = Network | "reader";
/** One of each that there is for a language. */
export type ModelId = `${TargetLanguage}-${Network}`;

/** Every language has a transformer. */
export const networks: Record<TargetLanguage, readonly Network[]> = {
  fr: ["transformer", "student", "additive", "dot", "plain"],
  de: ["transformer", "additive"],
  es: ["transformer", "additive"],
};

/** That network if there is one for the language, else the first. */
export const networkFor = <N extends Network>(to: TargetLanguage, network: N): N | "transformer" =>
  networks[to].includes(network) ? network : "transformer";

export const languageOf = (model: ModelId) => model.slice(0, 2) as TargetLanguage;
export const networkOf = (model: ModelId) => model.slice(3) as Network;
