import type { AttentionHead, SearchNode } from "softalign";
import type { Place, WeighDetail } from "../elements/alignment/data.ts";
import { kNowhere } from "../elements/alignment/data.ts";
import { networkOf } from "../engine/models.ts";
import type { Changes, Sentence } from "../engine/protocol.ts";
import type { AttentionFigure } from "./attention-figure.ts";
import { changedTokens, writtenTokens } from "./change-panel.ts";
import { ChangeSession, type AtHand, type Step, type Wondering } from "./change-session.ts";
import { freedFrom, hiddenOrShown, isNone, letGo, switched, weighed, written } from "./changes.ts";
import { countDifferent } from "./difference.ts";
import type { TranslationText } from "./translation-text.ts";
import type { ViewState } from "./view-state.ts";
import { words as said } from "../words/words.ts";

export interface DeskPlaces {
  figure: AttentionFigure;
  translation: TranslationText;
}

/** Whether a model looks in several ways at once. The recurrent ones have one head, which is the picture above. */
const hasHeads = (atHand: AtHand | undefined) => atHand !== undefined && ["transformer", "student"].includes(networkOf(atHand.model));

/** Where the visitor changes the attention of the sentence at hand: connects what can be pressed with the session of changes. */
export class ChangeDesk {
  readonly session: ChangeSession;
  #atHand: AtHand | undefined;
  #editing = false;
  #picked: Place = kNowhere;
  #trouble = "";
  /** Words for what follows this beginning. */
  #offers: { begin: string; words: readonly string[] } = { begin: "", words: [] };
  /** What the search followed for this sentence of this model. */
  #searched: { of: string; nodes: readonly SearchNode[] | null } = { of: "", nodes: null };
  #picture: ViewState["picture"] = "grid";
  readonly #places: DeskPlaces;
  readonly #engine: Wondering;
  readonly #bar;
  readonly #panel;
  readonly #search;
  readonly #heads;
  readonly #without;

  /**
   * @param changed the sentence at hand is to be shown anew.
   * @param say has what is to be said of an answer.
   */
  constructor(places: DeskPlaces, engine: Wondering, changed: () => void, say: (text: string) => void) {
    this.#places = places;
    this.#engine = engine;
    this.#bar = places.figure.querySelector("change-bar")!;
    this.#panel = places.figure.querySelector("change-panel")!;
    this.#search = places.figure.querySelector("search-tree")!;
    this.#heads = places.figure.querySelector("all-heads")!;
    this.#without = places.figure.querySelector("no-attention")!;
    this.session = new ChangeSession(engine, (step) => {
      this.#trouble = step === "dropped" ? said.index.changing.dropped : step === "failed" ? said.index.changing.failed : step === "answered" ? this.#trouble : "";
      changed();
      const text = this.#sayingOf(step);
      if (text) say(text);
    });
    this.#wire();
  }

  /** @returns the sentence as it is to be shown: changed, where it is. */
  begin(atHand: AtHand | undefined): Sentence | undefined {
    this.#atHand = atHand;
    if (this.session.begin(atHand)) this.#picked = kNowhere;
    const { rows, hidden, begin, off } = this.session.changes;
    if (off.length > 0) this.#heads.open = true;
    this.session.heads = this.#heads.open && hasHeads(atHand);
    if (rows.length + hidden.length + begin.length > 0) this.#editing = true;
    return this.session.sentence;
  }

