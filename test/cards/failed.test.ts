// A failed card: the reason beside it, and one word for the host.
import { reduceCards } from "@callwire/cards";
import { EXECUTED, FAIL_REASONS, type FailReason } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { cardOf, completed, diagnostics, failed, fold, pending, preparing, running, shown } from "./events.ts";

const SHOWN_AS: { readonly [R in FailReason]: string } = {
  "unknown-tool": "failed",
  "invalid-arguments": "failed",
  denied: "denied",
  "no-approver": "failed",
  "approval-failed": "failed",
  "tool-error": "failed",
  timeout: "failed",
  cancelled: "cancelled",
  "cancelled-before-start": "cancelled",
  skipped: "cancelled",
  interrupted: "interrupted",
};

describe("failed", () => {
  it.each(FAIL_REASONS)("has a word for %s, and keeps the reason [E2f]", (reason) => {
    const card = cardOf(fold(pending("a"), running("a"), failed("a", { reason, executed: "no" })), "a");
    expect(card).toMatchObject({ status: "failed", state: SHOWN_AS[reason], reason, executed: "no", endedAt: 400 });
    expect(card.result).toBe("read failed: no such file");
  });

  it.each(EXECUTED)("tells whether the body ran: %s [E2f]", (executed) => {
    expect(cardOf(fold(running("a"), failed("a", { executed })), "a").executed).toBe(executed);
  });

  it("is the outcome of its own call only", () => {
    const state = fold(pending("a"), pending("b"), running("a"), failed("a"), running("b"), completed("b"));
    expect(shown(state)).toEqual(["a failed", "b completed"]);
  });

  it("makes one card for a tool that does not exist [R8]", () => {
    const gone = failed("a", { reason: "unknown-tool", name: "ghost" });
    const state = fold(preparing("a", { name: "ghost" }), pending("a", { name: "ghost" }), gone);
    expect(shown(state)).toEqual(["a failed"]);
  });

  it.each([
    ["an equal end", failed("a")],
    ["success", completed("a")],
    ["another failure", failed("a", { reason: "timeout" })],
  ])("is not changed by %s, which leaves a diagnostic [R8]", (_, event) => {
    const before = fold(pending("a"), running("a"), failed("a"));
    const after = reduceCards(before, event);
    expect(cardOf(after, "a")).toBe(cardOf(before, "a"));
    expect(diagnostics(after)).toEqual(["conflict"]);
  });
});
