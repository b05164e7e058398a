// A clock that stands still until it is told to move, so that tests of waits, timeouts and grace periods need no real time.
import type { Clock } from "../journal.ts";
import { settleMicrotasks } from "./settle.ts";

export interface ManualClock extends Clock {
  /**
   * Moves time on by `ms`. Sleepers fire in due order, each at its own time, and everything that they set off runs before the
   * next one fires: a sleep begun meanwhile fires too if it is due within the window.
   */
  advance(ms: number): Promise<void>;
  /** Sleepers that wait. */
  pending(): number;
  /** Fires sleepers in due order until none waits. Throws after `limit` of them (default 10,000). */
  runAll(limit?: number): Promise<void>;
  /** Fires sleepers in due order until `promise` settles, and gives what it gives. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
}

interface Sleeper {
  readonly due: number;
  /** Lets it go on; the sleeper is out of the list already. */
  wake(): void;
}

/** A clock for tests, at `start` ms since the epoch. */
export function manualClock(start = 0): ManualClock {
  return new SteppedClock(start);
}

class SteppedClock implements ManualClock {
  #now: number;
  /** In due order; equal ones in the order of their calls. */
  readonly #sleepers: Sleeper[] = [];
  /** Those who wait for a sleeper to come. */
  #watchers: (() => void)[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (!(ms > 0) || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        resolve();
      };
      const sleeper = {
        due: this.#now + ms,
        wake() {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#insert(sleeper);
    });
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settleMicrotasks();
    for (let next = this.#next(until); next !== undefined; next = this.#next(until)) await this.#fire(next);
    this.#now = Math.max(this.#now, until);
  }

  pending(): number {
    return this.#sleepers.length;
  }

  async runAll(limit = 10_000): Promise<void> {
    await settleMicrotasks();
    for (let fired = 0; ; fired++) {
      const next = this.#next(Number.MAX_VALUE);
      if (next === undefined) return;
      if (fired === limit)
        throw new Error(`The manual clock fired ${limit} sleepers and one still waits: something sleeps for ever.`);
      await this.#fire(next);
    }
  }

  async runUntil<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const note = () => {
      settled = true;
      this.#wakeWatchers();
    };
    promise.then(note, note);
    for (;;) {
      await settleMicrotasks();
      if (settled) return promise;
      const next = this.#next(Number.MAX_VALUE);
      if (next !== undefined) await this.#fire(next);
      else await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  #wakeWatchers(): void {
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const wake of watchers) wake();
  }

  #next(until: number): Sleeper | undefined {
    const first = this.#sleepers[0];
    return first !== undefined && first.due <= until ? first : undefined;
  }

  async #fire(sleeper: Sleeper): Promise<void> {
    this.#sleepers.shift();
    this.#now = Math.max(this.#now, sleeper.due);
    sleeper.wake();
    await settleMicrotasks();
  }

  #insert(sleeper: Sleeper): void {
    let at = this.#sleepers.length;
    while (at > 0 && (this.#sleepers[at - 1]?.due ?? 0) > sleeper.due) at--;
    this.#sleepers.splice(at, 0, sleeper);
    this.#wakeWatchers();
  }
}
