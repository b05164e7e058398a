// failed: each way in which a call does not end well has its reason, says whether the body ran, and tells the model in words.
import { defineTool, type TurnResult } from "@callwire/agent/turn";
import { type CallFailed, type Executed, type FailReason, ToolCallError } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, oneRound, type PlayedTurn, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { CANCEL, DENY, echo, fails, obedient, replies, slow, tool, write } from "./cast.ts";

interface Case {
  readonly reason: FailReason;
  readonly executed: Executed;
  readonly says: RegExp;
  readonly options: PlayOptions;
  readonly stop?: TurnResult["stopReason"];
}

const a = (name: string, args: object = {}) => oneRound(call("a", name, args));
const SAID = expect.anything();

/** Every reason in scope, once. */
const CASES: readonly Case[] = [
  {
    reason: "unknown-tool",
    executed: "no",
    says: /^Unknown tool "nope"\. Available: echo\.$/,
    options: { script: a("nope"), tools: [echo] },
  },
  {
    reason: "invalid-arguments",
    executed: "no",
    says: /^Invalid arguments for echo: say: /,
    options: { script: a("echo", { say: 5 }), tools: [echo] },
  },
  {
    reason: "denied",
    executed: "no",
    says: /^The user did not approve this call of write\. .*do not retry/,
    options: { script: a("write"), tools: [write], approver: replies({ a: DENY }) },
  },
  {
    reason: "no-approver",
    executed: "no",
    says: /^write needs approval and there is nobody to ask\./,
    options: { script: a("write"), tools: [write] },
  },
  {
    reason: "approval-failed",
    executed: "no",
    says: /^Asking for approval of write failed: the phone is dead\./,
    options: { script: a("write"), tools: [write], approver: replies({ a: { reply: new Error("the phone is dead") } }) },
  },
  { reason: "tool-error", executed: "yes", says: /^fails failed: no luck$/, options: { script: a("fails"), tools: [fails] } },
  {
    reason: "timeout",
    executed: "unknown",
    says: /^tool call timed out after 50ms/i,
    options: { script: a("slow"), tools: (stage) => [slow(stage, "slow", 10_000, { timeoutMs: 50 })] },
  },
  {
    reason: "cancelled",
    executed: "unknown",
    says: /may have taken effect/,
    options: { script: a("slow"), tools: (stage) => [obedient(stage, "slow", 10_000)], abortAt: 50 },
    stop: "cancelled",
  },
  {
    reason: "cancelled-before-start",
    executed: "no",
    says: /^Tool call cancelled before it ran\.$/,
    options: { script: a("write"), tools: [write], approver: replies({ a: {} }), abortAt: 50 },
    stop: "cancelled",
  },
  {
    reason: "skipped",
    executed: "no",
    says: /^write was skipped: another call of this round was not approved\.$/,
    options: {
      script: oneRound(call("z", "write"), call("a", "write")),
      tools: [write],
      approver: replies({ z: CANCEL, a: {} }),
    },
    stop: "stopped",
  },
  {
    reason: "interrupted",
    executed: "unknown",
    says: /^The turn ended before the provider reported a result/,
    options: { script: [[{ providerCall: { id: "a", name: "search" } }, { stop: "pause" }]], maxRounds: 1 },
    stop: "max-rounds",
  },
];

describe.each(CASES)(
  "a call that fails: $reason, executed $executed",
  ({ reason, executed, says, options, stop = "answered" }) => {
    it("says so in its event [E2f, fail-unknown-tool, fail-invalid-arguments, fail-denied, fail-no-approver, fail-approval-failed]", async () => {
      const { event } = await playTurn(options);
      const { at, seq, name, ...told } = event("a", "failed");
      expect([at, seq, name]).toEqual([SAID, SAID, SAID]);
      const rest = { type: "tool-call", status: "failed", turnId: "turn", toolCallId: "a", round: 1, attempt: 1 };
      expect(told).toEqual({ ...rest, result: expect.stringMatching(says), reason, executed });
    });

    it("goes pending, running, failed, whatever the reason [fail-tool-error, fail-timeout, fail-cancelled, fail-cancelled-before-start]", async () => {
      const { calls } = await playTurn(options);
      expect(calls.a).toBe("preparing pending running failed");
    });

    it("tells the model the same words, as an error, with the facts beside them [T2a, T10b, fail-skipped, fail-interrupted]", async () => {
      const { event, block } = await playTurn(options);
      expect(block("a")).toMatchObject({ is_error: true, content: [{ type: "text", text: event("a", "failed").result }] });
      expect(block("a").meta).toMatchObject({ round: 1, reason, executed });
    });

    it("is the call's own outcome: the turn ends as it would [T12a]", async () => {
      const { result } = await playTurn(options);
      expect(result.stopReason).toBe(stop);
      expect(result.error).toBeUndefined();
    });
  },
);

