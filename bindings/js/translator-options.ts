import type { Level } from "./arguments.js";
import type { CreateMonitor } from "./create-monitor.js";
import type { Edits } from "./edits.js";
import type { Explanation } from "./explanation.js";
import type { Glossary } from "./glossary.js";
import type { TranslatorModelReference } from "./models.js";

// What a translator is asked for, and what n-best lists are.

/** A language pair, as BCP 47 tags. Models are found by the language alone: "en-GB" finds what is for "en". */
export interface LanguagePair {
  sourceLanguage: string;
  targetLanguage: string;
}

/** What `Translator.create` takes. */
export interface TranslatorOptions extends LanguagePair {
  /**
   * The id of a model ("en-fr-transformer", the default of its pair, which the package carries; "en-fr-student", larger and
   * of Firefox's kind, "en-fr-additive" and "en-fr-dot", recurrent networks with attention, and "en-fr-plain", one without, which are fetched
   * from where `setModelBase` of `softalign/models` says), the address of a model file, its bytes, or the `File` that someone
   * chose or dropped, compressed with gzip or not. Models with an id are checked, and kept for the next time. Or the files of a model of Marian's, as
   * Firefox's are. Or two models, the first into English, the second out of it; so, too, are translated the pairs for which
   * there is no model but two such. `edits`, `heads` and a glossary are not for two.
   */
  model?: TranslatorModelReference | readonly [TranslatorModelReference, TranslatorModelReference] | undefined;
  /**
   * The longest translation of a sentence, in pieces, as a multiple of the sentence's own, its end counted: 0.1 to 10. If left
   * out, one and a half times and ten more. Firefox has 2.
   */
  maxLengthFactor?: number | undefined;
  /**
   * Aborts loading: `create` rejects with the signal's reason. Aborted later, it destroys the translator, and what is
   * pending rejects with the reason, too.
   */
  signal?: AbortSignal | undefined;
  /** Called once, before the download begins, with what tells its progress. */
  monitor?: ((monitor: CreateMonitor) => void) | undefined;
  /**
   * Whether the work is done in a worker, which the package starts and all translators and text models of a page share: the
   * page stays smooth whatever the text. `true` if left out in a page, `false` elsewhere (your own worker; Node, Deno and Bun, where it is
   * a worker thread). Where a worker cannot be started (a policy forbids it, or `worker.js` of the package is not found) the work is
   * done in the calling thread all the same.
   */
  worker?: boolean | undefined;
  /**
   * How many workers share many texts, long ones and HTML, 1 to 64. 1 if left out; of more than the machine has processors
   * (`navigator.hardwareConcurrency`) nothing is gained. Each has the model in a memory of its own. Translators share
   * them, too: of those with 2 and with 4 workers, there are 4.
   */
  workers?: number | undefined;
}

export interface TranslateOptions {
  /** Aborts between two sentences: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How many hypotheses the search follows, 1 to 16. 1, the default, is fastest; 4 is a little better. */
  beam?: number | undefined;
  /**
   * What the translation begins with; the rest is translated to follow it. It may end in the middle of a word ("Je sui"),
   * which is then finished; white space at its end finishes the word. It is forced on the first sentence of the text.
   */
  prefix?: string | undefined;
  /**
   * How terms are translated. Where one occurs in a sentence, as whole words whatever their case, its translation occurs in
   * the sentence's, as it is written here, in the place of what would stand there without it; an article before it may change.
   * Of a model without attention, and where nothing looks at the term, a beam of four and more hypotheses looks for the best place.
   */
  glossary?: Glossary | undefined;
  /**
   * Whether the text is HTML: a fragment, as `innerHTML` takes and gives it, or a whole document. What people read in it is
   * translated, attributes like `alt` too, and each element goes where its words go. What is marked `translate="no"`, is
   * in another language or in `<code>`, `<kbd>`, `<samp>` or `<var>` stays as it is. Any text is HTML, however malformed.
   * A stream has whole elements.
   */
  html?: boolean | undefined;
}

export interface AlignOptions {
  signal?: AbortSignal | undefined;
  /** "word" if left out. */
  level?: Level | undefined;
  /** Whether the end of each sentence, which the model reads and writes too, is a token. Not if left out. */
  special?: boolean | undefined;
  /** Whether to tell what each head of every attention looked at: {@link Explanation.heads}. Not if left out. */
  heads?: boolean | undefined;
}

export interface ExplainOptions extends Omit<TranslateOptions, "html">, AlignOptions {
  /** What attention is made to do meanwhile: a word it must not see, where a word is to look, heads switched off. */
  edits?: Edits | undefined;
}

/** What `Translator.nBest` takes. */
export interface NBestOptions extends Omit<ExplainOptions, "heads" | "edits"> {
  /** How many translations of a sentence at most, 1 to 16. 5 if left out. The beam is at least as wide. */
  count?: number | undefined;
  /** Whether to tell what the search followed on its way: {@link NBest.tree}. Not if left out. */
  tree?: boolean | undefined;
}

/** A sentence of a text and its likeliest translations, the best first. */
export interface NBest {
  source: string;
  /** Where the sentence begins in the text. */
  start: number;
  /** At least one. Each has its own {@link Explanation.score}, which falls from one to the next, but for what a glossary changed in them. */
  translations: Explanation[];
  /** If `tree` was asked for: the beam search as a tree, whose nodes come behind their parents, step by step, the likeliest first. */
  tree?: SearchNode[];
}

/** A piece that a beam search continued a translation with, and followed. */
export interface SearchNode {
  /** As the piece is written, with the white space before it; "" for the end of the sentence. */
  text: string;
  /** Index of the piece before it; -1 for those that a translation may begin with. */
  parent: number;
  /** How probable the model found it after what is before it, 0..1. */
  probability: number;
  /** Mean log-probability from the beginning to here, as {@link Explanation.score} of a whole translation. */
  score: number;
  /** Whether it is the end of the sentence. Nodes without a child that are no end were given up. */
  end: boolean;
}
