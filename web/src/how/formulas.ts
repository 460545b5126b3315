// What each station computes, as a formula: the same in all languages but for a few words.

import { words } from "../words/words.ts";
import type { Station, Told } from "./told.ts";

/** "_" lowers what follows it. */
export function formula(station: Station, { model, query, heads }: Told): string {
  const { forward, backward, encoder, sum, next, score, embedding } = words.steps.formulas;
  const isRecurrent = model !== "transformer";
  const formulas: Record<Station, string> = {
    read: isRecurrent ? `h_j = [${forward}_j ; ${backward}_j]` : `m_j = ${encoder}_j`,
    ask: isRecurrent ? "q = W s" : "q = W_Q x + b_Q",
    compare: {
      additive: "e_j = v · tanh(q + k_j) = v · tanh(W s + U h_j + b)",
      dot: "e_j = q · k_j = (W s) · (U h_j)",
      transformer: `e_j = q · k_j / √${query},   k_j = W_K m_j + b_K`,
    }[model],
    share: `a_j = exp(e_j − e_max) / ${sum}`,
    gather: isRecurrent ? "c = a_1 h_1 + a_2 h_2 + …" : "c = a_1 v_1 + a_2 v_2 + …,   v_j = W_V m_j + b_V",
    "go-on": isRecurrent ? `${next} s = (1 − z) n + z s` : `${next} x = x + W_O [c_1 ; … ; c_${heads}] + b_O`,
    choose: isRecurrent
      ? `r = tanh(W_s s + W_c c + W_x x + b),   ${score} = ${embedding} · r + b_o` : `${score} = ${embedding} · y + b_o`,
  };
  return formulas[station];
}
