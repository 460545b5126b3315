import type { pages as english } from "../en/pages.ts";

const tatoeba =
  "Appris sur des paires de phrases des bénévoles de Tatoeba (tatoeba.org, manythings.org/anki), CC&nbsp;BY&nbsp;2.0.";

export const pages: typeof english = {
  all: {
    pages: "Pages",
    dark: "Sombre",
    english: "Anglais",
    french: "Français",
    to: "Traduire vers",
    german: "Allemand",
    spanish: "Espagnol",
    typeEnglish: "Écrivez une phrase en anglais",
    settings: "Réglages",
    attention: "Attention",
    transformer: "Transformer",
    aboutTransformer: "Tout regarde tout, de plusieurs façons à la fois",
    student: "Élève",
    aboutStudent: "Bâti comme les traducteurs de Firefox : lit par attention, écrit de mémoire",
    additive: "Additive",
    aboutAdditive: "Note chaque mot anglais à l’aide d’un petit réseau",
    dot: "Produit scalaire",
    aboutDot: "Note chaque mot anglais en multipliant deux listes de nombres",
    show: "Montrer",
    words: "Mots",
    aboutWords: "Des mots entiers, tels que vous les lisez",
    pieces: "Fragments",
    aboutPieces: "Les morceaux de mots avec lesquels travaille le réseau",
  },

  index: {
    nav: "Traduire",
    head: "softalign : la traduction vue de l’intérieur",
    description:
      "Écrivez en anglais, lisez en français, en allemand ou en espagnol, et voyez quels mots anglais le réseau a regardés en écrivant chaque mot. Tout se passe dans votre navigateur ; rien de ce que vous écrivez n’en sort.",
    title: "La traduction vue de l’intérieur",
    lede: "Écrivez en anglais, lisez en français, en allemand ou en espagnol. La grille montre quels mots anglais le réseau a regardés en écrivant chaque mot.",
    noscript: "Cette page traduit à l’aide d’un programme qui tourne dans votre navigateur. Veuillez y autoriser JavaScript.",
    texts: "Les deux textes",
    translation: "Traduction",
    examples: "Exemples, par nombre de mots",
    plain: "Aucune",
    aboutPlain: "Écrit à partir d’un seul résumé de toute la phrase",
    reader: "Un réseau qui regarde en arrière en lisant",
    aboutReader:
      "Avant de traduire, il faut lire. Ce réseau lit l’anglais mot à mot en devinant le suivant ; à chaque mot, il regarde en arrière vers tout ce " +
      "qu’il a lu (Cheng, Dong et Lapata, 2016).",
    footer: [
      "Rien de ce que vous écrivez ne quitte cet onglet : le réseau et ses poids ont été téléchargés dans votre navigateur, et c’est là qu’il travaille.",
      tatoeba,
    ],
  },

  align: {
    nav: "Aligner",
    head: "Alignez vos propres phrases : softalign",
    description:
      "Donnez une phrase anglaise et sa traduction en français, en allemand ou en espagnol : voyez quels mots vont ensemble et lesquels surprennent un réseau de neurones. Tout se passe dans votre navigateur.",
    title: "Alignez vos propres phrases",
    lede: "Deux phrases que vous donnez : quel mot de la traduction va avec quels mots anglais, et lesquels le réseau n’aurait-il pas attendus ?",
    noscript: "Cette page aligne à l’aide d’un programme qui tourne dans votre navigateur. Veuillez y autoriser JavaScript.",
    texts: "Les deux textes",
    typeTranslation: "Écrivez sa traduction",
    examples: "Exemples",
    good: "Une bonne traduction",
    wrong: "Un mot faux",
    swapped: "Des mots intervertis",
    idiom: "Une expression",
    alien: "Une phrase sans rapport",
    surprise: "Le réseau aurait-il écrit cela ?",
    alignment: "Quels mots vont ensemble ?",
    aboutAlignment:
      "Le réseau écrit votre traduction mot à mot, comme si c’était la sienne (décodage forcé). Le dessin montre où il a regardé pendant ce temps.",
    footer: [
      "Rien de ce que vous écrivez ne quitte cet onglet : les réseaux et leurs poids sont téléchargés dans votre navigateur, et c’est là qu’ils travaillent.",
      tatoeba,
    ],
  },

  yours: {
    nav: "Votre modèle",
    head: "Apportez votre modèle : softalign",
    description:
      "Déposez un modèle de traduction, de softalign, de Marian ou de Firefox : voyez ce qu’il contient, traduisez avec lui et regardez son attention. Les fichiers restent dans votre navigateur.",
    title: "Apportez votre modèle",
    lede: "Déposez ici les fichiers d’un modèle de traduction : voyez ce qu’il contient, traduisez avec lui et regardez son attention.",
    noscript: "Cette page ouvre les modèles à l’aide d’un programme qui tourne dans votre navigateur. Veuillez y autoriser JavaScript.",
    drop: "Déposez des fichiers n’importe où sur cette page",
    aboutDrop:
      "Un fichier <b>.safetensors</b> de softalign ; ou les fichiers d’un petit modèle Marian, comme ceux de Firefox : des poids (<b>.bin</b>, <b>.npz</b>), " +
      "un ou deux vocabulaires (<b>.spm</b>), une liste restreinte (<i lang=\"en\">shortlist</i>, <b>.bin</b>) s’il y en a une. Tous ensemble ou l’un après l’autre, " +
      "compressés en <b>.gz</b> si vous voulez.",
    choose: "Choisir des fichiers",
    sample: "Prendre un des nôtres",
    stay: "Ils sont ouverts dans cet onglet et ne le quittent jamais.",
    given: "Fichiers reçus",
    aboutLanguages:
      "Les fichiers de Marian ne disent pas à quelles langues ils sont destinés. Indiquez leurs codes : en pour l’anglais, fr pour le français, es pour l’espagnol.",
    from: "De",
    to: "Vers",
    set: "Indiquer ces langues",
    forget: "Oublier ces fichiers",
    use: "Utilisation",
    text: "Texte",
    type: "Écrivez une phrase",
    translation: "Traduction",
    contents: "Ce qu’il contient",
    footer: [
      "Vos fichiers et ce que vous écrivez ne quittent jamais cet onglet : seul le programme a été téléchargé, et il tourne ici.",
      "Mozilla publie les petits modèles de Firefox, pour de nombreuses langues, au format de Marian ; ceux de softalign sont faits par sa commande <code>train</code>.",
    ],
  },

  uses: {
    nav: "Autres usages",
    head: "Autres usages de l’attention : softalign",
    description:
      "Natures de mots, éloge ou critique, mots cachés : trois petits réseaux qui lisent l’anglais grâce à l’attention, dans votre navigateur. Rien de ce que vous écrivez n’en sort.",
    title: "À quoi l’attention sert encore",
    lede:
      "L’attention est née avec la traduction. Les mêmes quelques lignes de calcul servent aussi à lire une seule langue : ici, trois petits réseaux le font, " +
      "et montrent ce qu’ils ont regardé.",
    noscript: "Ces réseaux tournent dans votre navigateur. Veuillez y autoriser JavaScript.",
    tagger: "Quelle est la nature de chaque mot ?",
    aboutTagger:
      "En anglais, <i lang=\"en\">can</i> peut être un verbe, un auxiliaire ou une boîte de conserve. Pour trancher, le réseau compare chaque mot à tous les autres " +
      "de sa phrase : c’est l’auto-attention.",
    sentiment: "Éloge ou critique, et quels mots ont décidé ?",
    aboutSentiment:
      "Ce réseau a appris sur dix mille phrases tirées de critiques de films. À la fin, il porte une fois encore son attention sur la phrase, pour choisir les mots " +
      "qui décident (Yang et al., 2016).",
    masked: "Quel mot est caché ?",
    aboutMasked:
      "Un réseau qui devine des mots cachés apprend une langue sans professeur : n’importe quel texte fait l’affaire (Devlin et al., 2019). Les deux " +
      "réseaux ci-dessus ont commencé comme celui-ci.",
    footer: [
      "Rien de ce que vous écrivez ne quitte cet onglet : les réseaux et leurs poids sont téléchargés dans votre navigateur, et c’est là qu’ils travaillent.",
      "Appris sur Universal Dependencies English EWT (CC&nbsp;BY-SA&nbsp;4.0), le Sentence Polarity Dataset de Pang et Lee " +
        "(CC&nbsp;BY&nbsp;4.0) et des phrases des bénévoles de Tatoeba (CC&nbsp;BY&nbsp;2.0).",
    ],
  },

  how: {
    nav: "Fonctionnement",
    head: "Comment se calcule l’attention : softalign",
    description: "Un pas de l’attention avec tous ses nombres, comment elle connaît l’ordre des mots, en images, et ce qu’elle coûte, mesuré dans votre propre navigateur.",
    title: "Comment cela se calcule",
    lede: "Comment l’attention choisit, comment elle sait où se trouve un mot, et ce que coûte de tout regarder : calculé ici, dans votre navigateur.",
    noscript: "Ce que montre cette page est calculé dans votre navigateur. Veuillez y autoriser JavaScript.",
    steps: "Un mot, pas à pas",
    aboutSteps:
      "Un réseau traduit un fragment après l’autre, et pour chacun il regarde de nouveau la phrase anglaise. Suivez l’un de ces pas " +
      "du début à la fin, avec tous ses nombres.",
    positions: "Où se trouve un mot ?",
    aboutPositions:
      "À elle seule, l’attention voit les mots comme dans un sac : « le chien mord l’homme » y vaut « l’homme mord le chien ». On donne donc aussi à chaque mot " +
      "sa position, sous la forme d’une liste de nombres ajoutée à la sienne. Il y a plusieurs façons de faire de telles listes.",
    costs: "Que coûte le regard ?",
    aboutCosts:
      "Une phrase compte n mots, et chaque mot est une liste de d nombres. Comment le travail croît-il avec n ? Le tableau donne les réponses de la " +
      "théorie (Vaswani et al., 2017, table 1), et ce qu’elles deviennent dans ce navigateur.",
    footer: ["Tout est calculé ici, dans cet onglet, par les couches du paquet softalign. Rien n’est envoyé nulle part."],
  },
};
