// The theme follows the system until the visitor chooses one here.

const kDark = matchMedia("(prefers-color-scheme: dark)");

export function wireTheme(button: HTMLButtonElement): void {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : kDark.matches);
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.title = "Switch between light and dark";
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    root.dataset.theme = theme;
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    name();
  });
  kDark.addEventListener("change", name);
  name();
}
