// The end of a turn or of a source: nothing is left busy, and nothing is called a failure that was not told as one.
import { cards, countCards, endCards, reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import {
  approvalRequested,
  cardOf,
  completed,
  failed,
  fold,
  foldOn,
  inputRequested,
  liveCall,
  liveState,
  pending,
  preparing,
  running,
  shown,
  turnEnd,
  turnStart,
} from "./events.ts";

const OPEN = [
  preparing("a"),
  pending("b"),
  running("c"),
  running("d"),
  approvalRequested("d"),
  running("e"),
  inputRequested("e"),
  completed("f"),
  failed("g"),
] as const;

const CLOSED = ["b interrupted", "c interrupted", "d interrupted", "e interrupted", "f completed", "g failed"];

describe("turn-end", () => {
  const ended = fold(turnStart(), ...OPEN, turnEnd());

  it("hides preparing cards and shows pending and running ones as interrupted [R4]", () => {
    expect(shown(ended)).toEqual(CLOSED);
  });

  it("derives that: the status is what events told, and there is no result [R4]", () => {
    expect(cardOf(ended, "b")).toMatchObject({ status: "pending", interrupted: true });
    expect(cardOf(ended, "c")).toMatchObject({ status: "running", interrupted: true });
    expect(cardOf(ended, "c").result).toBeUndefined();
    expect(cardOf(ended, "c").reason).toBeUndefined();
  });

  it("leaves settled cards the same objects [R4]", () => {
    const before = fold(...OPEN);
    const after = reduceCards(before, turnEnd());
    expect(cardOf(after, "f")).toBe(cardOf(before, "f"));
  });

  it("ends its own turn only [R4]", () => {
    const state = fold(running("a", { turnId: "one" }), running("b", { turnId: "two" }), turnEnd({ turnId: "one" }));
    expect(shown(state)).toEqual(["a interrupted", "b running"]);
    expect(shown(foldOn(state, turnEnd({ turnId: "two" })))).toEqual(["a interrupted", "b interrupted"]);
  });

  it("ends the calls of sub-agents with the turn that they belong to [R4]", () => {
    const state = fold(running("a"), running("b", { parentToolCallId: "a", round: 7 }), turnEnd());
    expect(shown(state)).toEqual(["a interrupted", "b interrupted"]);
  });

  it("yields to a result that comes later [R4]", () => {
    const state = foldOn(ended, completed("b"), failed("c"), completed("a"));
    expect(shown(state).slice(0, 3)).toEqual(["a completed", "b completed", "c failed"]);
    expect(cardOf(state, "b").interrupted).toBeUndefined();
  });

  it("is not undone by late evidence of the same turn [R4]", () => {
    const late = foldOn(ended, preparing("a"), preparing("h"), pending("i"), running("b"), pending("b"));
    expect(shown(late)).toEqual([...CLOSED, "i interrupted"]);
  });

  it("is undone when the same turn is told from its start again [R4]", () => {
    const log = [turnStart(), pending("a"), running("a"), completed("a"), pending("b")];
    const again = fold(...log, turnEnd(), ...log, running("b"));
    expect(shown(again)).toEqual(["a completed", "b running"]);
  });

  it("does not end calls of the next turn of the conversation [R4]", () => {
    const next = { turnId: "next" };
    const state = foldOn(ended, turnStart(next), preparing("x", next), pending("y", next), running("y", next));
    expect(shown(state)).toEqual([...CLOSED, "x preparing", "y running"]);
  });

  it("leaves nothing open, which the counts say [R4]", () => {
    expect(countCards(ended)).toEqual({
      total: 7,
      preparing: 0,
      pending: 0,
      running: 0,
      completed: 1,
      failed: 1,
      discarded: 1,
      interrupted: 4,
      open: 0,
    });
  });
});

describe("the end of the source", () => {
  it("leaves no card of any turn busy", () => {
    expect(shown(endCards(fold(...OPEN)))).toEqual(CLOSED);
    const two = fold(running("a", { turnId: "one" }), running("b", { turnId: "two" }), { ...running("c"), turnId: undefined });
    expect(shown(endCards(two))).toEqual(["a interrupted", "b interrupted", "c interrupted"]);
  });

  it("changes nothing when nothing is open", () => {
    const before = fold(completed("a"), failed("b"));
    expect(cards(endCards(before))).toBe(cards(before));
    const once = endCards(fold(...OPEN));
    expect(endCards(once)).toBe(once);
  });

  it("may be followed by what goes on after all", () => {
    const lost = endCards(fold(pending("a"), running("b"), running("c"), approvalRequested("c")));
    const on = foldOn(lost, running("a"), liveState([liveCall("b", { status: "running" })]), approvalRequested("c"));
    expect(shown(on)).toEqual(["a running", "b running", "c awaiting-approval"]);
    expect(shown(endCards(on))).toEqual(["a interrupted", "b interrupted", "c interrupted"]);
  });
});
