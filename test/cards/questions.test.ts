// A card that waits for a person or the host: which question is open, what was answered, and what a replay does.
import { reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import {
  approvalAnswered,
  approvalRequested,
  cardOf,
  completed,
  diagnostics,
  discarded,
  failed,
  fold,
  foldOn,
  inputAnswered,
  inputRequested,
  liveState,
  pending,
  preparing,
  running,
  shown,
  turnEnd,
} from "./events.ts";

describe("approval-requested", () => {
  const asked = fold(pending("a"), pending("b"), running("a"), approvalRequested("a", { reach: ["disk"] }));

  it("makes its card await a person, with the id that an answer must name [R3]", () => {
    expect(shown(asked)).toEqual(["a awaiting-approval", "b pending"]);
    expect(cardOf(asked, "a")).toMatchObject({ status: "running", approval: { approvalId: "q", reach: ["disk"] }, askedAt: 310 });
  });

  it.each(["allow", "deny", "cancel"] as const)("ends with the answer %s, which stays on the card [R3]", (answer) => {
    const state = foldOn(asked, approvalAnswered("a", { answer, by: "Ada" }));
    expect(shown(state)).toEqual(["a running", "b pending"]);
    expect(cardOf(state, "a")).toMatchObject({
      approval: { approvalId: "q", reach: ["disk"], answer, by: "Ada" },
      askedAt: 310,
      answeredAt: 320,
    });
  });

  it("ends when the call settles without an answer [R3]", () => {
    const withdrawn = failed("a", { reason: "cancelled-before-start" });
    expect(shown(foldOn(asked, withdrawn))).toEqual(["a cancelled", "b pending"]);
  });

  it("keeps the questions of several calls apart [R3]", () => {
    const state = foldOn(
      asked,
      running("b"),
      approvalRequested("b", { approvalId: "r" }),
      approvalAnswered("b", { approvalId: "r" }),
    );
    expect(shown(state)).toEqual(["a awaiting-approval", "b running"]);
  });

  it.each([
    ["preparing", preparing("c")],
    ["pending", pending("c")],
  ])("shows that a call seen %s is running [R3]", (_, event) => {
    const state = fold(event, approvalRequested("c"), running("c"));
    expect(cardOf(state, "c")).toMatchObject({ status: "running", state: "awaiting-approval", runningAt: 300 });
  });

  it("says enough to draw a call whose announcement was not seen [R8]", () => {
    const card = cardOf(fold(approvalRequested("a", { title: "Read a.txt", parentToolCallId: "p" })), "a");
    const about = { name: "read", title: "Read a.txt", input: { path: "a.txt" }, parentToolCallId: "p" };
    expect(card).toMatchObject({ ...about, state: "awaiting-approval" });
  });

  it("shows a call again that was withdrawn [R5]", () => {
    const state = fold(preparing("a"), preparing("b"), discarded("a"), approvalRequested("a"));
    expect(shown(state)).toEqual(["a awaiting-approval", "b preparing"]);
    expect(cardOf(state, "a").reason).toBeUndefined();
    const missed = fold(preparing("a"), preparing("b"), liveState([]), approvalRequested("a"));
    expect(shown(missed)).toEqual(["a awaiting-approval"]);
  });

  it("is not opened again by a replay [R3]", () => {
    const answered = foldOn(asked, approvalAnswered("a"));
    expect(reduceCards(answered, approvalRequested("a", { at: 999 }))).toBe(answered);
  });

  it("is put again under its id by a turn that goes on [R3]", () => {
    const state = foldOn(asked, turnEnd({ turnId: "other" }), approvalRequested("a", { at: 999 }));
    expect(cardOf(state, "a")).toMatchObject({ state: "awaiting-approval", askedAt: 310 });
    expect(cardOf(foldOn(asked, approvalRequested("a", { approvalId: "r", at: 999 })), "a").askedAt).toBe(999);
  });

  it.each([
    ["a question", approvalRequested("a")],
    ["an answer", approvalAnswered("a", { input: { path: "late" } })],
  ])("comes too late for a settled call: %s is ignored with a diagnostic [R8]", (_, event) => {
    const before = fold(pending("a"), running("a"), completed("a"));
    const after = reduceCards(before, event);
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(diagnostics(after)).toEqual(["late-event"]);
  });
});

describe("approval-answered", () => {
  it("shows the arguments as the person edited them [R3]", () => {
    const edit = approvalAnswered("a", { input: { path: "edited" } });
    const card = cardOf(fold(pending("a"), running("a"), approvalRequested("a"), edit, pending("a")), "a");
    expect(card).toMatchObject({ input: { path: "edited" }, inputEdited: true, state: "running" });
  });

  it("may come before its question: the card does not wait [R8]", () => {
    const state = fold(pending("a"), running("a"), approvalAnswered("a"), approvalRequested("a"));
    expect(shown(state)).toEqual(["a running"]);
  });

  it("does not answer another question [R3]", () => {
    const before = fold(running("a"), approvalRequested("a", { approvalId: "r" }));
    const after = reduceCards(before, approvalAnswered("a"));
    expect(shown(after)).toEqual(["a awaiting-approval"]);
    expect(diagnostics(after)).toEqual(["late-event"]);
  });

  it("makes no card for a call that nobody has heard of [R8]", () => {
    const state = fold(approvalAnswered("a"));
    expect(shown(state)).toEqual([]);
    expect(diagnostics(state)).toEqual(["unknown-call"]);
  });
});

describe("input-requested", () => {
  const asked = fold(pending("a"), running("a"), inputRequested("a"));

  it("makes its card await input until it is answered [R3]", () => {
    expect(cardOf(asked, "a")).toMatchObject({
      state: "awaiting-input",
      input: { path: "a.txt" },
      question: { inputId: "q", input: { ask: "which?" } },
      askedAt: 310,
    });
    const card = cardOf(foldOn(asked, inputAnswered("a", { by: "Ada" })), "a");
    expect(card).toMatchObject({ state: "running", question: { inputId: "q", answered: true, by: "Ada" }, answeredAt: 320 });
  });

  it("is not opened again by a replay, but by the next question [R3]", () => {
    const answered = foldOn(asked, inputAnswered("a"));
    expect(reduceCards(answered, inputRequested("a", { at: 999 }))).toBe(answered);
    expect(shown(foldOn(answered, inputRequested("a", { inputId: "r" })))).toEqual(["a awaiting-input"]);
  });

  it("ends when the call settles [R3]", () => {
    expect(shown(foldOn(asked, completed("a")))).toEqual(["a completed"]);
  });
});
