// The test kit itself: the counted signal counts as the platform does.
import { describe, expect, it } from "vitest";
import { countedSignal } from "../kit/signals.ts";

describe("a counted signal", () => {
  const noop = () => undefined;

  it("counts listeners that come and go", () => {
    const { signal, listeners } = countedSignal();
    signal.addEventListener("abort", noop);
    signal.addEventListener("abort", noop);
    expect(listeners()).toBe(1);
    signal.addEventListener("abort", noop, true);
    signal.addEventListener("other", noop);
    expect(listeners()).toBe(2);
    signal.removeEventListener("abort", noop);
    signal.removeEventListener("abort", noop, { capture: true });
    signal.removeEventListener("abort", noop);
    expect(listeners()).toBe(0);
  });

  it("counts a listener that stays after the abort, and none that fired once", () => {
    const { signal, listeners, abort } = countedSignal();
    const heard: string[] = [];
    signal.addEventListener("abort", () => heard.push("once"), { once: true });
    signal.addEventListener("abort", () => heard.push("stays"));
    abort("why");
    expect(heard).toEqual(["once", "stays"]);
    expect(signal.reason).toBe("why");
    expect(listeners()).toBe(1);
    signal.addEventListener("abort", noop, { once: true });
    expect(listeners()).toBe(2);
  });

  it("forgets a listener that another signal removes", () => {
    const { signal, listeners } = countedSignal();
    const other = new AbortController();
    signal.addEventListener("abort", noop, { signal: other.signal });
    expect(listeners()).toBe(1);
    other.abort();
    expect(listeners()).toBe(0);
  });

  it("is a real signal", async () => {
    const { signal, abort } = countedSignal();
    expect(signal).toBeInstanceOf(AbortSignal);
    const any = AbortSignal.any([signal]);
    abort();
    expect(any.aborted).toBe(true);
  });
});
