// pending: the call is asked for, its arguments are complete, and everything a card needs before it runs is known.
import { defineTool } from "@callwire/agent/turn";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, replies, tool, write } from "./cast.ts";

const identity = { toolCallId: "a", name: "echo", round: 1, attempt: 1 };

describe("a pending call", () => {
  it("has the parsed arguments and nothing that does not apply [E2d]", async () => {
    const script = oneRound(call("a", "echo", { say: "hello" }, { early: false }));
    const { event } = await playTurn({ script, tools: [echo] });
    const bare = { type: "tool-call", status: "pending", turnId: "turn", at: 0, seq: 5, ...identity, input: { say: "hello" } };
    expect(event("a", "pending")).toEqual(bare);
    expect(Object.keys(event("a", "pending")).sort()).toEqual(Object.keys(bare).sort());
  });

  it("has title, kind and locations of its tool, and they stand in the result's meta too [P2d, T10b]", async () => {
    const read = defineTool({
      name: "read",
      description: "Reads",
      input: z.object({ path: z.string() }),
      title: ({ path }) => `Read ${String(path)}`,
      kind: "read",
      locations: ({ path }) => [{ path: String(path), line: 3 }],
      execute: () => "text",
    });
    const { event, block } = await playTurn({ script: oneRound(call("a", "read", { path: "x.txt" })), tools: [read] });
    const told = { title: "Read x.txt", kind: "read", locations: [{ path: "x.txt", line: 3 }] };
    expect(event("a", "pending")).toMatchObject(told);
    expect(block("a").meta).toMatchObject(told);
  });

  it("takes a title that is a plain word [P2d]", async () => {
    const { event } = await playTurn({ script: oneRound(call("a", "t")), tools: [tool("t", () => "ok", { title: "Works" })] });
    expect(event("a", "pending").title).toBe("Works");
  });

  it.each([
    ["throws", () => Promise.reject(new Error("unused")), "reported"],
    ["gives nothing", () => undefined, "silent"],
    ["gives what is none", () => 42, "silent"],
    ["gives a promise", () => Promise.resolve("late"), "silent"],
  ])("has no title and no locations when the tool's function %s [P2d]", async (how, give, expected) => {
    const odd = () => {
      if (how === "throws") throw new Error("broken");
      return give() as never;
    };
    const strange = tool("t", () => "ok", { title: odd, locations: odd });
    const { event, calls, reports } = await playTurn({ script: oneRound(call("a", "t")), tools: [strange] });
    expect(event("a", "pending")).not.toHaveProperty("title");
    expect(event("a", "pending")).not.toHaveProperty("locations");
    expect(calls).toEqual({ a: "preparing pending running completed" });
    expect(reports).toEqual(expected === "reported" ? ["t.title", "t.locations"] : []);
  });

  it("says that a person will be asked [E2d, T7h]", async () => {
    const script = oneRound(call("a", "write"), call("b", "echo", { say: "x" }));
    const { event } = await playTurn({ script, tools: [write, echo], approver: replies() });
    expect(event("a", "pending").needsApproval).toBe(true);
    expect(event("b", "pending")).not.toHaveProperty("needsApproval");
  });

  it("has input {} and the problem when the argument text was unusable [E2d, row-11, T5c]", async () => {
    const script = oneRound(call("a", "echo", {}, { args: undefined, argsText: '{"say": "hel' }));
    const { event, added, block } = await playTurn({ script, tools: [echo] });
    const pending = event("a", "pending");
    expect(pending.input).toEqual({});
    expect(pending.inputProblem).toMatch(/not valid JSON/);
    expect(pending.inputProblem).not.toContain("hel");
    expect(added[1]).toMatchObject({ content: [{ type: "tool_use", id: "a", name: "echo", input: {} }] });
    expect(block("a").meta?.inputProblem).toBe(pending.inputProblem);
  });

  it("has no title made from arguments that could not be read [E2d]", async () => {
    const titled = tool("t", () => "ok", {
      title: () => "made of nothing",
      locations: () => [{ path: "nothing" }],
      kind: "read",
    });
    const script = oneRound(call("a", "t", {}, { args: undefined, argsText: "[1]" }));
    const { event } = await playTurn({ script, tools: [titled] });
    expect(event("a", "pending")).toMatchObject({ kind: "read", inputProblem: expect.stringMatching(/array/) });
    expect(event("a", "pending")).not.toHaveProperty("title");
    expect(event("a", "pending")).not.toHaveProperty("locations");
  });

  it("is announced without a card before it when its identity came late [row-2]", async () => {
    const script = oneRound(call("a", "echo", { say: "x" }, { id: undefined }));
    const { event, calls } = await playTurn({ script, tools: [echo] });
    const [id = ""] = Object.keys(calls);
    expect(id).toMatch(/^call_/);
    expect(event(id, "pending")).not.toHaveProperty("preparedAt");
  });

  it("is told for names that nobody registered, with the name as the model wrote it [E2d]", async () => {
    const { event } = await playTurn({ script: oneRound(call("a", "no such tool!", { x: 1 })) });
    expect(event("a", "pending")).toMatchObject({ name: "no such tool!", input: { x: 1 } });
  });

  it("waits there for its turn [T3f]", async () => {
    const script = oneRound(call("a", "slow"), call("b", "echo", { say: "x" }));
    const slowly = ({ clock }: { readonly clock: { sleep(ms: number): Promise<void> } }) => [
      tool("slow", () => clock.sleep(100)),
      echo,
    ];
    const { event } = await playTurn({ script, tools: slowly });
    expect(event("b", "pending").at).toBe(0);
    expect(event("b", "running").at).toBe(100);
  });
});

describe("approval by rule", () => {
  it.each([
    ["is asked for when the rule says so", () => true, true],
    ["is not asked for when the rule says no", () => false, false],
    ["is asked for when the rule throws", () => JSON.parse("{"), true],
    ["is asked for when the rule says nothing", () => undefined, true],
  ])("%s [T7h]", async (_, rule, asked) => {
    const ruled = tool("t", () => "ok", { requiresApproval: rule as () => boolean });
    const { event, ofType } = await playTurn({ script: oneRound(call("a", "t")), tools: [ruled], approver: replies() });
    expect(event("a", "pending").needsApproval === true).toBe(asked);
    expect(ofType("approval-requested").length).toBe(asked ? 1 : 0);
  });

  it("sees the sanitised arguments, which can only make it ask more [T7h, T1c]", async () => {
    const seen: unknown[] = [];
    const rule = (input: object) => seen.push(input) > 0;
    const script = oneRound(call("a", "t", {}, { args: undefined, argsText: '{"path": "x", "__proto__": {"polluted": 1}}' }));
    await playTurn({ script, tools: [tool("t", () => "ok", { requiresApproval: rule })], approver: replies() });
    expect(seen).toEqual([{ path: "x" }]);
  });
});
