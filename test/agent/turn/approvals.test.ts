// T7: a person is asked once, with what is shown; anything but a clear yes means no.
import { defineTool } from "@callwire/agent/turn";
import type { ApprovalRequest, Approver } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { ALLOW, CANCEL, DENY, echo, replies, slow, tool, write } from "./cast.ts";

const one = oneRound(call("a", "write"));
const asking = (ask: Approver["ask"]): Approver => ({ ask });
const yes = async () => ({ answer: "allow" as const });

describe("the question", () => {
  const remove = defineTool({
    name: "remove",
    description: "Removes",
    input: z.object({ path: z.string(), force: z.boolean().default(true) }),
    title: ({ path }) => `Remove ${String(path)}`,
    kind: "delete",
    locations: ({ path }) => [{ path: String(path) }],
    reach: ["filesystem"],
    requiresApproval: true,
    execute: () => "removed",
  });
  const script = oneRound(call("a", "remove", { path: "x.txt" }));
  const shown = {
    approvalId: "m3",
    toolCallId: "a",
    name: "remove",
    input: { path: "x.txt" },
    title: "Remove x.txt",
    kind: "delete",
    locations: [{ path: "x.txt" }],
    reach: ["filesystem"],
  };

  it("has what is shown, the same in the event and for the approver [P3a]", async () => {
    const asked: ApprovalRequest[] = [];
    const approver = asking(async (request) => {
      asked.push(request);
      return { answer: "allow" };
    });
    const { ofType } = await playTurn({ script, tools: [remove], approver });
    expect(asked).toEqual([shown]);
    expect(ofType("approval-requested")).toEqual([{ type: "approval-requested", turnId: "turn", at: 0, seq: 7, ...shown }]);
  });

  it("leaves out what the tool does not say [P3a]", async () => {
    const { ofType } = await playTurn({ script: one, tools: [write], approver: asking(yes) });
    const { type, turnId, at, seq, ...rest } = ofType("approval-requested")[0] ?? {};
    expect(rest).toEqual({ approvalId: "m3", toolCallId: "a", name: "write", input: {} });
  });

  it("has an id of its own for each call [P3a]", async () => {
    const { ofType } = await playTurn({
      script: oneRound(call("a", "write"), call("b", "write")),
      tools: [write],
      approver: asking(yes),
    });
    const ids = ofType("approval-requested").map(({ approvalId }) => approvalId);
    expect(new Set(ids).size).toBe(2);
    expect(ofType("approval-answered").map(({ approvalId }) => approvalId)).toEqual(ids);
  });

  it("has a signal that fires when the turn is cancelled [P3a, row-25]", async () => {
    let signal: AbortSignal | undefined;
    const approver = asking((_request, options) => {
      signal = options.signal;
      return new Promise(() => undefined);
    });
    await playTurn({ script: one, tools: [write], approver, abortAt: 10 });
    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toMatchObject({ name: "AbortError" });
  });

  it("is withdrawn when another answer ends the round [P3a, T7d]", async () => {
    const signals = new Map<string, AbortSignal>();
    const approver = asking(async ({ toolCallId }, { signal }) => {
      signals.set(toolCallId, signal);
      return toolCallId === "a" ? { answer: "cancel" } : new Promise(() => undefined);
    });
    await playTurn({ script: oneRound(call("a", "write"), call("b", "write")), tools: [write], approver });
    expect(signals.get("b")?.aborted).toBe(true);
    expect(signals.get("a")?.aborted).toBe(false);
  });
});