describe("an unknown tool", () => {
  it("is not looked up in the prototype of anything [row-13]", async () => {
    const { event } = await playTurn({ script: a("toString"), tools: [echo] });
    expect(event("a", "failed")).toMatchObject({ reason: "unknown-tool" });
  });

  it("is answered with the list of names, clamped like any result [row-13, P8b]", async () => {
    const many = Array.from({ length: 100 }, (_, i) => tool(`tool-${i}`, () => "ok"));
    const { event } = await playTurn({ script: a("nope"), tools: many, maxToolResultChars: 100 });
    expect(event("a", "failed").result).toMatch(
      /^Unknown tool "nope"\. Available: tool-0, tool-1.*… \[truncated, \d+ chars total\]$/,
    );
    expect(event("a", "failed").result).toHaveLength(100);
  });

  it("is answered with none when there are no tools [row-13]", async () => {
    const { event } = await playTurn({ script: a("nope") });
    expect(event("a", "failed").result).toBe('Unknown tool "nope". Available: none.');
  });
});

describe("invalid arguments", () => {
  it("are named with their place, without the schema's noise [row-14]", async () => {
    const deep = defineTool({
      name: "t",
      description: "",
      input: z.object({ list: z.array(z.object({ n: z.number() })) }),
      execute: () => "ok",
    });
    const { event } = await playTurn({ script: a("t", { list: [{ n: 1 }, { n: "x" }] }), tools: [deep] });
    expect(event("a", "failed").result).toMatch(/^Invalid arguments for t: list\.1\.n: .*number/);
  });

  it("are listed up to eight problems [row-14]", async () => {
    const shape = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, z.string()]));
    const { event } = await playTurn({
      script: a("t"),
      tools: [defineTool({ name: "t", description: "", input: z.object(shape), execute: () => "ok" })],
    });
    expect(event("a", "failed").result).toMatch(/p7: [^;]*; and 12 more$/);
  });

  it("let good siblings run [row-14]", async () => {
    const script = oneRound(call("a", "echo", { say: 1 }), call("b", "echo", { say: "fine" }));
    const { calls, event } = await playTurn({ script, tools: [echo] });
    expect(calls.a).toMatch(/failed$/);
    expect(event("b", "completed").result).toBe("fine");
  });
});

describe("a body that throws", () => {
  /** The failed event of a body that throws this, at once or later. */
  async function thrown(value: unknown): Promise<readonly CallFailed[]> {
    const atOnce = tool("t", () => {
      throw value;
    });
    const later = tool("t", () => Promise.reject(value));
    const turns: PlayedTurn[] = [];
    for (const body of [atOnce, later]) turns.push(await playTurn({ script: a("t"), tools: [body] }));
    return turns.map(({ event }) => event("a", "failed"));
  }

  it("a ToolCallError fails in exactly its words [P2b, row-19]", async () => {
    for (const event of await thrown(new ToolCallError("No such file: x.txt"))) {
      expect(event).toMatchObject({ reason: "tool-error", executed: "yes", result: "No such file: x.txt" });
    }
  });

  it.each([
    ["an error", new TypeError("broken"), "t failed: broken"],
    ["an error without words", new RangeError(), "t failed: RangeError"],
    ["a string", "just words", "t failed: just words"],
    ["nothing", undefined, "t failed: undefined"],
    ["null", null, "t failed: null"],
    ["an object", { code: 7 }, 't failed: {"code":7}'],
    ["an object with a message", { message: "odd" }, "t failed: odd"],
    ["a symbol", Symbol("s"), "t failed: Symbol(s)"],
    [
      "an abort that nobody asked for",
      new DOMException("The operation was aborted.", "AbortError"),
      "t failed: The operation was aborted.",
    ],
    ["a revoked proxy", revoked(), "t failed: something that cannot be put into words was thrown"],
  ])("%s fails with its words after the tool's name [P2b, row-19]", async (_, value, result) => {
    for (const event of await thrown(value)) expect(event).toMatchObject({ reason: "tool-error", executed: "yes", result });
  });

  it("changes nothing for its siblings [row-19]", async () => {
    const script = oneRound(call("a", "fails"), call("b", "echo", { say: "fine" }));
    const { event, result } = await playTurn({ script, tools: [fails, echo] });
    expect(event("b", "completed").result).toBe("fine");
    expect(result.text).toBe("Done.");
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
