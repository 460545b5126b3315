// How long something takes: the median of several runs.

/** Clocks of browsers tick in steps of up to 1 ms: a sample is as many runs as take this long, */
const kSample = 8;
/** and samples are taken until there are enough, or they took too long. */
const kSamples = 7;
const kFewest = 3;
const kPatience = 600;

/** Until the browser has compiled all paths for speed. */
const kWarmUp = 80;

/**
 * Milliseconds of one run.
 * @param rest gives way to others between the samples; false ends the measurement, and there is no result.
 */
export async function measure(run: () => void, rest: () => Promise<boolean>): Promise<number | undefined> {
  const timed = (times: number) => {
    const from = performance.now();
    for (let i = 0; i < times; ++i) run();
    return performance.now() - from;
  };
  run();
  let times = 1;
  for (let spent = timed(times); spent < kSample; spent = timed(times)) times *= 2;
  const samples: number[] = [];
  const from = performance.now();
  while (samples.length < kSamples && (samples.length < kFewest || performance.now() - from < kPatience)) {
    if (!(await rest())) return undefined;
    samples.push(timed(times) / times);
  }
  return medianOf(samples);
}

export function warmUp(run: () => void): void {
  const from = performance.now();
  while (performance.now() - from < kWarmUp) run();
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
