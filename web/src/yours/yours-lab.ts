import {
  filesOf, type FoundFile, judge, kNoFiles, languagesIn, type ModelFile, type ModelSet, type Verdict, withFile, withoutFile,
} from "../engine/model-files/model-set.ts";
import { EngineFailure, type YoursEngine } from "../engine/yours.ts";
import { kSample, type Languages, type Looked, type OwnModel } from "../engine/yours-protocol.ts";
import { problemOf, wholePercents } from "../page/problems.ts";
import { StateNote } from "../page/state-note.ts";
import { carryOver, type Given, takeBack } from "./carry-over.ts";
import { ContentsView } from "./contents-view.ts";
import { takeFiles } from "./drop.ts";
import { TroubleList } from "./trouble-list.ts";
import { UseView } from "./use-view.ts";
import { languageName } from "../words/language.ts";
import { words } from "../words/words.ts";
import { failureOf, faultOf, kindOf, languageTag, misfitOf, missingText, noTag, sizeOf, whyOnlyShown } from "./words.ts";

const kNoteWords = { loading: (name: string, fraction: number) => words.yours.fetching(name, wholePercents(fraction)), problem: problemOf };

type Complete = Extract<Verdict, { kind: "model" | "marian" }>;

/** The page: files come in any order; as soon as they are a model it is opened, and used if it translates. */
export class YoursLab {
  readonly #engine: YoursEngine;
  readonly #given = document.querySelector<HTMLElement>("#given")!;
  readonly #languages = document.querySelector<HTMLFormElement>("#languages")!;
  readonly #status = document.querySelector<HTMLElement>("#status")!;
  readonly #contents = new ContentsView();
  readonly #troubles = new TroubleList(document.querySelector("#troubles")!);
  readonly #use: UseView;
  readonly #note: StateNote<string>;
  #isFetching = false;
  #set: ModelSet = kNoFiles;
  #inUse: string | undefined;
  /** One after the other, in the order in which they came. */
  #queue: Promise<void> = Promise.resolve();

