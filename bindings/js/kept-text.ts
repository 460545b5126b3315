// What is no language and stays as it is: placeholders and addresses.

const inAddress = String.raw`[^\s<>"{}|\\^\x60()]`;
const lastInAddress = String.raw`[^\s<>"{}|\\^\x60().,;:!?'\]]`;
const name = String.raw`\s?[\w.$:#[\]-]{0,60}`;
/**
 * {name}, {{ user.name }}, {{{raw}}}, ${n}, #{n}, %{n}, {n, number}, {user[0]}; %s, %1$d, %5d, %.2f, %@, %(name)s; https://example.org/a_(b),
 * www.example.org; me@example.org. Several that touch are one.
 */
const kept = new RegExp(
  `(?:${[
    String.raw`\{\{\{?${name}\s?\}?\}\}|[$#%]?\{${name}(?:,\s?\w{1,20}){0,2}\s?\}`,
    String.raw`(?<![\w%])%(?:\d\$|\(\w{1,60}\))?-?\d{0,2}(?:\.\d)?l{0,2}[sdiufgxX@](?!\w)`,
    String.raw`(?:(?:https?|ftp):\/\/|(?<!\w)www\.)(?:${inAddress}|\(${inAddress}*\))*(?:${lastInAddress}|\(${inAddress}*\))`,
    String.raw`(?<![\w.%+-])[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
  ].join("|")})+`,
  "gu",
);

export interface KeptText {
  text: string;
  start: number;
  end: number;
}

/** Most texts have none, and this is soon seen. */
const mayHave = (text: string) => /[{%@/]|www/.test(text);

/** Where a text has something of the kind. */
export function keptIn(text: string): KeptText[] {
  if (!mayHave(text)) return [];
  return Array.from(text.matchAll(kept), ({ 0: found, index }) => ({ text: found, start: index, end: index + found.length }));
}

/** A text without it. */
export function withoutKept(text: string): string {
  return mayHave(text) ? text.replace(kept, "") : text;
}
