// A pending card: the arguments are complete, and everything that the host shows of the call is there.
import { cards, reduceCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import {
  approvalAnswered,
  approvalRequested,
  cardOf,
  completed,
  failed,
  fold,
  pending,
  preparing,
  running,
  shown,
} from "./events.ts";

const WHOLE = {
  title: "Read a.txt",
  kind: "read",
  locations: [{ path: "a.txt", line: 3 }],
  needsApproval: true,
  preparedAt: 90,
  providerExecuted: true,
} as const;

describe("pending", () => {
  it("creates a card that was never prepared [R8]", () => {
    expect(cardOf(fold(pending("a")), "a")).toEqual({
      toolCallId: "a",
      name: "read",
      status: "pending",
      state: "pending",
      input: { path: "a.txt" },
      turnId: "turn",
      round: 1,
      attempt: 1,
      pendingAt: 200,
    });
  });

  it("tells all that a host shows of the call [R8]", () => {
    expect(cardOf(fold(preparing("a"), pending("a", WHOLE)), "a")).toMatchObject({ ...WHOLE, input: { path: "a.txt" } });
  });

  it("shows why unusable arguments could not be used [E2d]", () => {
    const card = cardOf(fold(preparing("a"), pending("a", { input: {}, inputProblem: "no JSON" })), "a");
    expect(card).toMatchObject({ input: {}, inputProblem: "no JSON" });
  });

  it("changes nothing the second time [R8]", () => {
    const before = fold(pending("a"));
    expect(reduceCards(before, pending("a", { at: 999, input: { path: "other" } }))).toBe(before);
  });

  it.each([
    ["running", [running("a")]],
    ["completed", [completed("a")]],
    ["failed", [running("a"), failed("a")]],
  ])("fills in what is unknown when the call is %s, and moves it nowhere [R8]", (state, events) => {
    const card = cardOf(fold(...events, pending("a", WHOLE)), "a");
    expect(card).toMatchObject({ ...WHOLE, state, input: { path: "a.txt" }, pendingAt: 200 });
  });

  it("does not overwrite what is known of a running or settled call [R8]", () => {
    const edited = fold(running("a", { input: { path: "edited" } }), pending("a"));
    expect(cardOf(edited, "a")).toMatchObject({ input: { path: "edited" }, inputEdited: true });
    const before = fold(pending("a"), running("a"), completed("a"));
    expect(cardOf(reduceCards(before, pending("a", { at: 999, input: {} })), "a")).toBe(cardOf(before, "a"));
  });

  it("keeps the order of first evidence, whatever order the calls are announced in [R9]", () => {
    expect(shown(fold(preparing("a"), preparing("b"), pending("b"), pending("a")))).toEqual(["a pending", "b pending"]);
    const late = fold(completed("b"), pending("a"), pending("b"));
    expect(cards(late).map((card) => card.toolCallId)).toEqual(["b", "a"]);
  });

  it("is filled in by the question about the call", () => {
    const asked = approvalRequested("a", { title: "Read", kind: "read", locations: [{ path: "a" }] });
    const card = cardOf(fold(preparing("a"), asked, approvalAnswered("a")), "a");
    expect(card).toMatchObject({ title: "Read", kind: "read", locations: [{ path: "a" }], input: { path: "a.txt" } });
  });
});
