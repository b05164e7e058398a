// Withdrawal: a discarded card hides, keeps its place, and may be shown again there.
import { cards, countCards, reduceCards } from "@callwire/cards";
import { DISCARD_REASONS } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import {
  attemptDiscarded,
  cardOf,
  completed,
  diagnostics,
  discarded,
  failed,
  fold,
  foldOn,
  liveState,
  pending,
  preparing,
  running,
  shown,
} from "./events.ts";

describe("discarded", () => {
  it.each(DISCARD_REASONS)("hides a preparing card and keeps the reason %s [R8, E2c]", (reason) => {
    const state = fold(preparing("a"), preparing("b"), discarded("a", { reason }));
    expect(shown(state)).toEqual(["b preparing"]);
    expect(cardOf(state, "a")).toMatchObject({ status: "discarded", state: "discarded", hidden: true, reason, endedAt: 150 });
  });

  it("hides a pending card of a foreign stream [R8]", () => {
    const state = fold(pending("a"), discarded("a"));
    expect(shown(state)).toEqual([]);
    expect(state.diagnosticCount).toBe(0);
  });

  it.each([
    ["running", [running("a")]],
    ["completed", [running("a"), completed("a")]],
    ["failed", [running("a"), failed("a")]],
  ])("is ignored with a diagnostic when the call is %s [R8]", (_, events) => {
    const before = fold(pending("a"), ...events);
    const after = reduceCards(before, discarded("a"));
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(after.diagnostics).toEqual([{ kind: "conflict", type: "tool-call", toolCallId: "a", at: 150 }]);
  });

  it("changes nothing the second time [R8]", () => {
    const before = fold(preparing("a"), discarded("a"));
    const after = reduceCards(before, discarded("a", { reason: "retry", at: 170 }));
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(diagnostics(after)).toEqual(["conflict"]);
  });

  it("makes no card for a call that nobody has heard of [R8]", () => {
    const state = fold(discarded("a"));
    expect(countCards(state).total).toBe(0);
    expect(diagnostics(state)).toEqual(["unknown-call"]);
  });
});

describe("attempt-discarded", () => {
  it("hides the preparing cards of its attempt, with its reason [R1]", () => {
    const state = fold(preparing("a"), preparing("b", { attempt: 2 }), attemptDiscarded());
    expect(shown(state)).toEqual(["b preparing"]);
    expect(cardOf(state, "a")).toMatchObject({ status: "discarded", reason: "retry", endedAt: 160 });
  });

  it("leaves announced cards alone [R1]", () => {
    const before = fold(pending("a"), pending("b"), running("b"), pending("c"), completed("c"));
    expect(cards(reduceCards(before, attemptDiscarded()))).toBe(cards(before));
  });

  it("leaves the calls of a sub-agent alone, whose rounds and attempts are its own [R1]", () => {
    expect(shown(fold(preparing("a", { parentToolCallId: "p" }), attemptDiscarded()))).toEqual(["a preparing"]);
  });

  it("has nothing left to hide after its calls' discarded [R1]", () => {
    const before = fold(preparing("a"), discarded("a"));
    expect(cards(reduceCards(before, attemptDiscarded()))).toBe(cards(before));
  });
});

describe("a call shown again after it was withdrawn", () => {
  it("keeps its key and its place [R5]", () => {
    const hidden = fold(preparing("a"), preparing("b"), discarded("a"), pending("b"), preparing("c"));
    expect(shown(foldOn(hidden, preparing("a", { at: 500 })))).toEqual(["a preparing", "b pending", "c preparing"]);
    expect(shown(foldOn(hidden, pending("a", { at: 500 })))).toEqual(["a pending", "b pending", "c preparing"]);
  });

  it("begins a new epoch: nothing of the withdrawn one is left [R8]", () => {
    const state = fold(
      pending("a", { title: "Old", input: { old: 1 } }),
      discarded("a"),
      preparing("a", { at: 500, round: 2, attempt: 3 }),
    );
    const { input, title, reason, endedAt, hidden, ...card } = cardOf(state, "a");
    expect({ input, title, reason, endedAt, hidden }).toEqual({});
    expect(card).toMatchObject({ status: "preparing", preparedAt: 500, round: 2, attempt: 3 });
  });

  it("goes on where it was when only a live state had missed it [R5, R8]", () => {
    const state = fold(preparing("a"), preparing("b"), liveState([]), pending("a"));
    expect(shown(state)).toEqual(["a pending"]);
    expect(cardOf(state, "a")).toMatchObject({ preparedAt: 100, pendingAt: 200 });
  });

  it("is shown by a second preparing when only a live state had missed it [R5, R8]", () => {
    const state = fold(preparing("a"), preparing("b"), liveState([]), preparing("a", { at: 120 }));
    expect(shown(state)).toEqual(["a preparing"]);
    expect(cardOf(state, "a").preparedAt).toBe(100);
  });

  it("may be withdrawn again [R5]", () => {
    const state = fold(preparing("a"), discarded("a"), preparing("a"), attemptDiscarded());
    expect(shown(state)).toEqual([]);
    expect(countCards(state)).toMatchObject({ total: 1, discarded: 1 });
  });
});
