// A clock that is moved by hand from sleeper to sleeper, so that a test can look between any two microtasks.
import type { Clock } from "@callwire/wire";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Starts at 1,000 ms. */
export class StepClock implements Clock {
  #now = 1_000;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper = { due: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Wakes the sleeper that is due first. False when nobody sleeps. */
  step(): boolean {
    const [next] = [...this.#sleepers].sort((a, b) => a.due - b.due);
    if (next === undefined) return false;
    this.#sleepers = this.#sleepers.filter((one) => one !== next);
    this.#now = Math.max(this.#now, next.due);
    next.wake();
    return true;
  }
}
