import { type Note, notesOf, type Sayings } from "./sayings.ts";
import type { Marks } from "./view.ts";

const decimal = (value: number) => value.toFixed(2).replace(".", ",");
const kNotes: Record<Note, string> = { changed: "modifié", hidden: "caché", written: "fixé à la main" };
const kGold = { sure: "lien sûr", possible: "lien possible" };

export const french: Sayings = {
  full: decimal,
  short: decimal,
  describe: (source, target, weight, { gold }) => ({
    title: `${source} vers ${target} : ${decimal(weight)}`,
    text: `${Math.round(100 * weight)} % de l’attention pour « ${target} » est allée à « ${source} ».${gold ? ` À la main : ${kGold[gold]}.` : ""}`,
  }),
  sayPair: (source, target, weight, marks) => [`${source} vers ${target}`, decimal(weight), ...notes(marks)].join(", "),
  sayWord: (word, partners, done) => {
    const own = done.map((note) => kNotes[note]);
    const list = partners.map(({ word, weight, marks }) => [`${word} ${decimal(weight)}`, ...notes(marks).filter((each) => !own.includes(each))].join(" "));
    return `${word} : ${[list.join(", ") || "presque rien", ...own].join(", ")}`;
  },
  saySum: (word, sum) => `Somme de ${word}, ${decimal(sum)}`,
  sum: "Somme",
  source: "Source",
  target: "Cible",
  grid: (source, target) => `Attention : ${target || "cible"} en lignes, ${source || "source"} en colonnes`,
  legend: { weight: "Poids", hard: "Le plus grand poids de chaque mot cible", sure: "Lien sûr", possible: "Lien possible" },
};

function notes({ linked, faded, gold, ...done }: Marks): string[] {
  return [linked ? "relié" : "", faded ? "estompé" : "", gold ? kGold[gold] : "", ...notesOf(done).map((note) => kNotes[note])].filter((note) => note !== "");
}
