// A text that is too long for an address, for as long as the tab is open: reloaded or in another language, the page has it again.

const kKey = "long text";

/** Null forgets it. */
export function keepLongText(text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(kKey);
    else sessionStorage.setItem(kKey, text);
  } catch {
    // Without storage, or in a full one, it is lost as it was.
  }
}

export function longText(): string | null {
  try {
    return sessionStorage.getItem(kKey);
  } catch {
    return null;
  }
}
