/** Resolves when the visitor has what there was to wait for. */
export function firstTranslation(): Promise<void> {
  return new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName("first-translation").length === 0) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ type: "mark", buffered: true });
  });
}
