// T1: an accepted answer is announced whole, in one block, before anything of it runs.
import { isToolCall, type TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, fails, replies, slow, tool, write } from "./cast.ts";

const three = oneRound(
  { text: "Look: " },
  call("a", "slow"),
  call("b", "nope"),
  call("c", "echo", { say: 5 }),
  call("d", "write"),
  call("e", "echo", { say: "x" }),
);

describe("the announcement of a round", () => {
  it("is its message, then every pending in the model's order, then the first running [T1a, T3c, row-12]", async () => {
    const { words } = await playTurn({
      script: three,
      tools: (stage) => [slow(stage, "slow", 10), echo, write],
      approver: replies(),
    });
    const from = words.indexOf("message", words.indexOf("round-usage"));
    const block = [
      "message",
      "pending a",
      "pending b",
      "pending c",
      "pending d",
      "pending e",
      "running d",
      "approval-requested",
      "running a",
    ];
    expect(words.slice(from, from + 9)).toEqual(block);
  });

  it("is one synchronous block: no promise gets a turn between its events [T1a]", async () => {
    const moments: (readonly [number, string])[] = [];
    let moment = 0;
    const tick = async () => {
      for (let i = 0; i < 2_000; i++) {
        await undefined;
        moment++;
      }
    };
    const on = (event: TurnEvent) => {
      if (event.type === "turn-start") tick().catch(() => undefined);
      const word = isToolCall(event) ? event.status : event.type === "message" ? event.message.role : "";
      moments.push([moment, word]);
    };
    await playTurn({ script: three, tools: (stage) => [slow(stage, "slow", 10), echo, write], approver: replies(), on });
    const announced = moments.filter(([, word]) => word === "pending" || word === "assistant").slice(0, 6);
    expect(announced.map(([, word]) => word)).toEqual(["assistant", "pending", "pending", "pending", "pending", "pending"]);
    expect(new Set(announced.map(([at]) => at)).size).toBe(1);
  });

  it("names the same calls in the message and in the pendings [T1a]", async () => {
    const { added, ofType } = await playTurn({
      script: three,
      tools: (stage) => [slow(stage, "slow", 10), echo, write],
      approver: replies(),
    });
    const uses = added
      .flatMap((message) => (message.role === "assistant" ? message.content : []))
      .filter((block) => block.type === "tool_use");
    const pending = ofType("tool-call").filter((event) => event.status === "pending");
    expect(uses.map(({ id, name, input }) => [id, name, input])).toEqual(
      pending.map(({ toolCallId, name, input }) => [toolCallId, name, input]),
    );
  });

  it("comes after everything that the answer withdraws [T1b, I3]", async () => {
    const twice = oneRound(call("a", "echo", { say: "x" }), call("a", "echo", { say: "x" }), call("b", "echo", { say: "y" }));
    const { words } = await playTurn({ script: twice, tools: [echo] });
    expect(words.indexOf("discarded a_2")).toBeLessThan(words.indexOf("pending a"));
    expect(words.lastIndexOf("preparing b")).toBeLessThan(words.indexOf("pending a"));
  });

  it("happens in every round anew [T1a]", async () => {
    const script = [
      [call("a", "echo", { say: "1" })],
      [call("b", "echo", { say: "2" }), call("c", "echo", { say: "3" })],
      [{ text: "Done." }],
    ];
    const { words } = await playTurn({ script, tools: [echo] });
    const calls = words.filter((word) => !word.startsWith("preparing") && word.includes(" "));
    const second = ["pending b", "pending c", "running b", "completed b", "running c", "completed c"];
    expect(calls).toEqual(["pending a", "running a", "completed a", ...second]);
  });
});

