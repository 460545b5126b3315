// Texts for as long as the tab is open, for a page that is reloaded or in another language, and for other pages.

/** Null forgets it. */
export function keepInTab(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // Without storage, or in a full one, it is lost.
  }
}

export function keptInTab(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}
