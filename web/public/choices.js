// Before anything is painted: what the visitor chose here earlier.
try {
  const { dataset } = document.documentElement;
  const { theme, language } = localStorage;
  if (theme === "light" || theme === "dark") dataset.theme = theme;
  // The English pages are where one comes without a choice. Who chose French sees the same in French; a link to a French page is one.
  const french = document.documentElement.lang === "en" && document.querySelector("link[hreflang=fr]");
  if (french && language === "fr") location.replace(french.href + location.search + location.hash);
  // Who did not choose, but whose browser speaks French, sees better where it is.
  else if (french && !language && navigator.language.startsWith("fr")) dataset.offer = "fr";
} catch {
  // Storage may be forbidden; then the system's own preference holds.
}
