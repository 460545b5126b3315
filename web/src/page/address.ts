// The part of the address behind "#", which keeps what is shown. It is not sent to any server, and makes no step of the history. Who
// comes back to the page by its bare address, in the same tab, finds what was there.

import { keepInTab, keptInTab } from "./tab-store.ts";

const kAfter = 500;
let timer = 0;
let waiting: (() => string) | undefined;

/**
 * Writes it late: browsers refuse to rewrite the address at every key.
 * @param isDue whether it is to be written at all when the time has come.
 */
export function keepInAddress(hash: () => string, isDue: () => boolean = () => true): void {
  clearTimeout(timer);
  if (!waiting) addEventListener("pagehide", writeAddress, { once: true });
  waiting = hash;
  timer = window.setTimeout(() => {
    if (isDue()) writeAddress();
  }, kAfter);
}

/** Writes what is waiting to be written. */
export function writeAddress(): void {
  clearTimeout(timer);
  removeEventListener("pagehide", writeAddress);
  if (!waiting) return;
  const hash = waiting();
  waiting = undefined;
  history.replaceState(null, "", hash);
  keepInTab(place(), hash);
}

/** What the address says; if that is nothing, what it said last. */
export function addressed(): string {
  return location.hash || keptInTab(place()) || "";
}

/** The same page in every language. */
function place(): string {
  return `address ${location.pathname.split("/").at(-1) || "index.html"}`;
}
