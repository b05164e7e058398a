// The defaults of the ports of time and identity: the only place that takes them from the outside world.
import type { Clock } from "@callwire/wire";

/** Timers take no more: a longer one would fire at once. */
const LONGEST = 2 ** 31 - 1;

/** The wall clock. A sleep of more than 24 days ends after 24 days. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, LONGEST));
      signal?.addEventListener("abort", done);
    });
  },
};

/** One random id for the turn, counted on: as unguessable as a fresh one each time, and much cheaper. */
export function countedIds(): () => string {
  const base = crypto.randomUUID();
  let count = 0;
  return () => `${base}-${++count}`;
}