describe("the check of a call", () => {
  it("comes before its pending: what will be refused is never put to a person [T1e, T7g]", async () => {
    const guarded = tool("guarded", () => "ok", { requiresApproval: true, input: { type: "object", required: ["path"] } });
    const asked: string[] = [];
    const approver = {
      ask: async ({ toolCallId }: { readonly toolCallId: string }) => {
        asked.push(toolCallId);
        return { answer: "allow" as const };
      },
    };
    const script = oneRound(
      call("a", "guarded"),
      call("b", "guarded", {}, { args: undefined, argsText: "{" }),
      call("c", "nope"),
      call("d", "guarded", { path: "x" }),
    );
    const { event, calls } = await playTurn({ script, tools: [guarded], approver });
    for (const id of ["a", "b", "c"]) {
      expect(event(id, "pending")).not.toHaveProperty("needsApproval");
      expect(calls[id]).toBe("preparing pending running failed");
    }
    expect(asked).toEqual(["d"]);
  });

  it("may wait for a schema that waits, and holds the whole announcement [T1e, T1a]", async () => {
    const waiting = (stage: { readonly clock: { sleep(ms: number): Promise<void> } }) => ({
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: async (value: unknown) => {
          await stage.clock.sleep(30);
          return (value as { readonly ok?: boolean }).ok ? { value } : { issues: [{ message: "not ok", path: ["ok"] }] };
        },
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    });
    const script = oneRound(call("a", "echo", { say: "x" }), call("b", "t", { ok: true }), call("c", "t", { ok: false }));
    const { event } = await playTurn({ script, tools: (stage) => [echo, tool("t", () => "fine", { input: waiting(stage) })] });
    expect(event("a", "pending").at).toBe(30);
    expect(event("b", "completed")).toMatchObject({ at: 30, result: "fine" });
    expect(event("c", "failed").result).toBe("Invalid arguments for t: ok: not ok");
  });
});

describe("the results of a round", () => {
  it("are one message that follows the last terminal [T1f]", async () => {
    const script = oneRound(call("a", "slow"), call("b", "fails"), call("c", "echo", { say: "x" }));
    const { words, added } = await playTurn({ script, tools: (stage) => [slow(stage, "slow", 10), fails, echo] });
    const last = Math.max(words.indexOf("completed a"), words.indexOf("failed b"), words.indexOf("completed c"));
    expect(words[last + 1]).toBe("message");
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(added[2]).toMatchObject({ content: [{ tool_use_id: "a" }, { tool_use_id: "b" }, { tool_use_id: "c" }] });
  });

  it("stand in the request of the next round [T1f, T10a]", async () => {
    const { requests, added } = await playTurn({ script: oneRound(call("a", "echo", { say: "x" })), tools: [echo] });
    expect(requests[1]?.messages).toEqual(added.slice(0, 3));
  });
});

describe("the message of an answer", () => {
  it("has text, reasoning and calls where the model put them [T1a]", async () => {
    const script = oneRound(
      { reasoning: "Think. " },
      { reasoning: "More." },
      { text: "First " },
      { text: "this." },
      call("a", "echo", { say: "1" }),
      { reasoning: { type: "reasoning", text: "Sealed.", payload: { sig: "s" } } },
      { text: "Then that." },
      call("b", "echo", { say: "2" }),
    );
    const { added } = await playTurn({ script, tools: [echo] });
    expect(added[1]?.content).toEqual([
      { type: "reasoning", text: "Think. More." },
      { type: "text", text: "First this." },
      { type: "tool_use", id: "a", name: "echo", input: { say: "1" } },
      { type: "reasoning", text: "Sealed.", payload: { sig: "s" } },
      { type: "text", text: "Then that." },
      { type: "tool_use", id: "b", name: "echo", input: { say: "2" } },
    ]);
  });

  it("has a text of its own after each call, and a thought of its own after a sealed one [T1a]", async () => {
    const sealed = { type: "reasoning" as const, text: "Sealed.", payload: "c2VhbGVk" };
    const steps = [
      { text: "One " },
      call("a", "echo", { say: "1" }),
      { text: "two." },
      { reasoning: sealed },
      { reasoning: "Open." },
    ];
    const { added } = await playTurn({ script: oneRound(...steps), tools: [echo] });
    expect(added[1]?.content).toMatchObject([
      { type: "text", text: "One " },
      { type: "tool_use" },
      { type: "text", text: "two." },
      sealed,
      { type: "reasoning", text: "Open." },
    ]);
  });

  it("keeps a call's payload for its provider [T1a]", async () => {
    const script = oneRound(call("a", "echo", { say: "1" }, { payload: { signature: "xyz" } }));
    const { added } = await playTurn({ script, tools: [echo] });
    expect(added[1]?.content).toEqual([
      { type: "tool_use", id: "a", name: "echo", input: { say: "1" }, payload: { signature: "xyz" } },
    ]);
  });

  it("does not exist for an answer of reasoning alone [T11a]", async () => {
    const { added, result } = await playTurn({ script: [[{ reasoning: "Hm." }]] });
    expect(added.map(({ role }) => role)).toEqual(["user"]);
    expect(result).toMatchObject({ stopReason: "answered", text: "", rounds: 1 });
  });
});
