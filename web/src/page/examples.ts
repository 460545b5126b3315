import { words as said } from "../words/words.ts";

/** Sentences of growing length: somewhere along them the model without attention starts to forget. */
export const examples: readonly string[] = [
  "I'm hungry.",
  "Where did you buy this book?",
  "I am cold, but I don't want to go home yet.",
  "My sister bought a small red car and a white house near the sea.",
  "When I was a child, my grandfather told me a story every evening before I went to bed.",
  "I don't know what to say to her, because every time I try to speak she gets up and leaves the room without a word.",
];

export const firstExample = examples[2]!;

export function countWords(text: string): number {
  return text.trim() === "" ? 0 : text.trim().split(/\s+/).length;
}

/** A button for each, with how many words it has. */
export function offerExamples(list: HTMLElement, choose: (text: string) => void): void {
  for (const text of examples) {
    const words = countWords(text);
    const button = Object.assign(document.createElement("button"), { type: "button", title: text });
    button.append(String(words));
    button.ariaLabel = said.index.example(words, text);
    button.style.setProperty("--words", String(words));
    button.addEventListener("click", () => choose(text));
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
}
