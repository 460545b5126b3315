// Much work, some of it at the same time.

export function* chunks<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** Takes one task after the other, as many at the same time as there are lanes. After a failure no other is begun. */
export async function inLanes<Task>(lanes: number, tasks: Generator<Task>, work: (task: Task) => Promise<void>): Promise<void> {
  const lane = async () => {
    for (const task of tasks) await work(task); // which a failure closes, for all
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
