import { decimal, percent } from "../language.ts";
import { type Problem, speak } from "../words.ts";

const notLoaded: Problem = {
  title: "Le programme de calcul n’a pas pu être chargé.", text: "Vérifiez votre connexion, puis réessayez.", retry: "Réessayer",
};

speak({
  how: {
    problems: {
      unavailable: {
        title: "Ce navigateur ne peut pas faire ce calcul.",
        text: "Il faut WebAssembly avec SIMD : Chrome ou Edge 123, Firefox 125, Safari 17.5 ou plus récent.",
        retry: null,
      },
      network: notLoaded,
      worker: notLoaded,
      out_of_memory: { title: "La mémoire ne suffit pas.", text: "Fermer d’autres onglets peut aider.", retry: "Réessayer" },
      other: { title: "Le calcul s’est arrêté.", text: "C’est notre faute, pas la vôtre. Réessayer peut aider.", retry: "Réessayer" },
    },

    positions: {
      slider: "Position",
      ofPosition: (position) => `position ${position}`,
      computing: "Calcul des images",
      legend: "Une colonne est une position, une case l’un de ses nombres : ",
      minus: "moins que 0",
      plus: "plus que 0",
      how: (position) =>
        `La ligne sous une image montre à quel point les autres positions ressemblent à la position ${position} : 1, identiques ; 0, rien en commun. ` +
        "Déplacez le curseur, ou appuyez sur une image.",
      trained:
        "Les positions apprises, récurrentes et continues ont été entraînées dans un seul but : que l’attention puisse trouver le mot précédent, le suivant et " +
        "ceux à trois mots de là, dans des phrases de 32 mots. La ligne de chacune montre sa propre façon de distinguer les voisins.",
      picture: (name, count, numbers) => `Positions de type « ${name} » : une carte de ${numbers} nombres pour chacune des ${count} positions`,
      beyond: (position) => `Il n’y a pas de position ${position} : la table s’arrête avant.`,
      alike: (position, near, far) =>
        `Ressemblance avec la position ${position} : sa voisine ${decimal(near, 2)}, celle à huit positions ${decimal(far, 2)}.`,
      relativePicture: (head) => `Tête ${head + 1} : combien chaque mot regarde chaque autre`,
      relativeCaption: (head) => `Tête ${head + 1}`,
      relativeRow: (position, head, share, at) =>
        `Tête ${head + 1} : ${percent(share)} de l’attention du mot ${position} va au mot ${at}.`,
    },

    kinds: {
      sinusoidal: {
        name: "Sinusoïdale",
        about:
          "Des ondes, rapides en haut et lentes en bas, comme les aiguilles d’une horloge. Rien n’est appris, et il y a toujours une position suivante " +
          "(Vaswani et al., 2017).",
      },
      learned: {
        name: "Apprise",
        about:
          "Une table avec une liste de nombres pour chaque position, trouvée pendant l’entraînement comme tous les autres poids. La table a une fin : après la " +
          "position 31, il n’y a plus rien (Devlin et al., 2019).",
      },
      recurrent: {
        name: "Récurrente",
        about:
          "Un petit réseau qui ne lit rien avance d’une position à la suivante : chaque liste est faite de la précédente. La marche continue là où " +
          "l’entraînement s’est arrêté.",
      },
      continuous: {
        name: "Continue",
        about:
          "Un chemin à travers le temps, tracé par une équation apprise. Il y a donc aussi des positions entre les positions : ici trois entre deux voisines " +
          "(Liu et al., 2020).",
      },
      relative: {
        name: "Relative",
        about:
          "Aucune liste n’est ajoutée. L’attention apprend elle-même ce que vaut chaque distance (Shaw et al., 2018). Voici deux têtes du réseau qui " +
          "étiquette les natures de mots, avec des mots qui ne disent rien : l’une a appris à regarder le mot suivant, l’autre le mot précédent.",
      },
    },

    costs: {
      n: "Mots dans la phrase, n",
      d: "Nombres par mot, d",
      measure: "Mesurer dans ce navigateur",
      stop: "Arrêter",
      ready: "Chaque couche tourne plusieurs fois avec des phrases de 32 à 2 048 mots ; on retient la médiane. Cela prend quelques secondes.",
      running: (n) => `Mesure en cours, n = ${n} …`,
      finished: "Mesuré ici, à l’instant.",
      stopped: "Arrêté.",
      nothing: "–",
      table: "Coûts de quatre types de couches",
      columns: {
        layer: "Couche", theory: "Travail", operations: (n, d) => `Avec n = ${n}, d = ${d}`, steps: "Étapes successives", path: "Plus long chemin",
        time: "Mesuré", growth: "Si n double, à partir de 256",
      },
      letters:
        "k est le nombre de mots qu’une convolution voit à la fois, ici 3 ; r le nombre de mots que regarde une attention restreinte, ici 17 : huit de chaque côté et " +
        "le mot lui-même. Les « étapes successives » ne peuvent se faire en même temps ; le plus long chemin est celui que parcourt l’influence d’un mot pour en atteindre un autre.",
      caveat:
        "La mesure porte sur une couche entière, une tête, un fil d’exécution. Celle de l’attention comprend le passage aux requêtes, aux clés et aux valeurs, dont la théorie " +
        "omet le travail, 4 n d² : avec peu de mots, c’est l’essentiel du temps, et la courbe ne se redresse que plus tard.",
      growth: (measured, theory) => `× ${decimal(measured, 1)} (théorie : ${theory})`,
      plot: "Temps mesuré selon le nombre de mots",
      axisTime: "millisecondes",
      axisLength: "n, mots dans la phrase",
      all: "Toutes les mesures en chiffres (millisecondes)",
    },

    layers: {
      attention: { name: "Auto-attention", short: "auto-attention" },
      recurrent: { name: "Récurrente", short: "récurrente" },
      convolution: { name: "Convolution", short: "convolution" },
      window: { name: "Auto-attention restreinte", short: "restreinte" },
    },
  },
});
