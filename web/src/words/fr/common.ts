import { capital, decimal, percent } from "../language.ts";
import { speak } from "../words.ts";

const again = "Réessayer";
const needs = "Il faut WebAssembly avec SIMD : Chrome ou Edge 123, Firefox 125, Safari 17.5 ou plus récent.";

speak({
  common: {
    theme: { dark: "Sombre", light: "Clair", about: "Passer du mode clair au mode sombre, ou l’inverse" },
    offline:
      "Après une première visite, tout fonctionne aussi hors connexion : votre navigateur conserve la page et les réseaux déjà chargés.",
    cancel: "Annuler",
    details: "Ce qui s’est passé exactement (en anglais)",
    problems: {
      cancelled: {
        title: "Le téléchargement a été annulé.",
        text: "Votre texte est toujours là. Choisissez un autre type d’attention, ou chargez tout de même celui-ci.",
        retry: "Charger",
      },
      network: {
        title: "Le traducteur n’a pas pu être téléchargé.",
        text: "Vérifiez votre connexion, puis réessayez. Votre texte est toujours là.",
        retry: again,
      },
      format: {
        title: "Le modèle téléchargé est endommagé.",
        text: "Cette page ne peut pas lire ce fichier. Il suffit souvent de le charger de nouveau ; en attendant, un autre type d’attention peut fonctionner.",
        retry: "Charger de nouveau",
      },
      unavailable: { title: "Ce navigateur ne peut pas faire fonctionner le traducteur.", text: needs, retry: null },
      out_of_memory: {
        title: "La mémoire ne suffit pas.", text: "Fermer d’autres onglets ou raccourcir le texte peut aider.", retry: again,
      },
      worker: {
        title: "Le traducteur n’a pas démarré.",
        text: "Une partie de cette page n’a pas pu être chargée. Vérifiez votre connexion, puis réessayez.",
        retry: again,
      },
      other: {
        title: "Le traducteur a buté sur ce texte.",
        text: "C’est notre faute, pas la vôtre. Modifier le texte ou réessayer peut aider.",
        retry: again,
      },
    },
    loading: (model, percents) => {
      const name = {
        transformer: "du Transformer", student: "de l’élève", additive: "du modèle additif", dot: "du modèle à produit scalaire", plain: "du modèle sans attention",
        reader: "du lecteur",
      }[model];
      return `Chargement ${name}, ${percents} %`;
    },
    view: {
      picture: "Dessin", grid: "Grille", threads: "Fils",
      title: "Affichage",
      threshold: "Estomper les poids sous",
      links: "Poids", soft: "Nuancés", hard: "Liens nets",
      order: "Ordre", original: "Du texte", sorted: (language) => `${capital(language)} trié`,
      sums: "Sommes des lignes et des colonnes",
      gold: "Nos propres liens, faits à la main",
      about: {
        hard: ({ source, target }) =>
          `Chaque mot en ${target} n’est relié qu’au mot en ${source} qu’il a le plus regardé : celui de plus grand poids, le premier à égalité.`,
        source: ({ source, target }) =>
          `Chaque mot en ${source} se place là où est le mot en ${target} qui l’a le plus regardé : des fils qui se croisaient courent côte à côte.`,
        target: ({ source, target }) => `Chaque mot en ${target} se place là où est le mot en ${source} qu’il a le plus regardé.`,
      },
    },
    takeAway: {
      save: "Enregistrer en",
      png: "Une image faite de pixels, pour une présentation",
      svg: "Un dessin qui reste net à toutes les tailles",
      csv: "Les poids sous forme de tableau, pour un tableur",
      json: "Les mots et les poids, pour un programme ou une autre grille",
      copy: "Copier l’image", aboutCopy: "Pour la coller dans un document",
      link: "Copier le lien", aboutLink: "Une adresse qui fait retrouver ce que vous voyez",
      copied: "Image copiée.",
      linked: "Lien copié.",
      linkedInPart: "Lien copié, mais sans le texte : il est trop long pour un lien.",
      saved: "Fichier enregistré.",
      refusedCopy: "Le navigateur ne l’a pas permis. Enregistrez plutôt l’image.",
      refusedLink: "Le navigateur ne l’a pas permis. L’adresse de la page est ce même lien.",
      failed: "Cela n’a pas fonctionné. Essayez un autre format.",
    },
    pair: {
      aside: "Ce que montre le dessin",
      legend: "Part de l’attention : 0 nulle, 1 entière",
      hardLegend: ({ source, target }) => `Le mot en ${source} que chaque mot en ${target} a le plus regardé`,
      describe: (from, to, weight) => ({
        title: `${from} vers ${to} : ${decimal(weight, 2)}`,
        text: `En écrivant « ${to} », le réseau a porté ${percent(weight)} de son attention sur « ${from} ».`,
      }),
      row: { before: "En écrivant ", after: ", le réseau a regardé" },
      column: { before: "", after: " a été regardé pour écrire" },
      rest: (weight) => `Le reste, ${percent(weight)}, est allé à la marque de fin de phrase.`,
      titles: { grid: "Comment lire la grille", threads: "Comment lire les fils" },
      first: {
        grid: ({ source, target }) =>
          `Chaque ligne est un mot du texte en ${target}. Ses cases montrent combien le réseau a regardé chaque mot en ${source} ` +
          "pour l’écrire : plus la couleur est intense, plus il l’a regardé.",
        threads: ({ source, target }) =>
          `Le texte en ${source} est en haut ou à gauche, celui en ${target} en bas ou à droite. ` +
          "Un fil relie un mot à ce que le réseau a regardé pour l’écrire : plus il est épais et intense, plus il l’a regardé.",
      },
      pointing: {
        grid: "Pointez une case ou touchez-la. Au clavier : Tab, puis les flèches.",
        threads: "Pointez un mot ou un fil, ou touchez-le. Au clavier : Tab, les flèches, puis Entrée pour passer d’un fil à l’autre.",
      },
    },
  },
});
