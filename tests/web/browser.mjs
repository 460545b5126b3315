import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findChromium } from "../../scripts/browsers.mjs";

export const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Pictures for people to look at. */
export const artifacts = fromRoot("build/artifacts/");
mkdirSync(artifacts, { recursive: true });

/** The system's own Chromium; `--no-sandbox` because the tests may run as root. */
export async function launch() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error("Chromium is missing: apt-get install chromium");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

/** Collects, or tells, what must not happen on any page: errors, refusals of the content security policy. */
export function watch(page, tell) {
  const complaints = [];
  tell ??= (line) => complaints.push(line);
  page.on("pageerror", (error) => tell(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") tell(message.text());
  });
  return complaints;
}

/** What axe finds wrong, one line each. */
export async function axe(page, axeSource) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"], preload: false }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}