describe("an answer", () => {
  it("that allows lets the call run, and says who answered [T7a]", async () => {
    const { calls, ofType } = await playTurn({
      script: one,
      tools: [write],
      approver: asking(async () => ({ answer: "allow", by: "ada" })),
    });
    expect(calls).toEqual({ a: "preparing pending running completed" });
    const answer = { approvalId: "m3", toolCallId: "a", answer: "allow", by: "ada" };
    expect(ofType("approval-answered")).toEqual([{ type: "approval-answered", turnId: "turn", at: 0, seq: 8, ...answer }]);
  });

  it("that denies fails the call; its siblings run and the turn goes on [T7b, row-15]", async () => {
    const script = oneRound(call("a", "write"), call("b", "echo", { say: "x" }), call("c", "write"));
    const { event, result, ofType } = await playTurn({ script, tools: [write, echo], approver: replies({ a: DENY }) });
    expect(event("a", "failed")).toMatchObject({ reason: "denied", executed: "no" });
    expect(event("b", "completed").result).toBe("x");
    expect(event("c", "completed").result).toBe("written");
    expect(result).toMatchObject({ stopReason: "answered", text: "Done." });
    expect(ofType("approval-answered")[0]?.answer).toBe("deny");
  });

  it("that denies skips what has not started, by option; the turn goes on [T7c, row-22, fail-skipped]", async () => {
    const script = oneRound(call("s", "s"), call("a", "write"), call("b", "echo", { say: "x" }), call("c", "write"));
    const { calls, event, result, ofType } = await playTurn({
      script,
      tools: (stage) => [slow(stage, "s", 100), write, echo],
      approver: replies({ a: { ms: 10, ...DENY }, c: { ms: 50, ...ALLOW } }),
      onDenied: "stop-round",
    });
    expect(event("s", "completed").at).toBe(100);
    expect(event("a", "failed").reason).toBe("denied");
    for (const id of ["b", "c"]) {
      expect(calls[id]).toBe("preparing pending running failed");
      expect(event(id, "failed")).toMatchObject({ at: 10, reason: "skipped", executed: "no" });
      expect(event(id, "failed").result).toMatch(/was skipped: another call of this round was not approved/);
    }
    expect(result.stopReason).toBe("answered");
    expect(ofType("approval-answered").map(({ toolCallId }) => toolCallId)).toEqual(["a"]);
  });

  it("that cancels denies the call, skips the rest and ends the turn stopped [T7d, T12a]", async () => {
    const script = oneRound(call("s", "s"), call("a", "write"), call("b", "echo", { say: "x" }));
    const { event, result, requests, added } = await playTurn({
      script,
      tools: (stage) => [slow(stage, "s", 100), write, echo],
      approver: replies({ a: { ms: 10, ...CANCEL } }),
    });
    expect(event("s", "completed").at).toBe(100);
    expect(event("a", "failed")).toMatchObject({ reason: "denied", executed: "no" });
    expect(event("b", "failed")).toMatchObject({ reason: "skipped", executed: "no" });
    expect(result).toMatchObject({ stopReason: "stopped", rounds: 1 });
    expect(requests).toHaveLength(1);
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  it("does not skip a call whose body is at work [T7c, T7d]", async () => {
    const script = oneRound(call("w", "work"), call("a", "write"));
    const { calls } = await playTurn({
      script,
      tools: (stage) => [slow(stage, "work", 100, { requiresApproval: true }), write],
      approver: replies({ w: ALLOW, a: { ms: 50, ...CANCEL } }),
    });
    expect(calls.w).toBe("preparing pending running completed");
  });

  it("that comes late is ignored [row-25]", async () => {
    for (const late of [ALLOW, DENY, CANCEL, { reply: new Error("late") }]) {
      const { event, ofType, result } = await playTurn({
        script: one,
        tools: [write],
        approver: replies({ a: { ms: 500, ...late } }),
        abortAt: 50,
      });
      expect(event("a", "failed")).toMatchObject({ at: 50, reason: "cancelled-before-start" });
      expect(ofType("approval-answered")).toEqual([]);
      expect(result.stopReason).toBe("cancelled");
    }
  });

  it("that comes twice counts once [T7a, I12]", async () => {
    let bodies = 0;
    const counting = tool("write", () => ++bodies, { requiresApproval: true });
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    const twice = { then: (resolve: (value: unknown) => void) => void ["deny", "allow"].map((answer) => resolve({ answer })) };
    const { ofType } = await playTurn({ script: one, tools: [counting], approver: asking(() => twice as never) });
    expect(bodies).toBe(0);
    expect(ofType("approval-answered").map(({ answer }) => answer)).toEqual(["deny"]);
  });
});

describe("nobody who says yes", () => {
  it("means no: there is no approver [T7e, row-16]", async () => {
    const { event, ofType } = await playTurn({ script: one, tools: [write] });
    expect(event("a", "failed")).toMatchObject({ reason: "no-approver", executed: "no" });
    expect(ofType("approval-requested")).toEqual([]);
  });

  it.each<[string, Approver["ask"]]>([
    ["rejects", () => Promise.reject(new Error("the phone is dead"))],
    [
      "throws",
      () => {
        throw new Error("the phone is dead");
      },
    ],
    ["answers nothing", async () => undefined as never],
    ["answers null", async () => null as never],
    ["answers a word", async () => "allow" as never],
    ["answers yes", async () => ({ answer: "yes" }) as never],
    ["answers true", async () => ({ answer: true }) as never],
    ["returns no promise", () => 5 as never],
    [
      "has an answer that cannot be read",
      async () => Object.defineProperty({}, "answer", { get: () => JSON.parse("{") }) as never,
    ],
  ])("means no: the approver %s [T7f, row-17, fail-approval-failed]", async (_, ask) => {
    const script = oneRound(call("a", "write"), call("b", "echo", { say: "x" }));
    const { event, result } = await playTurn({ script, tools: [write, echo], approver: asking(ask) });
    expect(event("a", "failed")).toMatchObject({ reason: "approval-failed", executed: "no" });
    expect(event("a", "failed").result).toMatch(/^Asking for approval of write failed: .+\. It was not run\.$/);
    expect(event("b", "completed").result).toBe("x");
    expect(result.stopReason).toBe("answered");
  });

  it("means no: the approver is no approver [T7f]", async () => {
    const { event } = await playTurn({ script: one, tools: [write], approver: {} as Approver });
    expect(event("a", "failed")).toMatchObject({ reason: "approval-failed" });
  });

  it("does not run edited arguments that it cannot check yet [T7f]", async () => {
    const edited: PlayOptions = {
      script: one,
      tools: [write],
      approver: asking(async () => ({ answer: "allow", input: { path: "/" } })),
    };
    const { event } = await playTurn(edited);
    expect(event("a", "failed")).toMatchObject({ reason: "approval-failed", executed: "no" });
  });
});
