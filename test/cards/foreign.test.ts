// Tool-call events of Workglow's own AgentTask: four statuses, no turn, no time, no round, no reason.
import { cards, countCards, endCards } from "@callwire/cards";
import { describe, expect, it } from "vitest";
import { attemptDiscarded, cardOf, fold, shown, turnEnd } from "./events.ts";

function foreign(status: string, toolCallId: string, more: object = {}) {
  return { type: "tool-call", toolCallId, name: "search", status, ...more };
}

const LOG = [
  foreign("pending", "call_0", { input: { q: "one" } }),
  foreign("pending", "call_1", { input: { q: "two" } }),
  foreign("running", "call_0"),
  foreign("completed", "call_0", { result: "found" }),
  foreign("running", "call_1"),
  foreign("failed", "call_1", { result: "search failed: offline" }),
];

describe("Workglow's own tool-call events", () => {
  it("give the whole card [R7]", () => {
    const state = fold(...LOG);
    expect(cards(state)).toEqual([
      { toolCallId: "call_0", name: "search", status: "completed", state: "completed", input: { q: "one" }, result: "found" },
      {
        toolCallId: "call_1",
        name: "search",
        status: "failed",
        state: "failed",
        input: { q: "two" },
        result: "search failed: offline",
      },
    ]);
    expect(state.diagnosticCount).toBe(0);
  });

  it("go through the four states in their order [R7]", () => {
    expect(LOG.map((_, i) => shown(fold(...LOG.slice(0, i + 1))))).toEqual([
      ["call_0 pending"],
      ["call_0 pending", "call_1 pending"],
      ["call_0 running", "call_1 pending"],
      ["call_0 completed", "call_1 pending"],
      ["call_0 completed", "call_1 running"],
      ["call_0 completed", "call_1 failed"],
    ]);
  });

  it("belong to no turn: only the end of the source ends them [R7]", () => {
    const open = fold(...LOG.slice(0, 3), turnEnd(), attemptDiscarded());
    expect(shown(open)).toEqual(["call_0 running", "call_1 pending"]);
    expect(shown(endCards(open))).toEqual(["call_0 interrupted", "call_1 interrupted"]);
  });

  it("are counted like others [R7]", () => {
    expect(countCards(fold(...LOG))).toMatchObject({ total: 2, completed: 1, failed: 1, open: 0 });
  });

  it("keep the arguments of a call whose result comes first [R7]", () => {
    const card = cardOf(fold(foreign("completed", "a", { result: "x" }), foreign("pending", "a", { input: { q: 1 } })), "a");
    expect(card).toMatchObject({ state: "completed", input: { q: 1 }, result: "x" });
  });
});
