import type { StepsModel } from "../../engine/steps/protocol.ts";
import type { Told } from "../../how/told.ts";
import { decimal, grouped, percent } from "../language.ts";
import { speak } from "../words.ts";

const modelNames: Record<StepsModel, string> = {
  additive: "du réseau à attention additive", dot: "du réseau à attention par produit scalaire", transformer: "du transformer",
};

const written = ({ before }: Told) => (before === "" ? "Rien n’est encore écrit" : `Jusqu’ici est écrit « ${before} »`);
const isRecurrent = ({ model }: Told) => model !== "transformer";

speak({
  steps: {
    walk: {
      field: "Une courte phrase anglaise",
      begin: "Traduire pas à pas",
      tries: "Ou essayez",
      model: "Réseau",
      models: { additive: "Additive", dot: "Produit scalaire", transformer: "Transformer" },
      layer: "Couche",
      head: "Tête",
      headOption: (number, isAligning) => (isAligning ? `${number}, celle qui aligne` : String(number)),
      source: "La phrase anglaise, et combien le réseau regarde chaque fragment à ce pas. Choisissez-en un à regarder de près",
      sourceShort: (sentences) => (sentences > 1 ? `Anglais, la première de ${sentences} phrases : regarder de près` : "Anglais : regarder de près"),
      target: "La traduction française. Choisissez le fragment que vous voulez voir naître",
      targetShort: "Français : comment est-il écrit ?",
      end: "(fin)",
      space: "(espace)",
      part: (text) => `…${text}`,
      step: (number) => `pas ${number}`,
      weight: (weight) => `${percent(weight)} de l’attention`,
      stations: "Étapes de ce pas",
      previous: "Précédent",
      next: "Suivant",
      at: (step, count, word) => `Pas ${step} sur ${count} : « ${word} »`,
      announce: (step, word, station) => `Pas ${step}, « ${word} ». ${station}`,
      loading: (model, percents) => `Chargement ${modelNames[model]} (${model === "transformer" ? "2,8" : "2,7"} Mo), ${percents} %`,
      cancel: "Annuler",
      cancelled: "Annulé. Le bouton charge tout de même le réseau.",
      checked: (apart) =>
        `Comparé au moteur : aucun poids et aucune probabilité de cette traduction ne s’écarte des siens de plus de ${decimal(Math.max(apart, 1e-4), 4)}. ` +
        "À chaque pas s’écrit ici le fragment le plus probable ; la page Traduire suit les quatre débuts les plus probables et peut finir par d’autres mots.",
      shifted: (word, before) =>
        "Cette tête a appris à trouver la source du mot écrit en dernier" + (before ? `, ici « ${before} »` : "") +
        `. Ce que la page Traduire montre de « ${word} » est donc ce qu’elle regarde au pas suivant.`,
      long: "La traduction a atteint la longueur permise : ici, la fin n’était pas le plus probable.",
    },

    names: {
      read: { short: "Lire", title: "Ce qui a été lu", brief: "Chaque fragment anglais est devenu une liste de nombres." },
      ask: { short: "Demander", title: "Ce qui est cherché", brief: "Ce qui est déjà écrit devient une question, encore une liste de nombres." },
      compare: { short: "Comparer", title: "À quel point chaque fragment répond", brief: "La question est comparée à chaque fragment : un score." },
      share: { short: "Partager", title: "Les scores deviennent des parts", brief: "Les scores deviennent des parts dont la somme est 1 : l’attention." },
      gather: { short: "Réunir", title: "Ce qui est rapporté", brief: "Les fragments sont additionnés, chacun selon sa part : le contexte." },
      "go-on": { short: "Avancer", title: "Ce qu’il en advient", brief: "Le contexte change ce que le réseau gardera en mémoire." },
      choose: { short: "Choisir", title: "Quel mot est écrit", brief: "Chaque fragment du vocabulaire français reçoit une probabilité ; le plus probable est écrit." },
    },

    formulas: {
      forward: "état avant", backward: "état arrière", encoder: "encodeur(phrase)", sum: "somme", next: "nouveau", score: "score", embedding: "plongement",
    },

    texts: {
      read: (told) => (isRecurrent(told)
        ? "Avant le premier mot français, deux réseaux lisent la phrase anglaise, un depuis chaque bout. "
        : "Avant le premier mot français, les couches de l’encodeur regardent toute la phrase anglaise. ") +
        `De chaque fragment, ils gardent ${told.memory} nombres, ${isRecurrent(told) ? "h" : "m"} : ce qu’il veut dire, où il se trouve. Ils restent les mêmes à tous les pas.`,
      ask: (told) => (isRecurrent(told)
        ? (told.before === "" ? `${written(told)} : l’état s du décodeur vient de la fin de la lecture. ` : `${written(told)}. Tout ce que le décodeur en retient est son état s. `) +
          `La matrice W fait de l’état une question : ${told.query} nombres, q.`
        : `${written(told)}. Ce que le décodeur en a fait dans la couche ${told.layer + 1} est x. La tête ${told.head + 1} en tire sa propre question : ${told.query} nombres, q.`),
      compare: ({ model, source, query }) => ({
        additive:
          `À quel point « ${source} » répond-il ? La question et la clé, qui est U h + b, sont additionnées nombre par nombre, ramenées entre −1 et 1 par tanh, ` +
          "pesées par v, puis sommées : un score (Bahdanau et al., 2015).",
        dot:
          `À quel point « ${source} » répond-il ? La question et la clé, qui est U h, sont multipliées nombre par nombre et les produits sommés : un score ` +
          "(Luong et al., 2015, l’appellent dot ; avec une matrice de chaque côté, comme ici, il vaut leur general).",
        transformer:
          `À quel point « ${source} » répond-il ? La question et la clé sont multipliées nombre par nombre et les produits sommés. Une somme de ${query} produits ` +
          `devient grande, on la divise donc par la racine de ${query} : un score (Vaswani et al., 2017).`,
      })[model],
      share: () =>
        "exp rend tous les scores positifs et creuse les écarts : 1 de plus, c’est 2,7 fois autant. Chaque résultat est divisé par leur somme. C’est le softmax. " +
        "Le plus grand score est retranché d’abord, car son exp pourrait être un nombre trop grand ; les parts restent les mêmes.",
      gather: (told) =>
        `${isRecurrent(told) ? "Le h" : "Les valeurs v"} de chaque fragment, fois sa part, puis la somme de tous : le contexte c. Ce qui n’a reçu qu’une petite part a presque disparu.`,
      "go-on": (told) => (isRecurrent(told)
        ? "Le mot précédent, x, le contexte c et l’ancien état s font ensemble une proposition n, et disent pour chaque nombre combien garder de l’ancien : z " +
          "(une unité récurrente à portes, Cho et al., 2014)."
        : `Les contextes des ${told.heads} têtes, côte à côte, passent par la matrice W_O, et ce qui en sort est ajouté à ce qui s’y trouvait. ` +
          (told.layer + 1 < told.layers
            ? "Viennent ensuite un petit réseau pour chaque mot seul, puis la couche suivante."
            : "Vient ensuite un petit réseau pour chaque mot seul : c’était la dernière couche.")),
      choose: (told) =>
        (isRecurrent(told)
          ? `L’état, le contexte et le mot précédent sont réunis en ${told.last} nombres, r. ` : `La dernière couche laisse ${told.last} nombres, y. `) +
        `Chacun des ${grouped(told.vocabulary)} fragments du vocabulaire leur est comparé, et le softmax fait des scores des probabilités. Le plus probable est écrit.`,
    },

    table: {
      piece: "Fragment",
      list: "Liste",
      numbers: (count) => `${count} nombres`,
      strip: (name, count, least, most) => `${name} : ${count} nombres de ${least} à ${most}`,
      scale: (largest) => `Une case est un nombre, à lire ligne par ligne comme un texte. La couleur la plus forte vaut ici ${largest}.`,
      minus: "moins que 0",
      plus: "plus que 0",
      begins: "commence par",
      state: "l’état", layerState: "ce qui s’y trouve", question: "la question",
      key: (source) => `la clé de « ${source} »`,
      terms: "les termes de la somme",
      outermost: (count) => `Les ${count} termes qui élèvent le plus le score, les ${count} qui l’abaissent le plus, les autres, et leur somme`,
      number: "Numéro",
      term: "Terme",
      others: (count) => `les ${count} autres`,
      sum: "Somme",
      divided: (width) => `divisée par √${width}`,
      score: "Score e",
      lessMost: "e − e_max",
      power: "exp",
      weight: "Part a",
      share: (source, power, sum, weight) => `« ${source} » : ${power} / ${sum} = ${weight}`,
      scaled: (of) => `a · ${of}`,
      context: "le contexte",
      input: "le mot précédent", candidate: "la proposition", keep: "combien garder", newState: "le nouvel état", oldState: "l’ancien état",
      mixed: (z, n, s, sum) => `Le premier nombre : (1 − ${z}) · ${n} + ${z} · ${s} = ${sum}`,
      kept: (share) => `En moyenne, ${percent(share)} de l’ancien état est gardé.`,
      brings: "ce qu’apportent les têtes", after: "la somme",
      wordScore: "Score",
      probability: "Probabilité",
      written: "écrit",
      last: "ce qui est comparé",
    },

    problems: {
      network: { title: "Le réseau n’a pas pu être téléchargé.", text: "Vérifiez votre connexion, puis réessayez. Votre texte est toujours là.", retry: "Réessayer" },
      format: {
        title: "Le réseau téléchargé est endommagé.",
        text: "Ce n’est pas le fichier que cette page attend. Le charger encore une fois suffit souvent.", retry: "Charger de nouveau",
      },
      unavailable: {
        title: "Ce navigateur ne peut pas faire ce calcul.",
        text: "Il faut WebAssembly avec SIMD : Chrome ou Edge 123, Firefox 125, Safari 17.5 ou plus récent.", retry: null,
      },
      apart: {
        title: "Cette phrase a des signes qui ne peuvent pas être montrés ici.",
        text: "Les nombres calculés pour elle ne seraient pas ceux du moteur. De simples lettres, chiffres et signes de ponctuation conviennent.", retry: null,
      },
      worker: { title: "Le programme de calcul n’a pas pu être chargé.", text: "Vérifiez votre connexion, puis réessayez.", retry: "Réessayer" },
      out_of_memory: { title: "La mémoire ne suffit pas.", text: "Fermer d’autres onglets peut aider.", retry: "Réessayer" },
      other: { title: "Le calcul s’est arrêté.", text: "C’est notre faute, pas la vôtre. Une autre phrase, ou un nouvel essai, peut aider.", retry: "Réessayer" },
    },
  },
});
