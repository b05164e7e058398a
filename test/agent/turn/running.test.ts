// running: the loop took the call up; the body is at work, or a person is asked first.
import type { ToolContext } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { ALLOW, echo, replies, slow, tool, write } from "./cast.ts";

/** What the body of the one call was handed. */
async function contextOf(more: object = {}): Promise<ToolContext> {
  const contexts: ToolContext[] = [];
  const script = oneRound({ wait: 100 }, call("a", "t"));
  await playTurn({ script, tools: [tool("t", (_input, context) => void contexts.push(context), more)] });
  return contexts[0] as ToolContext;
}

describe("a running call", () => {
  it("carries who it is and nothing else [row-12]", async () => {
    const { event } = await playTurn({ script: oneRound(call("a", "echo", { say: "x" })), tools: [echo] });
    const identity = { toolCallId: "a", name: "echo", round: 1, attempt: 1 };
    expect(event("a", "running")).toEqual({ type: "tool-call", status: "running", turnId: "turn", at: 0, seq: 6, ...identity });
  });

  it("is told before its body starts [row-12]", async () => {
    let told: readonly string[] = [];
    const look = (stage: { readonly events: readonly { readonly type: string }[] }) => [
      tool("t", () => {
        told = stage.events.map((event) => ("status" in event ? String(event.status) : event.type));
      }),
    ];
    await playTurn({ script: oneRound(call("a", "t")), tools: look });
    expect(told.at(-1)).toBe("running");
  });

  it("waits for a person with an open approval-requested [T3f]", async () => {
    const script = oneRound(call("a", "write"));
    const approver = replies({ a: { ms: 100, ...ALLOW } });
    const { words, event, ofType } = await playTurn({ script, tools: [write], approver });
    const life = words.slice(words.indexOf("running a"), words.indexOf("completed a") + 1);
    expect(life).toEqual(["running a", "approval-requested", "approval-answered", "completed a"]);
    expect(event("a", "running").at).toBe(0);
    expect(ofType("approval-answered")[0]?.at).toBe(100);
  });

  it("runs its body once [I12]", async () => {
    let bodies = 0;
    const counting = tool("t", () => ++bodies);
    await playTurn({ script: oneRound(call("a", "t")), tools: [counting] });
    expect(bodies).toBe(1);
  });
});

describe("the body's context", () => {
  it("names the call and gives a key for services that deduplicate [P2c]", async () => {
    expect(await contextOf()).toMatchObject({ toolCallId: "a", idempotencyKey: "a" });
  });

  it("has a signal that has not fired [P2c]", async () => {
    const { signal } = await contextOf();
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
  });

  it("gives the same signal at every read [P2c]", async () => {
    const context = await contextOf();
    expect(context.signal).toBe(context.signal);
  });

  it("has a deadline on the turn's clock exactly when the tool has a timeout [P2c, P4]", async () => {
    expect((await contextOf({ timeoutMs: 500 })).deadline).toBe(600);
    expect((await contextOf()).deadline).toBeUndefined();
  });
});

describe("progress", () => {
  it("is told while the body runs, member by member, without a seq [P2c, E0b]", async () => {
    const reporting = tool("t", (_input, { progress }) => typeof progress);
    const bound = tool("u", (_input, context) => {
      context.progress({ progress: 1, total: 3, message: "one", content: [{ type: "text", text: "so far" }] });
      context.progress({});
    });
    const { ofType } = await playTurn({ script: oneRound(call("a", "t"), call("b", "u")), tools: [reporting, bound] });
    const common = { type: "tool-call-progress", turnId: "turn", at: 0, toolCallId: "b" };
    const update = { progress: 1, total: 3, message: "one", content: [{ type: "text", text: "so far" }] };
    expect(ofType("tool-call-progress")).toEqual([{ ...common, ...update }, common]);
  });

  it("is not heard after the call settled [P2c, T2b]", async () => {
    const { ofType, words } = await playTurn({
      script: oneRound(call("a", "t"), call("b", "slow")),
      tools: (stage) => [
        tool("t", (_input, context) => {
          stage.clock.sleep(50).then(
            () => context.progress({ message: "late" }),
            () => undefined,
          );
        }),
        slow(stage, "slow", 100),
      ],
    });
    expect(ofType("tool-call-progress")).toEqual([]);
    expect(words.indexOf("completed a")).toBeLessThan(words.indexOf("running b"));
  });

  it("is not heard while a person is asked, because no body runs yet [T3f]", async () => {
    const { ofType } = await playTurn({
      script: oneRound(call("a", "write")),
      tools: [write],
      approver: replies({ a: { ms: 10, ...ALLOW } }),
    });
    expect(ofType("tool-call-progress")).toEqual([]);
  });
});
