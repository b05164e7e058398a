// A completed card: final, whatever comes after it.
import { reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import { cardOf, completed, diagnostics, discarded, failed, fold, pending, preparing, running, shown } from "./events.ts";

describe("completed", () => {
  it("shows the text that the model reads, with output and display [E2e]", () => {
    const ending = { result: '{"n":1}', output: { n: 1 }, display: ["x"] };
    const card = cardOf(fold(preparing("a"), pending("a"), running("a"), completed("a", ending)), "a");
    expect(card).toMatchObject({ ...ending, state: "completed", preparedAt: 100, pendingAt: 200, runningAt: 300, endedAt: 400 });
    expect(card.reason).toBeUndefined();
  });

  it("takes null for an output", () => {
    const card = cardOf(fold(running("a"), completed("a", { output: null, display: null })), "a");
    expect([card.output, card.display]).toEqual([null, null]);
  });

  it("settles each call by its id, whatever ran before it [R8, R9]", () => {
    const state = fold(
      ...["a", "b", "c"].map((id) => pending(id)),
      ...["a", "b", "c"].map((id) => running(id)),
      completed("c"),
      completed("a"),
      completed("b"),
    );
    expect(shown(state)).toEqual(["a completed", "b completed", "c completed"]);
    expect(["a", "b", "c"].map((id) => cardOf(state, id).result)).toEqual(["text of a", "text of b", "text of c"]);
  });

  it("creates a card with unknown input when it comes first [R8]", () => {
    const card = cardOf(fold(completed("a")), "a");
    expect(card).toMatchObject({ state: "completed", name: "read", result: "text of a" });
    expect(card.input).toBeUndefined();
  });

  it.each([
    ["preparing", preparing("a")],
    ["pending", pending("a")],
  ])("skips what was not seen after %s [R8]", (_, event) => {
    expect(shown(fold(event, completed("a")))).toEqual(["a completed"]);
  });

  it.each([
    ["an equal end", completed("a")],
    ["another end", completed("a", { result: "other", at: 999 })],
    ["a failure", failed("a")],
    ["a withdrawal", discarded("a")],
  ])("is not changed by %s, which leaves a diagnostic [R8]", (_, event) => {
    const before = fold(pending("a"), running("a"), completed("a"));
    const after = reduceCards(before, event);
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(diagnostics(after)).toEqual(["conflict"]);
  });

  it("makes one card of a thousand ends of a call that was never announced", () => {
    const state = fold(...Array.from({ length: 1000 }, () => completed("x")), pending("x", { title: "Late" }));
    expect(shown(state)).toEqual(["x completed"]);
    expect(cardOf(state, "x")).toMatchObject({ title: "Late", input: { path: "x.txt" } });
    expect(state.diagnosticCount).toBe(999);
    expect(state.diagnostics).toHaveLength(32);
  });
});
