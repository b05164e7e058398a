// preparing: a call is shown the moment its id and name are known, and nothing of its arguments is.
import type { Model } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo } from "./cast.ts";

const hello = call("a", "echo", { say: "hello" }, { fragment: 4 });

/** A model that pushes whatever the test says, then ends with one call in slot 0. */
function pushing(push: (sink: Parameters<Model["run"]>[1]) => void): Model {
  return {
    name: "pushing",
    async run({ round }, sink) {
      if (round > 1) return { stop: "end", calls: [] };
      push(sink);
      return { stop: "tool-calls", calls: [{ slot: 0, id: "a", name: "echo", input: { say: "x" } }] };
    },
  };
}

describe("a call whose id and name are known", () => {
  it("is preparing before its arguments are complete [row-1, P1a]", async () => {
    const { words } = await playTurn({
      script: oneRound({ text: "Hm. " }, hello, { text: "So." }),
      tools: [echo],
      argumentDeltas: true,
    });
    const before = words.slice(words.indexOf("preparing a"), words.indexOf("pending a"));
    expect(before.slice(0, 5)).toEqual([
      "preparing a",
      "tool-call-delta",
      "tool-call-delta",
      "tool-call-delta",
      "tool-call-delta",
    ]);
    expect(before).toContain("text-delta");
  });

  it("carries who it is and nothing else [E2b, I10]", async () => {
    const { event } = await playTurn({ script: oneRound(hello), tools: [echo] });
    const identity = { toolCallId: "a", name: "echo", round: 1, attempt: 1 };
    expect(event("a", "preparing")).toEqual({ type: "tool-call", status: "preparing", turnId: "turn", at: 0, ...identity });
  });

  it("has its input in no event before its pending [I10]", async () => {
    const { events, words } = await playTurn({ script: oneRound(hello), tools: [echo] });
    const before = events.slice(0, words.lastIndexOf("message", words.indexOf("pending a")));
    expect(words.indexOf("preparing a")).toBeLessThan(before.length);
    expect(JSON.stringify(before)).not.toContain("hello");
  });

  it("is told without a seq, because nobody stores it [E0b]", async () => {
    const { event, ofType } = await playTurn({ script: oneRound(hello), tools: [echo] });
    expect("seq" in event("a", "preparing")).toBe(false);
    expect(ofType("tool-call").map((told) => "seq" in told && told.seq)).toEqual([false, 5, 6, 7]);
  });

  it("keeps its id and says when it was first shown in its pending [T6a, row-3]", async () => {
    const script = oneRound({ wait: 10 }, hello, { wait: 20 });
    const { event, block } = await playTurn({ script, tools: [echo] });
    expect(event("a", "preparing").at).toBe(10);
    expect(event("a", "pending")).toMatchObject({ toolCallId: "a", at: 30, preparedAt: 10 });
    expect(block("a").meta?.preparedAt).toBe(10);
  });

  it("is shown once per slot, whatever the model repeats [P1a]", async () => {
    const model = pushing((sink) => {
      for (const id of ["a", "a", "b"]) sink.call(0, id, "echo");
    });
    const { calls } = await playTurn({ model, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed" });
  });

  it("is one card of its own in each round [E3]", async () => {
    const script = [[hello], [call("b", "echo", { say: "again" })], [{ text: "Done." }]];
    const { calls, event } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed", b: "preparing pending running completed" });
    expect(event("b", "preparing").round).toBe(2);
  });
});

describe("a call whose identity is not complete", () => {
  it.each([
    ["without an id", { id: undefined }],
    ["whose id comes late", { early: false }],
  ])("%s is never preparing and starts as pending [P1b, row-2, T6b]", async (_, more) => {
    const { calls } = await playTurn({ script: oneRound(call("a", "echo", { say: "x" }, more)), tools: [echo] });
    expect(Object.values(calls)).toEqual(["pending running completed"]);
  });

  it.each([
    ["id", "", "echo"],
    ["name", "a", ""],
  ])("is not shown while its %s is empty [P1a]", async (_, id, name) => {
    const { calls } = await playTurn({ model: pushing((sink) => sink.call(0, id, name)), tools: [echo] });
    expect(calls).toEqual({ a: "pending running completed" });
  });
});

describe("a model that goes on after its end", () => {
  /** Pushes all that there is to push at each of many moments after its answer was whole. */
  const late: Model = {
    name: "talkative",
    async run({ round }, sink) {
      if (round > 1) return { stop: "end", calls: [] };
      sink.call(0, "a", "echo");
      const push = async () => {
        for (let tick = 0; tick < 50; tick++) {
          await undefined;
          if (tick < 5) continue;
          sink.call(`late-${tick}`, `late-${tick}`, "echo");
          sink.text("late");
          sink.reasoning("late");
          sink.providerCall("p", "p", "search", { message: "late" });
          sink.providerCall(0, "a", "echo", { message: "late" });
          sink.fragment?.(0, "late");
          sink.restart();
        }
        throw new Error("connection reset");
      };
      push().catch(() => undefined);
      return { stop: "tool-calls", calls: [{ slot: 0, id: "a", name: "echo", input: { say: "x" } }] };
    },
  };

  it("is not heard any more, and a later transport error is ignored [P1c, T1b]", async () => {
    const { calls, result, events } = await playTurn({ model: late, tools: [echo], argumentDeltas: true });
    expect(calls).toEqual({ a: "preparing pending running completed" });
    expect(result).toMatchObject({ stopReason: "answered", text: "", rounds: 2 });
    expect(JSON.stringify(events)).not.toContain('late"');
  });
});

describe("argument text", () => {
  it("is not told by default [E0f]", async () => {
    const { ofType } = await playTurn({ script: oneRound(hello), tools: [echo] });
    expect(ofType("tool-call-delta")).toEqual([]);
  });

  it("is told in pieces on request, without a seq [E0f, E0b]", async () => {
    const { ofType } = await playTurn({ script: oneRound(hello), tools: [echo], argumentDeltas: true });
    const deltas = ofType("tool-call-delta");
    expect(deltas.map(({ fragment }) => fragment).join("")).toBe('{"say":"hello"}');
    expect(deltas.every((delta) => delta.toolCallId === "a" && !("seq" in delta))).toBe(true);
  });

  it("of a call that nobody was shown is not told [E3]", async () => {
    const model = pushing((sink) => {
      sink.fragment?.(0, "{");
      sink.fragment?.(1, "");
    });
    const { ofType } = await playTurn({ model, tools: [echo], argumentDeltas: true });
    expect(ofType("tool-call-delta")).toEqual([]);
  });
});
