import type { SearchNode } from "softalign";
import type { ModelId } from "../engine/models.ts";
import type { Changed, Changes, Failure, Level, Offer, Search, Sentence, WhatIf } from "../engine/protocol.ts";
import { fits, isNone, isSame, kNoChanges } from "./changes.ts";

/** What a session asks of an engine. */
export interface Wondering {
  whatIf(request: Omit<WhatIf, "kind" | "id">): Promise<Changed>;
  offer(request: Omit<Offer, "kind" | "id">): Promise<string[]>;
  search(request: Omit<Search, "kind" | "id">): Promise<SearchNode[]>;
}

/** What is at hand. The changes are those of one sentence; with anything else here being different, most of them make no sense. */
export interface AtHand {
  sentence: Sentence;
  text: string;
  index: number;
  model: ModelId;
  level: Level;
}

const kMostLeft = 20;

/** What changed last: the visitor's own doing, an answer, or what could not be done. */
export type Step = "asked" | "answered" | "dropped" | "failed";

/**
 * The changes of one sentence, their past, and what became of the sentence. Asks the engine for one thing at a time; while a weight is
 * dragged only the last of what was wanted meanwhile.
 */
export class ChangeSession {
  #atHand: AtHand | undefined;
  #changes = kNoChanges;
  /** Before the drag that is going on. */
  #settled = kNoChanges;
  #past: Changes[] = [];
  #changed: Changed | null = null;
  #sentence: Sentence | undefined;
  #linked: Changes | undefined;
  /** Of sentences that were at hand before, to be as they were when they are again. */
  readonly #left = new Map<string, Changes>();
  #heads = false;
  #isBusy = false;
  /** Counts what is at hand, so that an answer about something else is told apart. */
  #count = 0;
  readonly #engine: Wondering;
  readonly #tell: (step: Step) => void;

  constructor(engine: Wondering, tell: (step: Step) => void) {
    this.#engine = engine;
    this.#tell = tell;
  }

  get changes(): Changes {
    return this.#changes;
  }

  /** The sentence as it is with the changes, as far as is known. */
  get sentence(): Sentence | undefined {
    return isNone(this.#changes) ? this.#atHand?.sentence : this.#sentence;
  }

  /** The answer with what every head looked at, if that was wanted and is known. */
  get withHeads(): Changed | null {
    return this.#changed?.heads ? this.#changed : null;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** Changes that a link has, for the sentence that comes next. */
  load(changes: Changes): void {
    this.#linked = changes;
    this.#atHand = undefined;
  }

  /** @returns whether there were changes, which are gone. */
  begin(atHand: AtHand | undefined): boolean {
    const was = this.#atHand;
    const isSame = was && atHand && (["text", "index", "model", "level"] as const).every((name) => was[name] === atHand[name]);
    this.#atHand = atHand;
    if (isSame) this.#sentence = this.#changed ? merged(atHand.sentence, this.#changed) : atHand.sentence;
    if (isSame || !atHand) return false;
    ++this.#count;
    const had = !isNone(this.#changes);
    const linked = this.#linked ?? this.#carried(was, atHand);
    const canBe = atHand.sentence.attention !== null && fits(linked, atHand.sentence.sourceTokens.length);
    this.#changes = this.#settled = canBe ? linked : kNoChanges;
    this.#linked = undefined;
    this.#past = [];
    this.#changed = null;
    this.#sentence = atHand.sentence;
    if (this.#heads || !isNone(this.#changes)) void this.#ask();
    if (!canBe && !isNone(linked)) this.#tell("dropped");
    return had;
  }

  /** What goes on from one sentence to the next: heads that are off, and all of attention; what belongs to a sentence waits for it. */
  #carried(was: AtHand | undefined, now: AtHand): Changes {
    if (!was || was.model !== now.model) return kNoChanges;
    const keyOf = ({ text, level, model }: AtHand) => `${model} ${level} ${text}`;
    const { off, uniform } = this.#settled;
    this.#left.delete(keyOf(was));
    if (!isNone({ ...this.#settled, off: [], uniform: false })) this.#left.set(keyOf(was), this.#settled);
    if (this.#left.size > kMostLeft) this.#left.delete(this.#left.keys().next().value!);
    return { ...(this.#left.get(keyOf(now)) ?? kNoChanges), off, uniform };
  }

  /** @param settled false while the visitor still drags: only where that ends becomes a step that can be undone. */
  change(changes: Changes, settled = true): void {
    if (settled && !isSame(changes, this.#settled)) this.#past.push(this.#settled);
    this.#changes = changes;
    if (settled) this.#settled = changes;
    void this.#ask();
  }

  undo(): void {
    const before = this.#past.pop();
    if (!before) return;
    this.#changes = this.#settled = before;
    void this.#ask();
  }

  reset(): void {
    if (!isNone(this.#settled)) this.change(kNoChanges);
  }

  /** Whether to find out what every head looks at. */
  set heads(wanted: boolean) {
    if (wanted === this.#heads) return;
    this.#heads = wanted;
    if (wanted) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#tell("asked");
    // The answer that is on its way asks again.
    if (this.#isBusy) return;
    const [atHand, changes, heads, count] = [this.#atHand, this.#changes, this.#heads, this.#count];
    if (!atHand || atHand.sentence.attention === null || (isNone(changes) && !heads)) {
      this.#changed = null;
      this.#sentence = atHand?.sentence;
      return this.#tell("answered");
    }
    this.#isBusy = true;
    const { text: sentence, model, level } = atHand;
    const answer = await this.#engine.whatIf({ sentence, model, level, changes, heads }).catch((failure: Failure) => failure);
    this.#isBusy = false;
    // The sentence has gone; the next one asks for itself.
    if (!this.#atHand) return;
    if (count !== this.#count || changes !== this.#changes || heads !== this.#heads) void this.#ask();
    else if ("translation" in answer) this.#take(answer);
    else this.#drop(answer);
  }

  #take(changed: Changed): void {
    this.#changed = changed;
    this.#sentence = merged(this.#atHand!.sentence, changed);
    // A drag may pass over what leaves no place for a later row; the row is gone if it ends there.
    const isLess = this.#changes === this.#settled && !isSame(changed.changes, this.#changes);
    if (isLess) this.#changes = this.#settled = changed.changes;
    this.#tell(isLess ? "dropped" : "answered");
  }

  #drop({ code }: Failure): void {
    if (!isNone(this.#changes)) this.#past = [];
    this.#changes = this.#settled = kNoChanges;
    this.#changed = null;
    this.#sentence = this.#atHand?.sentence;
    this.#tell(code === "argument" ? "dropped" : "failed");
  }
}

function merged(sentence: Sentence, { changes: _, heads: __, ...explained }: Changed): Sentence {
  return { ...sentence, ...explained };
}
