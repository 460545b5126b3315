// Sentences in capitals, in small letters and back.

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;

/** Whether a sentence is written in capitals throughout. A few alone may well be an abbreviation: "USA", "U.S.A.F.". */
export function isInCapitals(text: string): boolean {
  if (/\p{Ll}/u.test(text) || !/\p{Lu}{2}/u.test(text)) return false;
  return (text.match(/\p{Lu}/gu)?.length ?? 0) >= 4;
}

/** In small letters but for the first. Of the same length, also in UTF-8, so that every place in it stays the same. */
export function inSmallLetters(text: string, language: string): string {
  const small = (capital: string) => {
    const letter = capital.toLowerCase();
    return letter.length === capital.length && bytesOf(letter) === bytesOf(capital) ? letter : capital;
  };
  let first = true;
  const words = text.replace(/\p{Lu}/gu, (capital) => (first ? ((first = false), capital) : small(capital)));
  return language === "en" ? words.replace(/(?<![\p{L}\p{N}])i(?![\p{L}\p{N}])/gu, "I") : words;
}

/** Of the same length: "ß" stays. */
export const inCapitals = (text: string) =>
  text.replace(/\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });
