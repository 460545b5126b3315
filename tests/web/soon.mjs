import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

const within = 20_000;

/**
 * `assert` for what a page shows: pages draw in their next frame, and on a busy machine that takes its time. Asks again, by the function
 * given in the value's place, until the assertion holds.
 */
export const soon = Object.fromEntries(["ok", "equal", "notEqual", "deepEqual", "notDeepEqual", "match", "doesNotMatch"].map((name) => [
  name,
  async (read, ...expected) => {
    for (const started = performance.now(); ; await setTimeout(20)) {
      const actual = await read();
      try {
        return assert[name](actual, ...expected);
      } catch (error) {
        if (performance.now() - started > within) throw error;
      }
    }
  },
]));
