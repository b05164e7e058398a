// The transition table and the arrivals derived from it: every pair, written out by hand.
import {
  type Arrival,
  arrival,
  CALL_STATUSES,
  type CallState,
  type CallStatus,
  canFollow,
  isSettled,
  isTerminal,
  NEXT,
} from "@callwire/wire";
import { describe, expect, it } from "vitest";

const STATES: readonly CallState[] = ["new", ...CALL_STATUSES];

/** Rows: where the card stands. Columns: preparing, discarded, pending, running, completed, failed. */
const ARRIVALS: Readonly<Record<CallState, readonly Arrival[]>> = {
  new: ["advance", "skip", "advance", "skip", "skip", "skip"],
  preparing: ["repeat", "advance", "advance", "skip", "skip", "skip"],
  discarded: ["revive", "conflict", "revive", "revive", "revive", "revive"],
  pending: ["stale", "conflict", "repeat", "advance", "skip", "skip"],
  running: ["stale", "conflict", "stale", "repeat", "advance", "advance"],
  completed: ["stale", "conflict", "stale", "stale", "conflict", "conflict"],
  failed: ["stale", "conflict", "stale", "stale", "conflict", "conflict"],
};

describe("the transition table", () => {
  it("allows exactly the steps of the contract", () => {
    const steps = STATES.flatMap((from) => CALL_STATUSES.filter((to) => canFollow(from, to)).map((to) => `${from} > ${to}`));
    expect(steps).toEqual([
      "new > preparing",
      "new > pending",
      "preparing > discarded",
      "preparing > pending",
      "pending > running",
      "running > completed",
      "running > failed",
    ]);
  });

  it("lets nothing follow a terminal status", () => {
    expect(STATES.filter(isTerminal)).toEqual(["discarded", "completed", "failed"]);
    expect(STATES.filter((state) => NEXT[state].length === 0)).toEqual(STATES.filter(isTerminal));
  });

  it("calls completed and failed settled", () => {
    expect(STATES.filter(isSettled)).toEqual(["completed", "failed"]);
  });

  it("leads every call to one terminal status", () => {
    for (const start of STATES) expect(isTerminal(start) || ends(start).every(isTerminal)).toBe(true);
  });
});

describe("an arrival", () => {
  for (const from of STATES) {
    it(`is derived from the table for a card that is ${from}`, () => {
      expect(CALL_STATUSES.map((to) => arrival(from, to))).toEqual(ARRIVALS[from]);
    });
  }

  it("is an advance exactly where the table has the step", () => {
    for (const from of STATES) {
      for (const to of CALL_STATUSES) expect(arrival(from, to) === "advance").toBe(canFollow(from, to));
    }
  });
});

/** Every last status that is reachable, by walking the table. */
function ends(from: CallState): readonly CallStatus[] {
  return NEXT[from].flatMap((next) => (NEXT[next].length === 0 ? [next] : ends(next)));
}
