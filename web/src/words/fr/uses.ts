import { decimal, percent } from "../language.ts";
import { speak } from "../words.ts";

const again = "Réessayer";
const modelNames = { tagger: "de l’étiqueteur", sentiment: "du juge de critiques de films", masked: "du devineur" };

speak({
  uses: {
    cancelled: "Annulé. Appuyez sur le bouton pour charger tout de même le modèle.",
    loading: (use, percents) => `Chargement ${modelNames[use]} (1,6 Mo), ${percents} %`,
    problems: {
      network: {
        title: "Le modèle n’a pas pu être téléchargé.", text: "Vérifiez votre connexion, puis réessayez. Votre texte est toujours là.", retry: again,
      },
      format: {
        title: "Le modèle téléchargé est endommagé.", text: "Ce n’est pas le fichier que cette page attend. Il suffit souvent de le charger de nouveau.",
        retry: "Charger de nouveau",
      },
      unavailable: {
        title: "Ce navigateur ne peut pas faire fonctionner le modèle.",
        text: "Il faut WebAssembly avec SIMD : Chrome ou Edge 123, Firefox 125, Safari 17.5 ou plus récent.",
        retry: null,
      },
      argument: { title: "Le modèle ne peut pas lire ce texte.", text: "Un texte plus court conviendra.", retry: null },
      out_of_memory: {
        title: "La mémoire ne suffit pas.", text: "Fermer d’autres onglets ou raccourcir le texte peut aider.", retry: again,
      },
      worker: {
        title: "Le programme qui fait tourner les modèles n’a pas démarré.",
        text: "Une partie de cette page n’a pas pu être chargée. Vérifiez votre connexion, puis réessayez.",
        retry: again,
      },
      other: {
        title: "Le modèle a buté sur ce texte.", text: "C’est notre faute, pas la vôtre. Modifier le texte ou réessayer peut aider.", retry: again,
      },
    },

    tries: "Ou essayez",
    labs: {
      tagger: { field: "Une phrase anglaise à étiqueter", button: "Étiqueter les mots" },
      sentiment: { field: "Une phrase anglaise à propos d’un film", button: "Juger" },
      masked: { field: "Une phrase anglaise dont cacher des mots", button: "Montrer ses mots" },
    },

    partsOfSpeech: {
      ADJ: { name: "adjectif", about: "décrit une chose : old, green, first" },
      ADP: { name: "préposition", about: "in, to, during" },
      ADV: { name: "adverbe", about: "dit comment, quand, où : very, well, there" },
      AUX: { name: "auxiliaire", about: "aide un verbe : is, has, will, should" },
      CCONJ: { name: "coordination", about: "joint des égaux : and, or, but" },
      DET: { name: "déterminant", about: "the, a, this, every" },
      INTJ: { name: "interjection", about: "ouch, hello, yes" },
      NOUN: { name: "nom", about: "une chose, une personne ou une idée : girl, cat, beauty" },
      NUM: { name: "nombre", about: "one, 2026, IV" },
      PART: { name: "particule", about: "not, le ’s de « Ann’s », le to de « to go »" },
      PRON: { name: "pronom", about: "tient lieu de nom : I, you, who, nothing" },
      PROPN: { name: "nom propre", about: "Mary, London, NATO" },
      PUNCT: { name: "ponctuation", about: ". , ( )" },
      SCONJ: { name: "subordination", about: "commence une proposition : that, if, while" },
      SYM: { name: "symbole", about: "$, %, +, :)" },
      VERB: { name: "verbe", about: "ce que l’on fait : run, eat, think" },
      X: { name: "autre", about: "ce qui n’entre nulle part ailleurs" },
    },
    meaning: (name, about) => `${name} : ${about}`,
    sure: (probability) => `sûr à ${probability}`,
    almostSure: "plus de 99 %",
    aboutTag: { before: "À quel point il est sûr pour ", after: "" },

    verdicts: { positive: "Éloge", negative: "Critique" },
    moreOfDecision: (weight) => `${percent(weight)} de la décision`,
    decided: "Ce qui a décidé",
    decidedMost: (said, word) => `${said}. Ce qui a décidé : ${word}`,
    aboutDecision:
      "Le réseau résume la phrase par une moyenne de ses mots, et l’attention dit combien chacun y compte. Les nombres sous les mots sont ces poids ; " +
      "tous ensemble, avec ceux qui sont trop petits pour être écrits, ils font 1.",

    moreOfHidden: "est caché",
    pickAWord: "Appuyez sur un mot pour le cacher au réseau, et voyez ce qu’il mettrait à sa place.",
    guessesTitle: "Il mettrait ici",
    guesses: (list) => `Il mettrait ici : ${list}`,
    moreOfGuess: "le mettre là",
    original: {
      unlikely: (word) => `Le mot qui s’y trouvait, « ${word} », n’est pas parmi ses mille premières propositions.`,
      first: (word, probability) => `C’est bien ce qui s’y trouvait : « ${word} », avec ${percent(probability)}.`,
      later: (word, rank, probability) => `Le mot qui s’y trouvait, « ${word} », est la proposition numéro ${rank + 1}, avec ${percent(probability)}.`,
    },
    restsTitle: "Sur quoi repose la proposition",
    aboutRests: (guess) =>
      `Pour le savoir, la page a aussi caché chacun des autres mots. Plus sa couleur est intense, plus sa disparition affaiblit la proposition « ${guess} » ; ` +
      "le nombre sous un mot est la part de probabilité perdue sans lui.",
    moreOfRest: "le cacher",
    pressAGuess: "Appuyez sur une proposition pour la mettre dans la phrase.",

    grid: {
      title: "Qui a regardé qui",
      about:
        "Pour comprendre un mot, le réseau regarde les autres, dans deux couches successives de quatre têtes chacune. Chaque tête a sa façon de regarder. " +
        "Choisissez-en une.",
      legend: "Part de l’attention : 0 nulle, 1 entière",
      looked: "Regardé",
      reading: "Lecture",
      heads: "Têtes",
      layer: (layer) => `Couche ${layer + 1}`,
      head: (head) => `Tête ${head + 1}`,
      mean: "Moyenne",
      nameOf: (layer, head) => (head === null ? `Couche ${layer + 1}, moyenne de ses têtes` : `Couche ${layer + 1}, tête ${head + 1}`),
      description: (source, target, weight) => ({
        title: `${target} vers ${source} : ${decimal(weight, 2)}`,
        text: `Pour comprendre « ${target} », cette tête a porté ${percent(weight)} de son attention sur « ${source} ».`,
      }),
      row: { before: "Pour comprendre ", after: ", cette tête a regardé" },
      column: { before: "", after: " a été regardé pour" },
      aside: (use) => `Ce que montre la grille ${modelNames[use]}`,
      guide: "Chaque ligne est un mot à comprendre. Ses cases montrent combien le réseau a regardé pour cela chaque mot de la phrase.",
      guideTitle: "Comment lire la grille",
      pointing: "Pointez une case ou touchez-la. Au clavier : Tab, puis les flèches.",
    },
    places: ["deux mots avant", "le mot précédent", "le mot lui-même", "le mot suivant", "deux mots après"],
    habit: (place, share) => `Dans cette phrase, cette tête regarde surtout ${place} : ${percent(share)} de son attention.`,
    spread: "Dans cette phrase, cette tête disperse son attention.",
  },
});
