// A running card: taken up, reporting progress, its arguments perhaps edited.
import { cards, reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import {
  cardOf,
  completed,
  diagnostics,
  discarded,
  failed,
  fold,
  foldOn,
  pending,
  preparing,
  progress,
  running,
  shown,
} from "./events.ts";

describe("running", () => {
  it("keeps what pending told, and its place [R8, R9]", () => {
    const state = fold(pending("a"), pending("b"), running("b"), running("a"));
    expect(shown(state)).toEqual(["a running", "b running"]);
    expect(cardOf(state, "a")).toMatchObject({ input: { path: "a.txt" }, pendingAt: 200, runningAt: 300 });
    expect(cardOf(state, "a").inputEdited).toBeUndefined();
  });

  it("shows the arguments as a person edited them [R8]", () => {
    const card = cardOf(fold(pending("a"), running("a", { input: { path: "edited" } })), "a");
    expect(card).toMatchObject({ input: { path: "edited" }, inputEdited: true });
    const twice = cardOf(fold(pending("a"), running("a"), running("a", { input: { path: "edited" } })), "a");
    expect(twice).toMatchObject({ input: { path: "edited" }, inputEdited: true, runningAt: 300 });
  });

  it("creates a card with unknown input when it comes first [R8]", () => {
    const card = cardOf(fold(running("a")), "a");
    expect(card).toMatchObject({ state: "running", name: "read" });
    expect(card.input).toBeUndefined();
  });

  it("skips what was not seen [R8]", () => {
    expect(shown(fold(preparing("a"), running("a")))).toEqual(["a running"]);
  });

  it("changes nothing the second time [R8]", () => {
    const before = fold(pending("a"), running("a"));
    expect(reduceCards(before, running("a", { at: 999 }))).toBe(before);
  });

  it.each([
    ["completed", completed("a")],
    ["failed", failed("a")],
  ])("is ignored with a diagnostic when the call has %s [R8]", (_, event) => {
    const before = fold(event);
    const after = reduceCards(before, running("a", { input: { path: "late" } }));
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(diagnostics(after)).toEqual(["late-event"]);
  });

  it("shows a discarded call again [R5, R8]", () => {
    expect(shown(fold(preparing("a"), preparing("b"), discarded("a"), running("a")))).toEqual(["a running", "b preparing"]);
  });
});

describe("progress", () => {
  it("shows the newest of each thing that was reported", () => {
    const content = [{ type: "text", text: "half" }] as const;
    const state = fold(
      running("a"),
      progress("a", { progress: 1, total: 4, message: "one" }),
      progress("a", { progress: 2, content }),
    );
    expect(cardOf(state, "a").progress).toEqual({ progress: 2, total: 4, message: "one", content });
  });

  it("is shown for preparing and pending calls too: a provider reports before the answer is accepted", () => {
    const state = fold(preparing("a"), pending("b"), progress("a", { message: "x" }), progress("b", { message: "y" }));
    expect(cards(state).map((card) => card.progress)).toEqual([{ message: "x" }, { message: "y" }]);
  });

  it("changes nothing when it is only a heartbeat", () => {
    const before = fold(running("a"), progress("a", { message: "x" }));
    expect(reduceCards(before, progress("a"))).toBe(before);
  });

  it.each([
    ["settled", [running("a"), completed("a")]],
    ["withdrawn", [preparing("a"), discarded("a")]],
  ])("is ignored once the call is %s", (_, events) => {
    const before = fold(...events);
    expect(reduceCards(before, progress("a", { message: "late" }))).toBe(before);
  });

  it("makes no card for a call that nobody has heard of", () => {
    const state = foldOn(fold(running("a")), progress("b", { message: "x" }));
    expect(shown(state)).toEqual(["a running"]);
    expect(diagnostics(state)).toEqual(["unknown-call"]);
  });
});
