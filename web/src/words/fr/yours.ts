import { kLargest } from "../../engine/model-files/contents.ts";
import { grouped } from "../language.ts";
import { speak } from "../words.ts";

const notStarted = () => ({
  title: "Le programme qui fait tourner les modèles n’a pas démarré.",
  text: "Une partie de cette page n’a pas pu être chargée. Vérifiez votre connexion, puis réessayez.",
});

speak({
  yours: {
    page: "La page",
    kilobytes: (size) => `${size} ko`,
    megabytes: (size) => `${size} Mo`,
    noTag: (text) => ({
      title: text === "" ? "Il manque une langue." : `« ${text} » n’est pas un code de langue.`,
      text: "Un code a deux ou trois lettres : en pour l’anglais, fr pour le français, es pour l’espagnol.",
    }),
    kinds: { model: "un modèle", weights: "les poids d’un modèle Marian", vocabulary: "un vocabulaire", shortlist: "une liste restreinte" },
    given: (kind, size) => ` : ${kind}, ${size}`,
    faults: {
      large: (name) => ({ title: `${name} est trop volumineux.`, text: `Cette page accepte des fichiers de ${kLargest / 1e6} Mo au plus.` }),
      empty: (name) => ({ title: `${name} est vide.`, text: "Son téléchargement s’est peut-être interrompu. Récupérez-le de nouveau." }),
      unknown: (name) => ({
        title: `${name} n’est pas un modèle.`,
        text:
          "Cette page accepte les fichiers .safetensors et, des modèles Marian, les poids (.bin ou .npz), le vocabulaire (.spm) et la liste restreinte (.bin).",
      }),
      damaged: (name) => ({
        title: `${name} est endommagé.`, text: "Il s’arrête trop tôt, ou son contenu a été altéré. Récupérez-le de nouveau.",
      }),
    },
    missing: {
      weights: "Il manque encore les poids (.bin ou .npz).",
      vocabulary: "Il manque encore le vocabulaire (.spm) : sans lui, personne ne sait quels mots désignent les nombres.",
      "second vocabulary": "Il manque encore un second vocabulaire (.spm) : ce modèle en a un par langue.",
      nothing: "",
    },
    misfit: (name, kind, has, expected) => ({
      title: `${name} appartient à un autre modèle.`,
      text: kind === "vocabulary"
        ? `Ce vocabulaire compte ${grouped(has)} mots ; les poids en demandent un de ${grouped(expected)}.`
        : `Cette liste restreinte compte ${grouped(has)} mots ; les poids en demandent une de ${grouped(expected)}.`,
    }),
    failures: {
      format: (name) => ({
        title: `${name} est inutilisable.`, text: "Il est endommagé, ou c’est un type de modèle que cette page ne peut pas faire fonctionner.",
      }),
      out_of_memory: (name) => ({ title: `${name} demande plus de mémoire qu’il n’y en a.`, text: "Fermer d’autres onglets peut aider." }),
      network: notStarted,
      worker: notStarted,
      unavailable: () => ({
        title: "Ce navigateur ne peut pas faire fonctionner le modèle.",
        text: "Il faut WebAssembly avec SIMD : Chrome ou Edge 123, Firefox 125, Safari 17.5 ou plus récent.",
      }),
      other: (name) => ({
        title: `${name} a trébuché.`, text: "C’est notre faute, pas la vôtre. Un autre texte, ou rouvrir le modèle, peut aider.",
      }),
    },
    does: {
      tagger: "Il étiquette les mots selon leur nature", classifier: "Il classe des phrases, par exemple en éloges et en critiques",
      "masked-language-model": "Il devine des mots cachés", "language-model": "Il lit et devine le mot suivant",
    },
    notOurs: "C’est un fichier safetensors, mais pas un modèle de softalign : ses tenseurs sont affichés, mais il ne peut pas servir ici.",
    elsewhere: (does) => `${does} et ne traduit pas. Un modèle semblable est à l’œuvre à la page`,
    pages: { translate: "Traduire", uses: "Autres usages" },

    columns: ["Nom", "Forme", "Type"],
    storage: { I8: "octets", F32: "flottants de 32 bits", F16: "flottants de 16 bits", U8: "octets bruts (le vocabulaire)" },
    storedAs: (count, type) => `${grouped(count)} en ${type}`,
    marian: {
      type: "Architecture", "transformer-decoder-autoreg": "Décodeur", "dec-cell": "Cellule du décodeur", "dim-emb": "Largeur",
      "enc-depth": "Couches de l’encodeur", "dec-depth": "Couches du décodeur", "transformer-heads": "Têtes",
      "transformer-dim-ffn": "Largeur du réseau à propagation avant", "dim-vocabs": "Vocabulaire", version: "Fait par Marian",
    },
    config: {
      alignment: "Alignement", alignment_head: "Tête de l’alignement", alignment_layer: "Couche de l’alignement", alignment_shifted: "Alignement décalé",
      attention: "Attention", decoder: "Décodeur", decoder_layers: "Couches du décodeur", embedding: "Plongement", encoder: "Encodeur",
      encoder_layers: "Couches de l’encodeur", feed_forward: "Propagation avant", heads: "Têtes", labels: "Étiquettes", layers: "Couches", radius: "Rayon",
      reader: "Lecteur", vocabulary: "Vocabulaire", width: "Largeur",
    },
    terms: {
      file: "Fichier", vocabulary: "Vocabulaire", shortlist: "Liste restreinte", weights: "Poids", stored: "Stockage", name: "Nom", languages: "Langues",
      language: "Langue", architecture: "Architecture",
    },
    pieces: (count) => `${grouped(count)} fragments`,
    piecesBy: (count, method) => `${grouped(count)} fragments (SentencePiece, ${method})`,
    likely: (words, entries) => `traductions probables de ${grouped(words)} mots, ${grouped(entries)} en tout`,
    weightsIn: (weights, tensors) => `${grouped(weights)} dans ${grouped(tensors)} tenseurs`,
    fromTo: (from, to) => `${from} vers ${to}`,

    contents: (names) => `Ce que contient ${names}`,
    use: (name) => `Traduire avec ${name}`,
    tensors: (count) => `Les ${grouped(count)} tenseurs`,
    oneNumber: "1 nombre",
    fetching: (name, percents) => `Téléchargement de ${name}, ${percents} %`,
    cancelled: (kept) => `Annulé. ${kept}`.trim(),
    notFetched: (name) => ({ title: `${name} n’a pas pu être téléchargé.`, text: "Vérifiez votre connexion, puis réessayez." }),
    looking: (names) => `Examen de ${names}`,
    opening: (name) => `Ouverture de ${name}`,
    opened: (name, from, to) => `${name} est en service (traduction : ${from} → ${to}).`,
    askForLanguages: "Il ne reste qu’une question : quelles langues traduit-il ? Indiquez-les ci-dessus.",
    onlyShown: (name) => `Le contenu de ${name} est affiché ci-dessous.`,
    stillInUse: (name) => `${name} reste en service.`,
    noAttention: "Ce modèle n’a pas d’attention : il retient la phrase entière sous la forme d’une liste de nombres ; il n’y a donc rien à dessiner.",
    tooLong: (length, most) => `Ce texte compte ${grouped(length)} caractères ; cette page en traduit ${grouped(most)} au plus.`,
  },
});
