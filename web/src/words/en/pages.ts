// What stands in the pages before any program runs; pages-plugin.ts puts it there. It may have tags in it.

const transformer = "Everything looks at everything, in several ways at once";
const additive = "Scores each English word with a small network";
const dot = "Scores each English word by multiplying two lists of numbers";
const tatoeba = "Learned from sentence pairs by the volunteers of Tatoeba (tatoeba.org, manythings.org/anki), CC&nbsp;BY&nbsp;2.0.";

export const pages = {
  /** Of all pages. */
  all: {
    pages: "Pages",
    dark: "Dark",
    english: "English",
    french: "French",
    to: "Translate to",
    german: "German",
    spanish: "Spanish",
    typeEnglish: "Type an English sentence",
    settings: "Settings",
    attention: "Attention",
    transformer: "Transformer",
    aboutTransformer: transformer,
    student: "Student",
    aboutStudent: "Made like Firefox’s translators: reads by attention, writes from memory",
    additive: "Additive",
    aboutAdditive: additive,
    dot: "Dot product",
    aboutDot: dot,
    show: "Show",
    words: "Words",
    aboutWords: "Whole words, as you read them",
    pieces: "Pieces",
    aboutPieces: "The pieces of words that the network works with",
  },

  index: {
    nav: "Translate",
    head: "softalign: translation you can look inside",
    description:
      "Type English, read French, German or Spanish, and see which English words the network looked at as it wrote each word. It runs in your browser; nothing you type leaves it.",
    title: "Translation you can look inside",
    lede: "Type English and read French, German or Spanish. The grid shows which English words the network looked at while it wrote each word.",
    noscript: "This page translates with a program that runs in your browser. Please allow JavaScript for it.",
    texts: "Both texts",
    translation: "Translation",
    examples: "Examples, by number of words",
    plain: "None",
    aboutPlain: "Writes from one summary of the whole sentence",
    reader: "A network that looks back as it reads",
    aboutReader:
      "Before translation there is reading. This network reads English word by word, guessing the next one, and at each word " +
      "it looks back at all it has read (Cheng, Dong and Lapata, 2016).",
    footer: ["Nothing you type leaves this tab: the network, with its weights, was downloaded to your browser and runs there.", tatoeba],
  },

  align: {
    nav: "Align your own",
    head: "Align your own sentences: softalign",
    description:
      "Give an English sentence and its translation to French, German or Spanish: see which words belong together, and which of them surprise a neural network. It runs in your browser.",
    title: "Align your own sentences",
    lede: "Two sentences that you give: which word of the translation belongs to which English ones, and which of them the network would not have expected?",
    noscript: "This page aligns with a program that runs in your browser. Please allow JavaScript for it.",
    texts: "Both texts",
    typeTranslation: "Type its translation",
    examples: "Examples",
    good: "A good translation",
    wrong: "A wrong word",
    swapped: "Words swapped",
    idiom: "An idiom",
    alien: "A sentence that does not belong",
    surprise: "Would the network have written this?",
    alignment: "Which words belong together?",
    aboutAlignment:
      "The network writes your translation word by word, as if it were its own (forced decoding). The picture shows where it looked meanwhile.",
    footer: ["Nothing you type leaves this tab: the networks, with their weights, are downloaded to your browser and run there.", tatoeba],
  },

  yours: {
    nav: "Your model",
    head: "Bring your own model: softalign",
    description: "Drop a translation model, of softalign, Marian or Firefox: see what is in it, translate with it and look at its attention. The files stay in your browser.",
    title: "Bring your own model",
    lede: "Drop the files of a translation model here: see what is in it, translate with it, and look at its attention.",
    noscript: "This page opens models with a program that runs in your browser. Please allow JavaScript for it.",
    drop: "Drop files anywhere on this page",
    aboutDrop:
      "One <b>.safetensors</b> file of softalign; or the files of a small model of Marian’s, as Firefox has them: weights (<b>.bin</b>, <b>.npz</b>), " +
      "one vocabulary or two (<b>.spm</b>), a shortlist (<b>.bin</b>) if there is one. All together or one after the other, also as <b>.gz</b>.",
    choose: "Choose files",
    sample: "Take one of ours",
    stay: "They are opened in this tab and never leave it.",
    given: "Files so far",
    aboutLanguages:
      "Marian’s files do not say which languages they are for. Please set their codes: en for English, fr for French, es for Spanish.",
    from: "From",
    to: "To",
    set: "Set languages",
    forget: "Forget these files",
    use: "Use it",
    text: "Text",
    type: "Type a sentence",
    translation: "Translation",
    contents: "What is in it",
    footer: [
      "Your files and what you type never leave this tab: only the program was downloaded, and it runs here.",
      "Mozilla publishes Firefox’s small models of many languages in Marian’s format; softalign’s own are made by its command <code>train</code>.",
    ],
  },

  uses: {
    nav: "Other uses",
    head: "Other uses of attention: softalign",
    description: "Parts of speech, praise or criticism, hidden words: three small networks that read English by attention, in your browser. Nothing you type leaves it.",
    title: "What else attention is for",
    lede:
      "Translation is where attention began. The same few lines of arithmetic also read one language: here three small networks do, " +
      "and show what they looked at.",
    noscript: "These networks run in your browser. Please allow JavaScript for it.",
    tagger: "Which part of speech is each word?",
    aboutTagger:
      "“Can” may be a verb, a helper or a tin. To tell which, the network compares each word with all the others of its sentence: " +
      "self-attention.",
    sentiment: "Praise or criticism, and which words decided?",
    aboutSentiment:
      "This network learned from ten thousand sentences of film reviews. At the end it pays attention once more, to choose the words " +
      "that decide (Yang and others, 2016).",
    masked: "Which word is hidden?",
    aboutMasked:
      "A network that guesses hidden words learns a language without a teacher: any text will do (Devlin and others, 2019). The two " +
      "networks above began as this one.",
    footer: [
      "Nothing you type leaves this tab: the networks, with their weights, are downloaded to your browser and run there.",
      "Learned from Universal Dependencies English EWT (CC&nbsp;BY-SA&nbsp;4.0), the Sentence Polarity Dataset of Pang and Lee " +
        "(CC&nbsp;BY&nbsp;4.0) and sentences by the volunteers of Tatoeba (CC&nbsp;BY&nbsp;2.0).",
    ],
  },

  how: {
    nav: "How it works",
    head: "How attention is computed: softalign",
    description: "One step of attention with all its numbers, how it knows the order of words, in pictures, and what it costs, measured in your own browser.",
    title: "How it is computed",
    lede: "How attention chooses, how it knows where a word stands, and what looking at everything costs: computed here, in your browser.",
    noscript: "What this page shows is computed in your browser. Please allow JavaScript for it.",
    steps: "One word, step by step",
    aboutSteps:
      "A network translates one piece after the other, and for each one it looks back at the English sentence. Follow one such step " +
      "from the beginning to the end, with all its numbers.",
    positions: "Where does a word stand?",
    aboutPositions:
      "By itself, attention sees words as in a bag: “dog bites man” is “man bites dog”. So each word is given its position as well, as " +
      "a list of numbers that is added to the word’s own. There are several ways to make such lists.",
    costs: "What does looking cost?",
    aboutCosts:
      "A sentence has n words, and each word is a list of d numbers. How does the work grow with n? The table has the answers of " +
      "theory (Vaswani and others, 2017, Table 1), and what they come to in this browser.",
    footer: ["Everything here is computed in this tab, by the layers of the softalign package. Nothing is sent anywhere."],
  },
};
