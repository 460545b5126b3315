// Before anything is painted: the theme that the visitor chose here earlier, if any.
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's own preference holds.
}
