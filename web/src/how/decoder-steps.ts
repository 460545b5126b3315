import type { StepsListener } from "../engine/steps.ts";
import { type StepsModel, stepsModels } from "../engine/steps/protocol.ts";
import { problemIn, wholePercents } from "../page/problems.ts";
import { StateNote } from "../page/state-note.ts";
import { keepInTab, keptInTab } from "../page/tab-store.ts";
import { words as said } from "../words/words.ts";
import { element } from "./steps-parts.ts";
import "./step-viewer.ts";
import { stations } from "./told.ts";

const { walk: words, names, problems } = said.steps;
/** English, as what the networks read. */
const examples = ["The little cat sleeps on the chair.", "I don't know where she lives.", "My brother bought a new car yesterday."];

export interface Walks {
  listener: StepsListener | undefined;
  walk(model: StepsModel, text: string): void;
  cancel(): void;
}

/** `<decoder-steps>`: a sentence, a network to choose, and the steps in which it translates the sentence. */
export class DecoderSteps extends HTMLElement {
  #engine: Walks | undefined;
  #model: StepsModel = "additive";
  /** The visitor wants steps, which may be on their way: before the first press of the button nothing is loaded. */
  #isAsked = false;
  #note!: StateNote<StepsModel>;

  connectedCallback(): void {
    if (this.#note) return;
    this.innerHTML = `
      <form>
        <label class="unseen" for="steps-text"></label>
        <input id="steps-text" lang="en" spellcheck="false" autocomplete="off" maxlength="100">
        <button class="plain-button" type="submit"></button>
      </form>
      <p class="tries"></p>
      <fieldset class="switch models"><legend></legend></fieldset>
      <div class="state"><div class="loading"></div><p class="note" role="status"></p><div class="trouble"></div></div>
      <div class="stage"><ol class="brief"></ol><step-viewer hidden></step-viewer></div>`;
    this.#note = new StateNote<StepsModel>(
      { loading: this.#find(".loading"), problem: this.#find(".trouble") }, () => this.#ask(),
      { loading: (model, fraction) => words.loading(model, wholePercents(fraction)), problem: (failure) => problemIn(problems, failure), cancel: { text: words.cancel, press: () => this.#cancel() } });
    this.#find("label").textContent = words.field;
    this.#find("form button").textContent = words.begin;
    // What was last translated, if it is short enough, by the network that did it.
    const kept = keptInTab("sentence")?.trim() ?? "";
    this.#input.value = kept !== "" && kept.length <= this.#input.maxLength ? kept : examples[0]!;
    this.#model = stepsModels.find((model) => model === keptInTab("network")) ?? this.#model;
    this.#find("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.#offerExamples();
    this.#offerModels();
    this.#find(".brief").append(...stations.map((station) => {
      const item = element("li");
      item.append(element("b", names[station].short), ` ${names[station].brief}`);
      return item;
    }));
  }

  set engine(engine: Walks) {
    this.#engine = engine;
    engine.listener = {
      loading: (model, fraction) => this.#note.loading(model, fraction),
      failed: (failure) => {
        this.#show(false);
        this.#note.failed(failure);
      },
      walked: (walk) => {
        this.#note.clear();
        this.#show(true);
        this.querySelector("step-viewer")!.show(walk);
      },
    };
  }

  get #input(): HTMLInputElement {
    return this.querySelector("input")!;
  }

  #find(selector: string): HTMLElement {
    return this.querySelector<HTMLElement>(selector)!;
  }

  #show(hasSteps: boolean): void {
    this.querySelector("step-viewer")!.hidden = !hasSteps;
    this.#find(".brief").hidden = hasSteps;
  }

  #ask(): void {
    this.#find(".note").textContent = "";
    const text = this.#input.value.trim();
    if (text === "") return;
    this.#isAsked = true;
    keepInTab("sentence", text);
    keepInTab("network", this.#model);
    this.#engine?.walk(this.#model, text);
  }

  #cancel(): void {
    this.#isAsked = false;
    this.#engine?.cancel();
    this.#find(".note").textContent = words.cancelled;
    this.#find("form button").focus();
  }

  #offerExamples(): void {
    const place = this.#find(".tries");
    place.append(`${words.tries} `);
    for (const text of examples.slice(1)) {
      const button = Object.assign(element("button", text, "try"), { type: "button" });
      button.addEventListener("click", () => {
        this.#input.value = text;
        this.#ask();
      });
      place.append(button, " ");
    }
  }

  #offerModels(): void {
    const fieldset = this.#find(".models");
    this.#find(".models legend").textContent = words.model;
    for (const model of stepsModels) {
      const label = element("label");
      label.append(
        Object.assign(element("input"), { type: "radio", name: "steps-model", value: model, checked: model === this.#model }),
        element("span", words.models[model]));
      fieldset.append(label);
    }
    fieldset.addEventListener("change", (event) => {
      this.#model = (event.target as HTMLInputElement).value as StepsModel;
      if (this.#isAsked) this.#ask();
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "decoder-steps": DecoderSteps;
  }
}

customElements.define("decoder-steps", DecoderSteps);
