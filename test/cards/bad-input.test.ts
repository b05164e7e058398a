// Whatever arrives: a diagnostic, never a throw, never a second card.
import { cards, countCards, EMPTY_CARDS, isCardEvent, reduceCards } from "@callwire/cards";
import { EVENT_TYPES } from "@callwire/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardOf, completed, diagnostics, fold, pending, preparing, running } from "./events.ts";

describe("what is no event", () => {
  it.each([undefined, null, 1, "tool-call", [], {}, { type: 7 }, { type: "snapshot", data: {} }, () => 1])(
    "leaves a diagnostic: %j [R8]",
    (event) => {
      const before = fold(preparing("a"));
      const after = reduceCards(before, event);
      expect(cards(after)).toBe(cards(before));
      expect(diagnostics(after)).toEqual(["unknown-event"]);
    },
  );
});

describe("an event without what it must have", () => {
  const malformed: readonly object[] = [
    { type: "tool-call" },
    { ...pending("a"), toolCallId: "" },
    { ...pending("a"), toolCallId: 7 },
    { ...pending("a"), status: "new" },
    { ...pending("a"), status: "toString" },
    { type: "tool-call-progress" },
    { type: "approval-requested", toolCallId: "a", name: "read" },
    { type: "approval-answered", toolCallId: "a", approvalId: "q", answer: "maybe" },
    { type: "input-requested", inputId: "q" },
    { type: "input-answered", toolCallId: "a" },
    { type: "attempt-discarded", turnId: "turn", round: "1", attempt: 1 },
    { type: "live-state", calls: "none" },
    { type: "turn-end" },
  ];

  it.each(malformed)("leaves a diagnostic: %j [R8]", (event) => {
    const before = fold(pending("a"), running("a"));
    const after = reduceCards(before, event);
    expect(cards(after)).toBe(cards(before));
    expect(diagnostics(after)).toEqual(["malformed-event"]);
  });

  it.each([
    { ...preparing("b"), name: undefined },
    { ...completed("b"), name: 7 },
    { type: "approval-requested", toolCallId: "b", approvalId: "q" },
  ])("does not name a new call: %j [R8]", (event) => {
    const state = fold(event);
    expect(countCards(state).total).toBe(0);
    expect(diagnostics(state)).toEqual(["unknown-call"]);
  });

  it("settles a known call all the same when only its name is missing [R8]", () => {
    const state = fold(pending("a"), { ...completed("a"), name: undefined });
    expect(cardOf(state, "a")).toMatchObject({ name: "read", state: "completed" });
  });

  it("leaves out members that have no use [R8]", () => {
    const odd = { input: "text", title: 7, kind: null, locations: [{ path: 1 }, { path: "a" }, 3], at: "now", round: "1" };
    const card = cardOf(fold({ ...pending("a"), ...odd }, { ...running("a"), input: [], round: undefined }), "a");
    expect(card).toMatchObject({ state: "running", locations: [{ path: "a" }] });
    const { input, title, kind, round, pendingAt, inputEdited } = card;
    expect({ input, title, kind, round, pendingAt, inputEdited }).toEqual({});
    const failure = cardOf(fold({ ...completed("b"), status: "failed", reason: "bad luck", executed: true, result: 1 }), "b");
    const { reason, executed, result } = failure;
    expect({ reason, executed, result }).toEqual({});
    expect(failure.state).toBe("failed");
  });
});

describe("diagnostics", () => {
  it("are counted, and the newest 32 kept [R8]", () => {
    const events = Array.from({ length: 100 }, (_, i) => ({ type: "nonsense", toolCallId: `x${i}`, at: i }));
    const state = fold(...events);
    expect(state.diagnosticCount).toBe(100);
    expect(state.diagnostics).toHaveLength(32);
    expect(state.diagnostics.at(-1)).toEqual({ kind: "unknown-event", type: "nonsense", toolCallId: "x99", at: 99 });
    expect(state.diagnostics[0]).toMatchObject({ toolCallId: "x68" });
  });
});

describe("isCardEvent", () => {
  it("takes turn events and Workglow's own tool-call events, not its other chunks", () => {
    expect([preparing("a"), { type: "tool-call", toolCallId: "a" }].map(isCardEvent)).toEqual([true, true]);
    const foreign = [null, "x", { type: "snapshot", data: {} }, { type: "text-delta", port: "text", textDelta: "x" }];
    expect(foreign.map(isCardEvent)).toEqual([false, false, false, false]);
  });
});

describe("anything at all", () => {
  const words = fc.constantFrom("a", "b", "", "preparing", "discarded", "pending", "running", "completed", "failed", "deny");
  const value = fc.oneof({ weight: 3, arbitrary: words }, fc.integer({ min: 0, max: 3 }), fc.anything());
  const keys = [
    ...["toolCallId", "name", "status", "turnId", "at", "round", "attempt", "parentToolCallId", "input", "result", "reason"],
    ...["executed", "approvalId", "inputId", "answer", "calls", "locations", "reach", "progress", "content", "output"],
  ];
  const noise = fc
    .tuple(fc.constantFrom<string>(...EVENT_TYPES), fc.dictionary(fc.constantFrom(...keys), value))
    .map(([type, members]) => ({ ...members, type }));

  it("never throws, makes at most one card per id, and takes events on afterwards [R8]", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, fc.anything()), { maxLength: 40 }), (events) => {
        const state = fold(...events);
        const ids = cards(state).map((card) => card.toolCallId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(countCards(state).total).toBeGreaterThanOrEqual(ids.length);
        expect(cardOf(reduceCards(state, pending("fresh", { turnId: "fresh" })), "fresh").state).toBe("pending");
      }),
      { numRuns: 500 },
    );
  });

  it("starts from nothing [R8]", () => {
    expect(cards(EMPTY_CARDS)).toEqual([]);
    expect(cards(EMPTY_CARDS)).toBe(cards(EMPTY_CARDS));
  });
});
