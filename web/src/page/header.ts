// What can be chosen in the header of every page, and is remembered: the theme, which follows the system until then, and the language.

import { words } from "../words/words.ts";
import { writeAddress } from "./address.ts";

const kDark = matchMedia("(prefers-color-scheme: dark)");

export function wireHeader(): void {
  wireTheme(document.querySelector<HTMLButtonElement>("#theme")!);
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".top .language")) wireLanguage(link);
}

function wireTheme(button: HTMLButtonElement): void {
  const { theme: said } = words.common;
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : kDark.matches);
  const name = () => (button.textContent = isDark() ? said.light : said.dark);
  button.title = said.about;
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset.theme = theme;
    remember("theme", theme);
    name();
  });
  kDark.addEventListener("change", name);
  name();
}

/** The same page in another language, with what the address has behind "#". */
function wireLanguage(link: HTMLAnchorElement): void {
  // Not only when it is clicked: it may be opened in another tab, or copied.
  for (const event of ["pointerdown", "focus", "click"]) {
    link.addEventListener(event, () => {
      writeAddress();
      link.hash = location.hash;
    });
  }
  // By any button of the mouse.
  for (const event of ["click", "auxclick"]) link.addEventListener(event, () => remember("language", link.hreflang));
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
