// Numbers and names as the page's language writes them.

export type Language = "en" | "fr";

/** Tests without a page speak English. */
export const language: Language = globalThis.document?.documentElement.lang === "fr" ? "fr" : "en";

const kFormats = new Map<string, Intl.NumberFormat>();

function format(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  if (!kFormats.has(key)) kFormats.set(key, new Intl.NumberFormat(language, options));
  return kFormats.get(key)!.format(value);
}

/** "0.75", "0,75" */
export const decimal = (value: number, digits: number) =>
  format(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });

/** "12,000", "12 000" */
export const grouped = (value: number) => format(value, { maximumFractionDigits: 3 });

/** So many digits count: "0.0421", "3.17". */
export const significant = (value: number, digits: number) =>
  format(value, { minimumSignificantDigits: digits, maximumSignificantDigits: digits, useGrouping: false });

/** "16.8 million", "16,8 millions" */
export const large = (value: number) => format(value, { notation: "compact", compactDisplay: "long", maximumSignificantDigits: 3 });

/** Whole percents of a share, as they are written between words. */
export function percent(share: number): string {
  const [least, sign] = language === "fr" ? ["moins de 1", "\u202f%"] : ["less than 1", " %"];
  return `${share > 0 && share < 0.01 ? least : Math.round(100 * share)}${sign}`;
}

/** "English", "anglais", or the tag itself where the browser has no name for it. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** As it begins a line. */
export const capital = (text: string) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
