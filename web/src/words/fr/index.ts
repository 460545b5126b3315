import { capital, decimal, percent } from "../language.ts";
import { speak } from "../words.ts";

speak({
  index: {
    aboutModel: {
      transformer:
        "Les mots anglais se regardent entre eux ; les mots de la traduction les regardent tous, ainsi que ce qui est déjà écrit, à plusieurs " +
        "reprises et de plusieurs façons à la fois (Vaswani et al., 2017). Le dessin montre l’une de ces façons, qui a appris ce que traduit chaque mot.",
      student:
        "Bâti comme les traducteurs de Firefox, et formé par les traductions du Transformer. Il lit l’anglais comme lui, mais écrit à partir d’une mémoire " +
        "que chaque mot écrit renouvelle (Kim et al., 2019) et d’où il regarde l’anglais. À télécharger : 10 Mo.",
      additive:
        "Avant chaque mot qu’il écrit, un petit réseau note tous les mots anglais : à quel point chacun est-il utile maintenant ? " +
        "Le mot est ensuite écrit à partir des mieux notés (Bahdanau, Cho et Bengio, 2015).",
      dot:
        "Avant chaque mot écrit, ce que le réseau s’apprête à dire est comparé à chaque mot anglais : deux listes de nombres, multipliées " +
        "terme à terme puis additionnées. Le mot est ensuite écrit à partir de ce qui s’accorde le mieux (Luong, Pham et Manning, 2015).",
      plain:
        "La phrase anglaise est lue une seule fois et retenue sous la forme d’une liste de nombres, toujours de la même longueur. " +
        "Toute la traduction est écrite à partir de cette liste ; plus aucun mot anglais n’est regardé.",
    },
    example: (words, text) => `${words} mots : ${text}`,
    translated: (count) => `${count} phrases traduites`,
    foreign: "Le réseau n’a appris que l’anglais, en lettres latines : ici, il devine.",
    lost: (times) => `Le réseau a perdu le fil : il dit ${times} fois de suite la même chose. Ne vous fiez pas à cette traduction.`,

    figure: {
      previous: "Précédente",
      next: "Suivante",
      sentence: (number, count) => `Phrase ${number} sur ${count}`,
      legend: "Part de l’attention : 0 nulle, 1 entière",
      hard: "Le mot anglais que chaque mot écrit a le plus regardé",
      sure: "Notre lien, fait à la main",
      possible: "Peut-être un lien",
      gold: { sure: " Nous les relions aussi.", possible: " Nous pourrions les relier aussi." },
      guides: {
        grid: (level) => {
          const unit = level === "word" ? "mot" : "fragment";
          return `Chaque ligne est un ${unit} de la traduction, dans l’ordre de l’écriture. Ses cases montrent combien le réseau a regardé chaque ${unit} ` +
            "anglais à ce moment-là : plus la couleur est intense, plus il l’a regardé.";
        },
        threads: (level) => {
          const unit = level === "word" ? "mot" : "fragment";
          return `L’anglais est en haut ou à gauche, sa traduction en bas ou à droite. Un fil relie un ${unit} de la traduction à un ${unit} anglais que le réseau ` +
            "a regardé pour l’écrire : plus il est épais et intense, plus il l’a regardé.";
        },
      },
      confidence: {
        word: (share) => `Il a jugé ce mot probable à ${percent(share)}.`,
        piece: (share) => `Il a jugé ce fragment probable à ${percent(share)}.`,
      },
      unsure: {
        word: "Les mots soulignés de points étaient probables à moins de la moitié : d’autres auraient aussi bien pu être écrits.",
        piece: "Les fragments soulignés de points étaient probables à moins de la moitié : d’autres auraient aussi bien pu être écrits.",
      },
      pieces: {
        word: "Pour le réseau, un mot peut se composer de plusieurs fragments. Leurs lignes sont moyennées, leurs colonnes additionnées.",
        piece: "Le réseau travaille avec des fragments : les mots fréquents y sont entiers, les mots rares découpés.",
      },
      forgetful: {
        title: "Sans attention, il n’y a pas d’alignement à dessiner",
        why:
          "Ce modèle lit d’abord toute la phrase anglaise et n’en garde qu’une liste de nombres, aussi longue pour deux mots que pour vingt. Il écrit " +
          "ensuite la traduction à partir de cette seule liste. Aucun de ses mots ne se retourne vers un mot anglais : il n’y a donc pas de poids entre eux.",
        watch:
          "Les phrases courtes tiennent dans la liste. Choisissez des exemples plus longs et voyez ce qui se perd : c’est pour cela que l’attention a été inventée.",
        plain: "Sans attention",
        additive: "La même phrase avec l’attention additive",
      },
    },

    changing: {
      toggle: "Modifier l’attention",
      how: "Appuyez sur une case : le mot de sa ligne ne regarde plus que là, et la suite est réécrite. Appuyez de nouveau pour la relâcher ; glissez " +
        "vers le haut ou le bas pour plus ou moins. Touches : Entrée, +, −, Suppr.",
      howThreads: "Appuyez sur un fil ou un mot, puis modifiez-le à côté du dessin. Touches sur un fil : +, −, Suppr.",
      undo: "Annuler",
      undoKeys: "Ctrl+Z",
      reset: "Tout réinitialiser",
      aboutReset: "Revenir à l’attention propre du réseau",
      nothingPicked: "Choisissez une case ou un mot.",
      pair: (source, target) => ["Attention de ", target, " pour ", source],
      hide: (word) => `Cacher « ${word} » au réseau`,
      show: (word) => `Montrer de nouveau « ${word} »`,
      letGo: (word) => `Laisser « ${word} » regarder à son gré`,
      write: (word) => `Écrire à la place de « ${word} »`,
      writeIt: "Écrire",
      offers: "Le réseau a aussi pensé à",
      begins: (begin) => `Vous l’avez fait commencer par « ${begin} ».`,
      free: "Le laisser commencer seul",
      with: "Avec vos changements",
      without: "Sans eux",
      answer: (translation, count) =>
        count === 0 ? `La même traduction : ${translation}` : `Maintenant : ${translation} ${count === 1 ? "Un mot diffère." : `${count} mots diffèrent.`}`,
      dropped: "Certains changements ne convenaient pas à cette phrase et ont disparu.",
      failed: "Cela n’a pas fonctionné. Les changements ont disparu.",
    },

    noAttention: {
      title: "Et s’il n’y avait pas d’attention ?",
      switch: "Couper l’attention",
      about:
        "Chaque mot de la traduction reçoit alors le même mélange uniforme de tous les fragments anglais. Ce réseau a appris à compter sur l’attention : il " +
        "s’effondre. Un réseau qui apprend d’emblée à s’en passer fait mieux, tant que les phrases sont courtes :",
      aboutPlain: "Qualité des traductions des deux types de réseaux, selon la longueur de la phrase :",
      chart: "Qualité (BLEU) selon le nombre de mots de la phrase anglaise",
      alternative: "Plus la phrase est longue, plus on perd sans attention. Les chiffres sont dans le tableau ci-dessous.",
      numbers: "Les chiffres",
      measured:
        "BLEU compte les mots et les groupes de mots qu’une traduction partage avec celle d’un humain : 0 aucun, 100 tous. Mesuré sur 3 000 paires de phrases " +
        "qu’aucun des deux réseaux n’a vues, avec les modèles « Additive » et « Aucune » qui traduisent en français.",
      words: "Mots",
      lengths: ["moins de 6", "6 à 8", "9 à 11", "12 et plus"],
      shortLengths: ["moins de 6", "6–8", "9–11", "12+"],
      with: "Avec attention",
      without: "Sans",
    },

    search: {
      title: "Ce qu’il aurait pu écrire d’autre",
      about:
        "Mot après mot, le réseau garde les quatre débuts les plus probables et poursuit chacun d’eux. À la fin, il retient la traduction la plus probable " +
        "dans son ensemble. Choisissez-en une autre, ou un chemin qui y mène, et voyez ce qu’il regarde alors.",
      found: "Les traductions trouvées",
      aboutFound: "À côté de chacune, la certitude moyenne du réseau pour ses fragments.",
      ways: "Les chemins essayés",
      aboutWays: "À côté de chacun, la probabilité de son premier fragment après ce qui est à gauche. Un trait d’union poursuit un mot.",
      all: "Montrer aussi les chemins abandonnés",
      lost: "Abandonné : quatre autres débuts étaient plus probables",
    },

    allHeads: {
      title: "Toutes les têtes",
      about:
        "Ce réseau regarde de plusieurs façons à la fois : chaque petite image est une tête d’une couche. Choisissez-en une pour la voir en grand, ou " +
        "désactivez-la et voyez ce que devient la traduction. La tête marquée ★ a appris ce que traduit chaque mot ; le dessin ci-dessus vient d’elle.",
      later:
        "Cette tête cherche d’où vient le mot qui vient d’être écrit : une ligne est ce qu’elle a regardé avant l’écriture de son mot, et se trouve " +
        "un mot plus haut dans le dessin ci-dessus.",
      kinds: (target) => ({ cross: `${capital(target)} vers anglais`, encoder: "Anglais vers anglais", decoder: `${capital(target)} vers ${target}` }),
      kind: "Qui regarde qui",
      heads: "Têtes",
      layer: (layer) => `Couche ${layer + 1}`,
      head: (head) => `Tête ${head + 1}`,
      mean: "Moyenne",
      aligning: (caption) => `★ ${caption}`,
      off: (caption) => `${caption}, inactive`,
      nameOf: (layer, head) => (head === null ? `Couche ${layer + 1}, moyenne de ses têtes` : `Tête ${head + 1}, couche ${layer + 1}`),
      nameOfAligning: "celle de l’alignement",
      nameOfOff: "inactive",
      switchOff: (name, isMean) => (isMean ? "Désactiver toutes les têtes de cette couche" : `Désactiver la ${name.toLowerCase()}`),
      switchOn: (name, isMean) => (isMean ? "Réactiver toutes les têtes de cette couche" : `Réactiver la ${name.toLowerCase()}`),
      legend: "Part de l’attention : 0 nulle, 1 entière",
      description: (source, target, weight) => ({
        title: `${target} vers ${source} : ${decimal(weight, 2)}`,
        text: `Pour « ${target} », ${percent(weight)} de l’attention de cette tête s’est portée sur « ${source} ».`,
      }),
    },

    reader: {
      field: "Une phrase anglaise à lire",
      button: "Lire",
      cancelled: "Annulé. Appuyez sur le bouton pour charger tout de même le réseau.",
      looked: "Regardé en arrière",
      reading: "Lecture",
      legend: "Part de l’attention portée en arrière : 0 nulle, 1 entière",
      aside: "Ce que montre la grille de lecture",
      beginning: "(début)",
      description: (source, target, weight) => ({
        title: `${target} revient à ${source} : ${decimal(weight, 2)}`,
        text: `En lisant « ${target} », ${percent(weight)} de l’attention est revenue à « ${source} ».`,
      }),
      row: { before: "En lisant ", after: ", le réseau a regardé en arrière vers" },
      column: { before: "", after: " a été regardé en arrière en lisant" },
      surprised: (bits) =>
        `Ce mot l’a surpris de ${decimal(bits, 1)} bits : 0 veut dire aucune surprise, et chaque bit divise par deux la probabilité qu’il lui donnait.`,
      guide:
        "Chaque ligne est un mot au moment où il est lu. Ses cases montrent combien le réseau a regardé en arrière vers chaque mot précédent. Ce qui " +
        "vient après, il ne l’a pas encore lu : cette moitié de la grille reste vide.",
      watch: "Souvent, il regarde le mot juste avant. Guettez les lignes qui remontent plus loin.",
    },
  },
});
