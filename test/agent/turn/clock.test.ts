// The wall clock, the default of the clock port.
import { systemClock } from "@callwire/agent/turn";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countedSignal } from "../../kit/signals.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 5_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether a sleep has ended. */
function watch(sleep: Promise<void>): () => boolean {
  let over = false;
  sleep.then(
    () => {
      over = true;
    },
    () => undefined,
  );
  return () => over;
}

describe("the wall clock [P4]", () => {
  it("tells the time in ms since the epoch", () => {
    expect(systemClock.now()).toBe(5_000);
  });

  it("sleeps as long as it is told", async () => {
    const over = watch(systemClock.sleep(100));
    await vi.advanceTimersByTimeAsync(99);
    expect(over()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(over()).toBe(true);
  });

  it("wakes when its signal aborts, and leaves neither timer nor listener", async () => {
    const { signal, abort, listeners } = countedSignal();
    const over = watch(systemClock.sleep(100, signal));
    abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(over()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners()).toBe(0);
  });

  it("leaves no listener when it has slept", async () => {
    const { signal, listeners } = countedSignal();
    const over = watch(systemClock.sleep(100, signal));
    expect(listeners()).toBe(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(over()).toBe(true);
    expect(listeners()).toBe(0);
  });

  it("does not sleep on a signal that has aborted", async () => {
    await systemClock.sleep(100, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([2 ** 31, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY])(
    "does not take a very long sleep (%d) for none",
    async (ms) => {
      const { signal, abort } = countedSignal();
      const over = watch(systemClock.sleep(ms, signal));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(over()).toBe(false);
      abort();
      await vi.advanceTimersByTimeAsync(0);
      expect(over()).toBe(true);
    },
  );
});
