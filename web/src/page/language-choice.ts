import { type Network, networks, type TargetLanguage } from "../engine/models.ts";

/** Shows the language that is chosen over the translation, and the networks that there are for it. */
export function showLanguage(to: TargetLanguage): void {
  document.querySelector<HTMLSelectElement>("#to")!.value = to;
  for (const input of document.querySelectorAll<HTMLInputElement>("#model input")) {
    input.parentElement!.hidden = !networks[to].includes(input.value as Network);
  }
}
