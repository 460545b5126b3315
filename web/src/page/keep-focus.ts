/** Where a change takes away what has the focus, the focus goes on to the first thing in the same place that can have it. */
export function keepFocus(place: HTMLElement, change: () => void): void {
  const focused = document.activeElement;
  const isHere = focused !== null && place.contains(focused);
  change();
  if (!isHere || (focused.isConnected && !focused.closest("[hidden]"))) return;
  [...place.querySelectorAll<HTMLElement>("input:enabled, button")].find((each) => !each.closest("[hidden]"))?.focus();
}
