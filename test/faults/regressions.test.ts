// What random turns and enumerated faults found once, each as the smallest turn that shows it.
import { type Approver, type StandardSchema, type ToolOutput, toolOutput } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, oneRound, playTurn, type Stage } from "../kit/turn.ts";
import { steps, tool } from "./calls.ts";

const never = new Promise<never>(() => undefined);

describe("approval", () => {
  const gated = { requiresApproval: true };
  const script = oneRound(call("a", "first"), call("b", "free"), call("c", "second"));

  it("is asked for every gated call before anything starts, though asking for the first fails at once [T3c, T7f]", async () => {
    const ran: string[] = [];
    const body = (_input: unknown, { toolCallId }: { readonly toolCallId: string }) => ran.push(toolCallId);
    const approver: Approver = {
      ask: ({ toolCallId }) => {
        if (toolCallId === "a") throw new Error("the dialog is broken");
        return Promise.resolve({ answer: "deny" });
      },
    };
    const tools = [tool("first", body, gated), tool("free", body), tool("second", body, gated)];
    const { events } = await playTurn({ script, tools, approver });
    expect(ran).toEqual(["b"]);
    expect(steps(events).filter((step) => !/^(preparing|pending)/.test(step))).toEqual([
      "running a",
      "failed a approval-failed",
      "running c",
      "running b",
      "completed b",
      "failed c denied",
    ]);
  });

  it("counts one answer of a thenable that gives several, though the turn is aborted inside the first [T7a, T8d]", async () => {
    const thenable = {
      // biome-ignore lint/suspicious/noThenProperty: the point is a promise that is none
      then(resolve: (answer: { readonly answer: string }) => void) {
        queueMicrotask(() => {
          resolve({ answer: "allow" });
          resolve({ answer: "allow" });
        });
      },
    };
    const approver = { ask: () => thenable as unknown as ReturnType<Approver["ask"]> };
    const { events } = await playTurn({
      script,
      tools: [tool("first", () => "ran", gated)],
      approver,
      on: (event, stage) => {
        if (event.type === "approval-answered") stage.abort();
      },
    });
    expect(events.filter((event) => event.type === "approval-answered")).toHaveLength(1);
    expect(steps(events)).toContain("failed a cancelled-before-start");
  });

  it("fails closed when reading the answer throws [T7f]", async () => {
    const trap = Object.defineProperty({}, "answer", {
      get: () => {
        throw new Error("a trap");
      },
    });
    const approver = { ask: async () => trap as Awaited<ReturnType<Approver["ask"]>> };
    const { events } = await playTurn({
      script: oneRound(call("a", "first")),
      tools: [tool("first", () => "ran", gated)],
      approver,
    });
    expect(steps(events)).toContain("failed a approval-failed");
  });
});

describe("waiting", () => {
  it("for a schema that never answers ends with an abort [T8d, T8g]", async () => {
    const standard = { ...z.object({})["~standard"], validate: () => never };
    const input = { "~standard": standard } as unknown as StandardSchema;
    const script = [[{ text: "Let me see." }, call("a", "slow")]];
    const { events, result } = await playTurn({ script, tools: [tool("slow", () => "ran", { input })], abortAt: 5 });
    expect(steps(events)).toEqual(["preparing a", "discarded a"]);
    expect([result.stopReason, result.text]).toEqual(["cancelled", "Let me see."]);
  });

  /** A body that aborts its turn and never ends. */
  const hopeless = (stage: Stage) => () => {
    stage.abort();
    return never;
  };
  const broken = { now: () => 5, sleep: () => Promise.reject(new Error("the clock is broken")) };

  it("for a timeout on a clock that fails is over at once [T9b, P4]", async () => {
    const { events, result } = await playTurn({
      script: oneRound(call("a", "slow")),
      tools: [tool("slow", () => never, { timeoutMs: 50 })],
      clock: broken,
    });
    expect(steps(events)).toContain("failed a timeout");
    expect(result.stopReason).toBe("answered");
  });

  it("for the grace on a clock that fails is over at once [T8f, P4]", async () => {
    const { events } = await playTurn({
      script: oneRound(call("a", "slow")),
      tools: (stage) => [tool("slow", hopeless(stage))],
      clock: broken,
    });
    expect(steps(events)).toContain("failed a cancelled");
  });

  it("leaves no timer of a body that was left behind [T8f]", async () => {
    // `playTurn` refuses sleepers that are left when the turn has ended.
    const { events } = await playTurn({
      script: oneRound(call("a", "slow")),
      tools: (stage) => [tool("slow", hopeless(stage), { timeoutMs: 600_000 })],
      graceMs: 10,
    });
    expect(events.at(-1)?.at).toBe(10);
  });
});

describe("a tool", () => {
  const cyclic: Record<string, unknown> = Object.create(null);
  cyclic.self = cyclic;
  const odd: readonly (readonly [what: string, value: () => unknown])[] = [
    ["a value that has no text", () => cyclic],
    ["an output without a text", () => ({ ...toolOutput({}), text: undefined }) as unknown as ToolOutput],
    ["an output without images", () => ({ ...toolOutput({}), images: null }) as unknown as ToolOutput],
  ];

  it.each(odd)("that returns %s fails tool-error, executed yes [T2a, P2a]", async (_what, value) => {
    for (const body of [value, async () => value()]) {
      const { events } = await playTurn({ script: oneRound(call("a", "odd")), tools: [tool("odd", body)] });
      expect(steps(events).at(-1)).toBe("failed a tool-error");
    }
  });

  it("that throws something without words fails tool-error [P2b]", async () => {
    const { events } = await playTurn({
      script: oneRound(call("a", "odd")),
      tools: [tool("odd", () => Promise.reject(cyclic))],
    });
    const failed = events.find((event) => event.type === "tool-call" && event.status === "failed");
    expect(failed).toMatchObject({ result: "odd failed: something that cannot be put into words was thrown" });
  });

  it("that answers twice after it was left behind still refuses to overlap with itself [T9c]", async () => {
    const late = {
      // biome-ignore lint/suspicious/noThenProperty: the point is a promise that is none
      then(resolve: (value: string) => void, reject: (error: unknown) => void) {
        queueMicrotask(() => {
          resolve("once");
          resolve("twice");
          reject(new Error("thrice"));
        });
      },
    };
    const bodies = [late, never, "must not run"];
    const script = oneRound(call("a", "slow"), call("b", "slow"), call("c", "slow"));
    const { events } = await playTurn({ script, tools: [tool("slow", () => bodies.shift(), { timeoutMs: 5 })], graceMs: 0 });
    expect(steps(events).filter((step) => /completed|failed/.test(step))).toEqual([
      "completed a",
      "failed b timeout",
      "failed c tool-error",
    ]);
  });
});

describe("the host's clock", () => {
  it("cannot let a body start by aborting between running and the body [T8a]", async () => {
    const ran: string[] = [];
    let abort: (() => void) | undefined;
    const now = () => {
      abort?.();
      return 5;
    };
    const { events } = await playTurn({
      script: oneRound(call("a", "read")),
      tools: [tool("read", () => ran.push("ran"))],
      clock: { now, sleep: async () => undefined },
      on: (event, stage) => {
        if (event.type === "tool-call" && event.status === "running") abort = stage.abort;
      },
    });
    expect(ran).toEqual([]);
    expect(steps(events).at(-1)).toBe("failed a cancelled-before-start");
  });
});
