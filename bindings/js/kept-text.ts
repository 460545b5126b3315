// What is no language and stays as it is: placeholders and addresses.

const inAddress = String.raw`[^\s<>"{}|\\^\x60]`;
/** {name}, {{ user.name }}, ${n}; %s, %1$d; https://example.org/a, www.example.org; me@example.org. */
const kept = new RegExp(
  String.raw`\{\{\s?[\w.$:#-]{0,60}\s?\}\}|\$?\{\s?[\w.$:#-]{0,60}(?:,\s?\w{1,20}){0,2}\s?\}` +
    String.raw`|(?<![\w%])%(?:\d\$)?[sdiu](?!\w)` +
    String.raw`|(?:(?:https?|ftp):\/\/|(?<!\w)www\.)${inAddress}*${inAddress.replace("[^", "[^.,;:!?'()\\]")}` +
    String.raw`|(?<![\w.%+-])[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+`,
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