  constructor(engine: YoursEngine) {
    this.#engine = engine;
    // What goes wrong is said where all troubles are.
    this.#note = new StateNote<string>(
      { loading: document.querySelector("#loading")!, problem: document.createElement("div") }, () => {},
      { ...kNoteWords, cancel: { text: words.common.cancel, press: () => this.#cancelSample() } });
    this.#use = new UseView(engine, (trouble) => this.#troubles.add(trouble));
    takeFiles(document.querySelector<HTMLInputElement>("#files")!, (files) => {
      if (files.length > 0) this.#enqueue(() => this.#take(files));
    });
    document.querySelector("#sample")!.addEventListener("click", () => void this.#takeSample());
    for (const link of document.querySelectorAll<HTMLAnchorElement>(".top .language")) carryOver(link, () => this.#allGiven());
    this.#enqueue(async () => {
      const given = await takeBack();
      if (given) await this.#takeAgain(given);
    });
    this.#languages.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#enqueue(() => {
        this.#troubles.clear();
        return this.#consider(true);
      });
    });
    document.querySelector("#forget")!.addEventListener("click", () => this.#enqueue(async () => {
      this.#set = kNoFiles;
      this.#troubles.clear();
      this.#show(this.#keptText);
      document.querySelector<HTMLElement>("#files")!.focus();
    }));
  }

  #enqueue(step: () => Promise<void>): void {
    this.#queue = this.#queue.then(step).catch((error) => {
      if (error instanceof EngineFailure) this.#troubles.add(failureOf(words.yours.page, error.failure));
      else reportError(error); // and the next step goes on
    });
  }

  async #take(files: File[]): Promise<void> {
    this.#troubles.clear();
    this.#status.textContent = words.yours.looking(files.map(({ name }) => name).join(", "));
    await this.#add(await this.#engine.look(files));
  }

  /** Other files may come and be used while it is on its way. */
  async #takeSample(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    this.#note.loading(kSample, 0);
    try {
      const files = await this.#engine.sample((fraction) => this.#isFetching && this.#note.loading(kSample, fraction));
      this.#enqueue(() => {
        this.#troubles.clear();
        return this.#add(files);
      });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      // Else it was cancelled.
      if (this.#isFetching) this.#troubles.add({ ...words.yours.notFetched(kSample), details: error.message });
    } finally {
      this.#isFetching = false;
      this.#note.clear();
    }
  }

  #cancelSample(): void {
    this.#isFetching = false;
    this.#engine.cancelSample();
    this.#status.textContent = words.yours.cancelled(this.#keptText);
    document.querySelector<HTMLElement>("#sample")!.focus();
  }

  /** @param typed the languages, if the visitor has said them already. */
  async #add(files: readonly Looked[], typed?: Languages): Promise<void> {
    let isNew = false;
    for (const looked of files) {
      if (!looked.isFine) {
        this.#troubles.add(faultOf(looked.name, looked.fault, looked.message));
        continue;
      }
      isNew = true;
      this.#set = withFile(this.#set, looked);
      this.#write(typed ?? languagesIn(looked.file.name));
    }
    if (isNew) await this.#consider();
    else this.#show(this.#keptText);
  }

  /** For the page in another language; undefined for nothing. */
  #allGiven(): Given | undefined {
    const files = filesOf(this.#set);
    if (files.length === 0) return undefined;
    const given = new FormData(this.#languages);
    for (const { file } of files) given.append("file", file);
    if (this.#use.written !== undefined) given.set("text", this.#use.written);
    return given;
  }

  async #takeAgain(given: Given): Promise<void> {
    const [source, target, text] = ["source", "target", "text"].map((name) => given.get(name));
    if (typeof text === "string") this.#use.written = text;
    const files = given.getAll("file").filter((each) => each instanceof File);
    await this.#add(await this.#engine.look(files), { source: String(source), target: String(target) });
  }

  /** Opens the files if they are a model. @param typed whether the visitor has just set the languages. */
  async #consider(typed = false): Promise<void> {
    const verdict = judge(this.#set);
    if (verdict.kind === "missing") this.#show(missingText(verdict.what));
    else if (verdict.kind === "misfit") this.#drop(verdict.culprit.file.name, misfitOf(verdict));
    else if (verdict.kind === "model" && whyOnlyShown(verdict.model.contents)) {
      this.#show(`${words.yours.onlyShown(verdict.model.file.name)} ${this.#keptText}`.trim());
    } else if (verdict.kind === "marian" && !typed && this.#isBlank) this.#show(words.yours.askForLanguages);
    else await this.#open(verdict);
  }

  async #open(found: Complete): Promise<void> {
    const { name } = (found.kind === "model" ? found.model : found.weights).file;
    const languages = found.kind === "model" ? languagesOf(found.model) : this.#typedLanguages();
    if (!languages) return this.#show(this.#keptText);
    this.#show(words.yours.opening(name));
    try {
      await this.#engine.open(filesToOpen(found), languages);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      const culprit = culpritOf(found, error.message);
      this.#drop(culprit, failureOf(culprit, error.failure));
      return;
    }
    this.#inUse = name;
    this.#status.textContent = words.yours.opened(name, languageName(languages.source), languageName(languages.target));
    this.#use.start(name, languages);
  }

  /** Takes a file out of the set again, and says why. */
  #drop(name: string, trouble: Parameters<TroubleList["add"]>[0]): void {
    this.#set = withoutFile(this.#set, name);
    this.#troubles.add(trouble);
    const verdict = judge(this.#set);
    this.#show([verdict.kind === "missing" ? missingText(verdict.what) : "", this.#keptText].join(" ").trim());
  }

  get #keptText(): string {
    return this.#inUse === undefined ? "" : words.yours.stillInUse(this.#inUse);
  }

  #write(languages: Languages | undefined): void {
    if (!languages) return;
    this.#field("source").value = languages.source;
    this.#field("target").value = languages.target;
  }

  /** @returns undefined if they are none, which is told. */
  #typedLanguages(): Languages | undefined {
    const [source, target] = (["source", "target"] as const).map((side) => {
      const tag = languageTag(this.#field(side).value);
      this.#field(side).ariaInvalid = tag === undefined ? "true" : null;
      if (tag === undefined) this.#troubles.add(noTag(this.#field(side).value));
      return tag;
    });
    return source === undefined || target === undefined ? undefined : { source, target };
  }

  get #isBlank(): boolean {
    return this.#field("source").value.trim() === "" && this.#field("target").value.trim() === "";
  }

  #field(side: "source" | "target"): HTMLInputElement {
    return this.#languages.elements.namedItem(side) as HTMLInputElement;
  }

  #show(status: string): void {
    this.#status.textContent = status;
    const files = filesOf(this.#set);
    this.#given.hidden = files.length === 0;
    this.#given.querySelector("ul")!.replaceChildren(...files.map((file) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("b"), { textContent: file.file.name }), words.yours.given(kindOf(file), sizeOf(file.file.size)));
      return item;
    }));
    this.#languages.hidden = this.#set.weights === undefined;
    this.#contents.show(files);
  }
}

function languagesOf({ contents }: ModelFile<"model">): Languages {
  const { source_language: source, target_language: target } = contents.config!;
  return { source: languageTag(String(source)) ?? "und", target: languageTag(String(target)) ?? "und" };
}

function filesToOpen(found: Complete): OwnModel {
  if (found.kind === "model") return { file: found.model.file };
  const { weights, source, target, shortlist } = found;
  return { weights: weights.file, source: source.file, ...(target && { target: target.file }), ...(shortlist && { shortlist: shortlist.file }) };
}

/** Which file the engine complains of: it names the part, but always the weights' file. */
function culpritOf(found: Complete, message: string): string {
  if (found.kind === "model") return found.model.file.name;
  const files: FoundFile[] = [found.weights];
  if (/: shortlist:/.test(message) && found.shortlist) files.unshift(found.shortlist);
  if (/: tokenizer:/.test(message)) files.unshift(found.source);
  return files[0]!.file.name;
}