  /** Shows what is changed, once the sentence itself is shown. */
  show(sentence: Sentence | undefined, picture: ViewState["picture"]): void {
    this.#picture = picture;
    const { changes, canUndo } = this.session;
    const { figure, translation } = this.#places;
    const own = this.#atHand?.sentence;
    const edited = isNone(changes) ? null : {
      rows: changes.rows.map(({ target }) => target), columns: changes.hidden,
      words: sentence && own ? writtenTokens(sentence, changes.begin, own.translation) : [],
    };
    figure.changes = { edited, editable: this.#editing };
    translation.changed = sentence && own && sentence !== own ? changedTokens(sentence, own.translation) : [];
    this.#bar.state = { editing: this.#editing, canUndo, canReset: !isNone(changes), picture, trouble: this.#trouble };
    this.#without.state = { sentence, uniform: changes.uniform };
    this.#heads.hidden = !hasHeads(this.#atHand);
    this.#heads.state = { answer: this.session.withHeads, level: this.#atHand?.level ?? "word", off: changes.off, own: own?.translation ?? "", language: own?.language ?? "fr", shifted: this.#atHand !== undefined && networkOf(this.#atHand.model) === "transformer" };
    this.#search.hidden = !own?.attention;
    this.#search.state = { nodes: this.#searchedFor(), shown: sentence?.translation ?? "", language: own?.language ?? "" };
    this.#panel.hidden = !this.#editing || !sentence?.attention;
    if (sentence?.attention && own) this.#panel.state = { sentence, own, changes, picked: this.#picked, offers: this.#offersFor(sentence) };
  }

  #wire(): void {
    const { figure, translation } = this.#places;
    const { session } = this;
    this.#bar.addEventListener("editing", () => {
      this.#editing = !this.#editing;
      this.#refresh();
    });
    this.#bar.addEventListener("undo", () => session.undo());
    this.#bar.addEventListener("reset", () => session.reset());
    figure.addEventListener("pick", ({ detail }) => this.#pick(detail));
    // Who presses a French word wants another: the panel has those that might stand there.
    translation.addEventListener("press", ({ detail }) => {
      if (!session.sentence?.attention) return;
      this.#editing = true;
      this.#pick({ row: detail.index, column: null });
      this.#panel.scrollIntoView({ block: "nearest" });
    });
    figure.addEventListener("weigh", ({ detail }) => this.#weigh(detail));
    this.#panel.addEventListener("weigh", ({ detail }) => this.#weigh(detail));
    this.#panel.addEventListener("hide", ({ detail }) => session.change(hiddenOrShown(session.changes, detail)));
    this.#panel.addEventListener("letgo", ({ detail }) => session.change(letGo(session.changes, detail)));
    const form = this.#panel.querySelector("write-form")!;
    form.addEventListener("write", ({ detail: word }) => {
      const target = this.#picked.row;
      const before = this.#before(target);
      if (target !== null && before !== null) session.change(written(session.changes, { target, before, word }));
    });
    form.addEventListener("free", () => session.change({ ...session.changes, begin: "" }));
    this.#search.addEventListener("open", () => this.#refresh());
    this.#search.addEventListener("write", ({ detail: begin }) => session.change({ ...session.changes, begin }));
    this.#heads.addEventListener("open", () => {
      session.heads = this.#heads.open && hasHeads(this.#atHand);
    });
    this.#heads.addEventListener("switch", ({ detail }) => session.change(this.#freed(switched(session.changes, detail.heads, detail.off))));
    this.#without.addEventListener("uniform", ({ detail }) => session.change(this.#freed({ ...session.changes, uniform: detail })));
    figure.addEventListener("keydown", (event) => {
      const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isUndo || (event.target as HTMLElement).matches("input[type=text]") || !session.canUndo) return;
      event.preventDefault();
      session.undo();
    });
  }

  /** Where all of the translation is held, as after choosing one, there would be nothing to watch. */
  #freed(changes: Changes): Changes {
    const isHeld = changes.begin !== "" && changes.begin.trim() === this.session.sentence?.translation.trim();
    return isHeld ? { ...changes, begin: "" } : changes;
  }

  #pick(place: Place): void {
    if (!this.#editing || (place.row === null && place.column === null)) return;
    this.#picked = place;
    this.#refresh();
  }

  #weigh({ row, column, weight, settled }: WeighDetail): void {
    const { session } = this;
    const shown = this.session.sentence;
    if (!this.#editing || !shown?.attention) return;
    if (weight === null) return session.change(letGo(session.changes, row));
    const width = shown.sourceTokens.length;
    const rowOf = (attention: Float32Array | null | undefined) => attention?.slice(row * width, (row + 1) * width);
    const now = session.changes.rows.find(({ target }) => target === row)?.weights ?? rowOf(shown.attention)!;
    const changes = weighed(freedFrom(session.changes, this.#before(row) ?? ""), row, column, weight, now, rowOf(this.#atHand?.sentence.attention));
    // Seen at once; what becomes of the sentence follows.
    const weights = changes.rows.find(({ target }) => target === row)!.weights;
    const sum = weights.reduce((all, each) => all + each, 0);
    this.#places.figure.preview(row, weights.map((each) => each / sum));
    session.change(changes, settled);
  }

  /** The translation before one of its tokens. */
  #before(row: number | null): string | null {
    const { translation, targetTokens } = this.session.sentence ?? { translation: "", targetTokens: [] };
    const token = row === null ? undefined : targetTokens[row];
    return token ? translation.slice(0, token.start) : null;
  }

  /** Words for the picked one; they are asked for when there are none yet, and come later. */
  #offersFor({ targetTokens }: Sentence): readonly string[] {
    const { hidden, rows, off, uniform } = this.session.changes;
    const begin = this.#before(this.#picked.row);
    const token = this.#picked.row === null ? undefined : targetTokens[this.#picked.row];
    // What it might write it tells without changes only.
    if (!this.#atHand || begin === null || !/\p{L}/u.test(token?.text ?? "") || uniform || hidden.length + rows.length + off.length > 0) return [];
    const { text: sentence, model } = this.#atHand;
    const key = `${model} ${sentence} ${begin}`;
    if (this.#offers.begin !== key) {
      this.#offers = { begin: key, words: [] };
      this.#engine.offer({ sentence, model, begin }).then((words) => {
        if (this.#offers.begin !== key) return;
        this.#offers = { begin: key, words };
        this.#refresh();
      }, () => {}); // Without offers there is still the word of one's own.
    }
    return this.#offers.words;
  }

  /** What the search followed, if anybody looks; it is asked for when it is not known yet, and comes later. */
  #searchedFor(): readonly SearchNode[] | null {
    if (!this.#atHand || !this.#search.open) return this.#searched.nodes;
    const { text: sentence, model } = this.#atHand;
    const of = `${model} ${sentence}`;
    if (this.#searched.of !== of) {
      this.#searched = { of, nodes: null };
      this.#engine.search({ sentence, model }).then((nodes) => {
        if (this.#searched.of !== of) return;
        this.#searched = { of, nodes };
        this.#refresh();
      }, () => {
        // The translation itself tells what is wrong; next time it is asked for again.
        if (this.#searched.of === of) this.#searched.of = "";
      });
    }
    return this.#searched.nodes;
  }

  #refresh(): void {
    this.show(this.session.sentence, this.#picture);
  }

  #sayingOf(step: Step): string {
    const shown = this.session.sentence;
    if (step === "dropped" || step === "failed") return this.#trouble;
    if (step === "asked" || !shown || !this.#atHand || shown === this.#atHand.sentence) return "";
    return said.index.changing.answer(shown.translation, countDifferent(shown.translation, this.#atHand.sentence.translation));
  }
}

declare global {
  interface HTMLElementEventMap {
    /** Hides a source token, or shows it again. */
    hide: CustomEvent<number>;
    /** Lets a target token look by itself. */
    letgo: CustomEvent<number>;
    /** Switches heads off or on. */
    switch: CustomEvent<{ heads: readonly AttentionHead[]; off: boolean }>;
    /** Switches attention off (true) or on. */
    uniform: CustomEvent<boolean>;
  }
}
