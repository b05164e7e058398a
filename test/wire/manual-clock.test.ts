// The clock of tests: it moves when it is told to, and everything that a sleeper sets off runs before the next one wakes.
import { manualClock } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { countedSignal } from "../kit/signals.ts";

describe("a manual clock", () => {
  it("stands still until it is moved", async () => {
    const clock = manualClock(1_000);
    expect(clock.now()).toBe(1_000);
    await clock.advance(0);
    expect(clock.now()).toBe(1_000);
    await clock.advance(250);
    expect(clock.now()).toBe(1_250);
  });

  it("wakes sleepers in due order, each at its own time", async () => {
    const clock = manualClock();
    const woken: string[] = [];
    const sleep = (name: string, ms: number) => clock.sleep(ms).then(() => woken.push(`${name}@${clock.now()}`));
    const all = [sleep("c", 30), sleep("a", 10), sleep("b", 20), sleep("a2", 10), sleep("later", 31)];
    expect(clock.pending()).toBe(5);
    await clock.advance(30);
    expect(woken).toEqual(["a@10", "a2@10", "b@20", "c@30"]);
    expect(clock.pending()).toBe(1);
    await clock.runAll();
    expect(woken[4]).toBe("later@31");
    await Promise.all(all);
  });

  it("wakes sleeps that begin inside the window, however long the chain of promises before them", async () => {
    const clock = manualClock();
    const times: number[] = [];
    const chain = (async () => {
      for (let i = 0; i < 3; i++) {
        await clock.sleep(10);
        for (let turn = 0; turn < 500; turn++) await undefined;
        times.push(clock.now());
      }
    })();
    await clock.advance(25);
    expect(times).toEqual([10, 20]);
    await clock.advance(5);
    expect(times).toEqual([10, 20, 30]);
    await chain;
  });

  it("wakes a sleeper early when its signal aborts, without a rejection and without a listener left", async () => {
    const clock = manualClock();
    const { signal, listeners, abort } = countedSignal();
    let woken = false;
    const sleep = clock.sleep(1_000, signal).then(() => {
      woken = true;
    });
    expect(listeners()).toBe(1);
    abort(new Error("stop"));
    await sleep;
    expect(woken).toBe(true);
    expect(clock.now()).toBe(0);
    expect(clock.pending()).toBe(0);
    expect(listeners()).toBe(0);
  });

  it("removes its listener from the signal of a sleeper that woke by itself", async () => {
    const clock = manualClock();
    const { signal, listeners } = countedSignal();
    const sleep = clock.sleep(5, signal);
    await clock.advance(5);
    await sleep;
    expect(listeners()).toBe(0);
  });

  it("does not sleep for an aborted signal or for no time", async () => {
    const clock = manualClock();
    await clock.sleep(10, AbortSignal.abort());
    await clock.sleep(0);
    await clock.sleep(-1);
    expect(clock.pending()).toBe(0);
  });

  it("says so when something sleeps for ever", async () => {
    const clock = manualClock();
    let stop = false;
    const heartbeat = (async () => {
      while (!stop) await clock.sleep(1_000);
    })();
    await expect(clock.runAll(50)).rejects.toThrow("fired 50 sleepers");
    stop = true;
    await clock.runAll();
    await heartbeat;
  });

  it("does not wait for a sleep without end", async () => {
    const clock = manualClock();
    const forever = new AbortController();
    const sleep = clock.sleep(Number.POSITIVE_INFINITY, forever.signal);
    await clock.runAll();
    expect(clock.pending()).toBe(1);
    forever.abort();
    await sleep;
  });

  it("runs until a promise settles, and gives what it gives", async () => {
    const clock = manualClock();
    const work = async () => {
      await clock.sleep(40);
      await new Promise((resolve) => setImmediate(resolve));
      await clock.sleep(2);
      return clock.now();
    };
    const heartbeat = clock.sleep(100);
    expect(await clock.runUntil(work())).toBe(42);
    expect(clock.pending()).toBe(1);
    await expect(clock.runUntil(Promise.reject(new Error("no")))).rejects.toThrow("no");
    await clock.runAll();
    await heartbeat;
  });

  it("runs until several promises settle at once", async () => {
    const clock = manualClock();
    const work = async (ms: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.sleep(ms);
      return clock.now();
    };
    expect(await Promise.all([clock.runUntil(work(5)), clock.runUntil(work(9))])).toEqual([5, expect.any(Number)]);
  });
});
