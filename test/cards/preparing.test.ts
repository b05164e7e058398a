// A preparing card: what it shows, what it outlives, and what ends it.
import { cards, EMPTY_CARDS, reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import {
  attemptDiscarded,
  cardOf,
  completed,
  discarded,
  fold,
  foldOn,
  liveState,
  pending,
  preparing,
  running,
  shown,
  turnEnd,
} from "./events.ts";

describe("preparing", () => {
  it("shows a card with id, name and time, its input unknown [E2b]", () => {
    const state = fold(preparing("a"));
    expect(cards(state)).toEqual([
      {
        toolCallId: "a",
        name: "read",
        status: "preparing",
        state: "preparing",
        turnId: "turn",
        round: 1,
        attempt: 1,
        preparedAt: 100,
      },
    ]);
    expect(cardOf(state, "a").input).toBeUndefined();
  });

  it("knows the call that a sub-agent makes it for", () => {
    expect(cardOf(fold(preparing("a", { parentToolCallId: "p" })), "a").parentToolCallId).toBe("p");
  });

  it("is not changed by a second preparing, except for a newer name [R8]", () => {
    const before = fold(preparing("a"));
    expect(reduceCards(before, preparing("a", { at: 120 }))).toBe(before);
    const card = cardOf(fold(preparing("a", { name: "re" }), preparing("a", { name: "read", at: 120 })), "a");
    expect(card).toMatchObject({ name: "read", preparedAt: 100 });
  });

  it.each([
    ["pending", [pending("a")]],
    ["running", [pending("a"), running("a")]],
    ["completed", [pending("a"), running("a"), completed("a")]],
  ])("is ignored once the call is %s [R8]", (_, events) => {
    const before = fold(preparing("a"), ...events);
    expect(reduceCards(before, preparing("a", { at: 999, name: "other" }))).toBe(before);
  });

  it("lives through text, progress of others and the end of other attempts [R6]", () => {
    const text = { type: "text-delta", port: "text", turnId: "turn", at: 110, textDelta: "x", round: 1, attempt: 1 };
    const state = fold(
      preparing("a"),
      text,
      attemptDiscarded({ attempt: 2 }),
      attemptDiscarded({ round: 2 }),
      attemptDiscarded({ turnId: "other" }),
      turnEnd({ turnId: "other" }),
    );
    expect(shown(state)).toEqual(["a preparing"]);
  });

  it.each([
    ["its discarded", discarded("a")],
    ["the end of its attempt", attemptDiscarded()],
    ["a live state without it", liveState([])],
    ["the end of its turn", turnEnd()],
  ])("is gone after %s [R6]", (_, event) => {
    expect(shown(fold(preparing("a"), event))).toEqual([]);
  });

  it("is pending after its pending, at the same place [R6, R9]", () => {
    const state = fold(preparing("a"), preparing("b"), pending("a"));
    expect(shown(state)).toEqual(["a pending", "b preparing"]);
    expect(cardOf(state, "a")).toMatchObject({ preparedAt: 100, pendingAt: 200, input: { path: "a.txt" } });
  });

  it("leaves other cards the same objects", () => {
    const before = foldOn(EMPTY_CARDS, preparing("a"), pending("b"));
    const after = foldOn(before, preparing("c"), pending("a"));
    expect(cardOf(after, "b")).toBe(cardOf(before, "b"));
  });
});
