import { grouped } from "../language.ts";
import { speak } from "../words.ts";

speak({
  align: {
    rowName: "Les mots de la traduction et leur surprise en bits",
    surprising: ["attendu", "un peu surprenant", "surprenant", "très surprenant"],
    moreOfWord: (how) => `bits, ${how}`,
    million: "plus d’un million",
    chance: (one) => `1 chance sur ${one}`,
    almostSure: "plus de 99 %",
    note: (how, bits, chance) => `${how} : ${bits} bits. Le réseau lui donnait ${chance}.`,
    verdict: {
      none: "Il n’y a pas de mot à aligner.",
      calm: "Rien ne surprend le réseau. Le mot qu’il attendait le moins est ",
      surprised: "Le plus surprenant : ",
      after: (bits, chance) => `, avec ${bits} bits (${chance}).`,
      expected: (word) => ` Le réseau attendait « ${word} ».`,
    },
    summary: (surprising, all, unit, mean) => {
      const [one, many] = unit === "word" ? ["mot", "mots"] : ["fragment", "fragments"];
      const counted = surprising === 0 ? `Aucun ${one} sur ${all} n’est surprenant`
        : surprising === 1 ? `1 ${one} sur ${all} est surprenant` : `${surprising} ${many} sur ${all} sont surprenants`;
      return `${counted} ; la moyenne est de ${mean} bits.`;
    },
    aboutBits:
      "Sous chaque mot figure sa surprise en bits, c’est-à-dire −log₂ de la probabilité que le réseau lui donnait avant de le voir : 0 était certain, " +
      "1 comme à pile ou face, 10 comme une chance sur mille.",
    obstacles: {
      empty: (name) => `Écrivez ou collez un texte ${name}, ou choisissez un exemple.`,
      long: (name, length, longest) =>
        `Le texte ${name} compte ${grouped(length)} caractères. Cette page en aligne ${grouped(longest)} au plus : ` +
        "une phrase ou un court paragraphe. Donnez-le en plusieurs fois.",
      wordless: (name) => `Le texte ${name} ne contient aucun mot à aligner.`,
    },
    tooMuch: {
      title: "C’est trop pour un seul dessin.", text: "Donnez les deux textes en plusieurs fois : le mieux est phrase par phrase.", retry: null,
    },
  },
});
