// A file of its own: the HTML part, loaded later, needs this and not all that knows models. Of what two parts share Parcel makes a
// third once it is large, which it then does not load in classic workers.

/**
 * A BCP 47 tag in its canonical form: "en-GB" for "EN-gb".
 * @throws {TypeError} for none. @throws {RangeError} for what is no such tag.
 */
export function canonicalTag(tag: unknown, argument: string): string {
  if (tag === undefined) throw new TypeError(`${argument} is missing, expected a language tag like "en"`);
  try {
    return new Intl.Locale(String(tag)).toString();
  } catch (cause) {
    throw new RangeError(`${argument} is ${JSON.stringify(tag)}, expected a language tag like "en"`, { cause });
  }
}

/** The language of a tag: "en" for "en-GB". */
export function languageOf(tag: string): string {
  return new Intl.Locale(tag).language;
}
