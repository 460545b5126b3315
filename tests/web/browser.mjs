import assert from "node:assert/strict";
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

/**
 * Nothing on the page has moved by itself since that time of its own clock: layout shifts, but for those within half a second of an
 * input.
 */
export async function assertStill(page, { since = 0, name = "" } = {}) {
  const shifts = await page.evaluate((since) => new Promise((resolve) => {
    const found = [];
    new PerformanceObserver((list) => found.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(found.filter(({ startTime, hadRecentInput }) => startTime >= since && !hadRecentInput).map(({ value, sources }) => (
      { value, of: sources.map(({ node }) => (node instanceof Element ? node.outerHTML : node?.textContent ?? "").slice(0, 100)) }))), 200);
  }), since);
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  assert.ok(sum < 0.01, `${name} ${sum.toFixed(3)} moved: ${JSON.stringify(shifts, null, 2)}`);
}

/** What axe finds wrong, one line each. */
export async function axe(page, axeSource) {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ["violations"], preload: false }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
}
