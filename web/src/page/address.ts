// The part of the address behind "#", which keeps what is shown. It is not sent to any server, and makes no step of the history.

const kAfter = 500;
let timer = 0;
let waiting: (() => string) | undefined;

/**
 * Writes it late: browsers refuse to rewrite the address at every key.
 * @param isDue whether it is to be written at all when the time has come.
 */
export function keepInAddress(hash: () => string, isDue: () => boolean = () => true): void {
  clearTimeout(timer);
  waiting = hash;
  timer = window.setTimeout(() => {
    if (isDue()) writeAddress();
  }, kAfter);
}

/** Writes what is waiting to be written. */
export function writeAddress(): void {
  clearTimeout(timer);
  if (waiting) history.replaceState(null, "", waiting());
  waiting = undefined;
}
