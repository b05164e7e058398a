// A host that joins late or comes back: one live-state replaces all transient evidence that it holds.
import { cards, endCards, reduceCards } from "@callwire/cards";
import { LiveFold, type TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import {
  cardOf,
  completed,
  diagnostics,
  discarded,
  fold,
  foldOn,
  liveCall,
  liveState,
  pending,
  preparing,
  running,
  shown,
  turnStart,
} from "./events.ts";

describe("live-state", () => {
  it("hides every preparing card that is not in it, of whatever turn [R2]", () => {
    const before = fold(preparing("a"), preparing("b"), preparing("c", { turnId: "older" }), pending("d"));
    expect(shown(foldOn(before, liveState([liveCall("b")])))).toEqual(["b preparing", "d pending"]);
    expect(shown(foldOn(before, liveState([], { turnId: "", round: 0, attempt: 0 })))).toEqual(["d pending"]);
  });

  it("shows the calls that it holds [R2]", () => {
    const before = fold(pending("a"));
    const calls = [
      liveCall("a", { status: "running", at: 250 }),
      liveCall("b", { at: 130, round: 2, attempt: 3, parentToolCallId: "a" }),
      liveCall("c", { status: "pending" }),
    ];
    const state = foldOn(before, liveState(calls));
    expect(shown(state)).toEqual(["a running", "b preparing", "c pending"]);
    expect(cardOf(state, "a")).toMatchObject({ input: { path: "a.txt" }, runningAt: 250 });
    const place = { turnId: "turn", round: 2, attempt: 3, parentToolCallId: "a", preparedAt: 130 };
    expect(cardOf(state, "b")).toMatchObject(place);
    expect(cardOf(state, "c").input).toBeUndefined();
  });

  it("shows a card again at its place [R2, R5]", () => {
    const state = fold(preparing("a"), preparing("b"), liveState([]), liveState([liveCall("b"), liveCall("a")]));
    expect(shown(state)).toEqual(["a preparing", "b preparing"]);
    expect(shown(fold(preparing("a"), discarded("a"), liveState([liveCall("a")])))).toEqual(["a preparing"]);
  });

  it("changes nothing when it tells what is known [R2]", () => {
    const before = fold(preparing("a"), pending("b"), running("b"), pending("c"), completed("d"));
    const calls = [liveCall("a"), liveCall("b", { status: "running" }), liveCall("c", { status: "pending" })];
    expect(cards(reduceCards(before, liveState(calls)))).toBe(cards(before));
  });

  it("does not move a card back [R2]", () => {
    const before = fold(pending("a"), running("a"), pending("b"), completed("b"));
    const state = foldOn(before, liveState([liveCall("a"), liveCall("b", { status: "pending" })]));
    expect(shown(state)).toEqual(["a running", "b completed"]);
  });

  it("brings back what a lost connection had ended [R2]", () => {
    const lost = endCards(fold(preparing("a"), pending("b"), pending("c"), running("c")));
    expect(shown(lost)).toEqual(["b interrupted", "c interrupted"]);
    const calls = [liveCall("a"), liveCall("b", { status: "pending" }), liveCall("c", { status: "running" })];
    expect(shown(foldOn(lost, liveState(calls)))).toEqual(["a preparing", "b pending", "c running"]);
  });

  it("stands in for the events that were missed, at every point of a turn [R2]", () => {
    const log: readonly TurnEvent[] = [
      turnStart(),
      preparing("a"),
      preparing("b"),
      pending("a"),
      pending("b"),
      running("a"),
      preparing("s", { parentToolCallId: "a" }),
      completed("a"),
      running("b"),
      completed("b"),
    ];
    for (let joined = 0; joined <= log.length; joined++) {
      const live = new LiveFold();
      for (const event of log.slice(0, joined)) live.push(event);
      const durable = log.slice(0, joined).filter((event) => "seq" in event);
      const late = fold(...durable, live.snapshot());
      expect(shown(late), `joined at ${joined}`).toEqual(shown(fold(...log.slice(0, joined))));
      expect(late.diagnosticCount).toBe(0);
    }
  });

  it("leaves a diagnostic for what is no call, and takes the rest [R8]", () => {
    const calls = [null, { toolCallId: "x" }, { ...liveCall("y"), status: "completed" }, liveCall("a")];
    const state = fold({ ...liveState([]), calls });
    expect(shown(state)).toEqual(["a preparing"]);
    expect(diagnostics(state)).toEqual(["malformed-event", "malformed-event", "malformed-event"]);
  });
});
