// What the visitor makes of a pair's weight. Pure.

/** A change of a weight by one press of a key. */
const kStep = 0.1;

/** All of the row's attention, or, where that is so already, the row given back (null). */
export function toggled(weight: number, isSet: boolean): number | null {
  return isSet && weight > 0.995 ? null : 1;
}

/** The weight that a key asks for; null gives the row back, undefined is for other keys. */
export function weightByKey(key: string, weight: number, isSet: boolean): number | null | undefined {
  const moved = (by: number) => Math.min(1, Math.max(0, Math.round(1000 * (weight + by)) / 1000));
  if (key === "+" || key === "=") return moved(kStep);
  if (key === "-") return moved(-kStep);
  if (key === "Delete" || key === "Backspace") return isSet ? null : undefined;
  return undefined;
}
