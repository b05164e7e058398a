// completed: the body returned; the event, the card's data and the text that the model reads come from one block.
import { toolOutput } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { echo, slow, tool } from "./cast.ts";

const png = { type: "image", mediaType: "image/png", data: "AAAA" } as const;

/** What becomes of a body that returns (or resolves to) this. */
async function returning(value: unknown, options: PlayOptions = {}) {
  const { events, block } = await playTurn({ script: oneRound(call("a", "t")), tools: [tool("t", () => value)], ...options });
  const end = events.find((event) => event.type === "tool-call" && (event.status === "completed" || event.status === "failed"));
  return { end, block: block("a") };
}

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

describe("a completed call", () => {
  it("has its result and nothing that does not apply [E2e, row-18]", async () => {
    const { event, block } = await playTurn({ script: oneRound(call("a", "echo", { say: "hello" })), tools: [echo] });
    const identity = { toolCallId: "a", name: "echo", round: 1, attempt: 1 };
    const told = event("a", "completed");
    expect(told).toEqual({ type: "tool-call", status: "completed", turnId: "turn", at: 0, seq: 7, ...identity, result: "hello" });
    expect(Object.keys(told)).not.toContain("output");
    expect(block("a").content).toEqual([{ type: "text", text: "hello" }]);
    expect(block("a")).not.toHaveProperty("is_error");
  });

  it("is told when the body is done, however long that takes [row-18]", async () => {
    const { event } = await playTurn({ script: oneRound(call("a", "slow")), tools: (stage) => [slow(stage, "slow", 5_000)] });
    expect(event("a", "completed")).toMatchObject({ at: 5_000, result: "slow done" });
  });

  it("stands at its end with the times of its life in the result's meta [T10b, T3g]", async () => {
    const script = oneRound({ wait: 5 }, call("a", "slow"), { wait: 5 });
    const { block } = await playTurn({ script, tools: (stage) => [slow(stage, "slow", 100)] });
    expect(block("a").meta).toEqual({ round: 1, preparedAt: 5, startedAt: 10, endedAt: 110 });
  });
});

describe("the text for the model", () => {
  it.each([
    ["a string", "plain", "plain"],
    ["an empty string", "", ""],
    ["nothing", undefined, ""],
    ["a function", Math.max, "function max() { [native code] }"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a BigInt", 7n, "7"],
    ["a cyclic object", cyclic, "[object Object]"],
    ["an object with a BigInt in it", { n: 1n }, "[object Object]"],
  ])("of %s is made from it, without an output [P2a]", async (_, value, result) => {
    const { end } = await returning(value);
    expect(end).toMatchObject({ status: "completed", result });
    expect(end).not.toHaveProperty("output");
  });

  it.each([
    ["an object", { a: [1, "x", null] }, { a: [1, "x", null] }],
    ["a list", [1, 2], [1, 2]],
    ["null", null, null],
    ["a number", 4.5, 4.5],
    ["a boolean", false, false],
    ["not a number", Number.NaN, null],
    ["infinity", { n: Number.POSITIVE_INFINITY }, { n: null }],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a map", new Map([[1, 2]]), {}],
    ["an object with holes", { a: undefined, b: () => 1, c: 2 }, { c: 2 }],
  ])("of %s is its JSON, and its JSON value is the output [P2a, E2e]", async (_, value, output) => {
    const { end, block } = await returning(value);
    expect(end).toMatchObject({ status: "completed", result: JSON.stringify(value), output });
    expect(block.meta?.output).toEqual(output);
  });

  it("does not change when the tool changes its object later [T2b, P2a]", async () => {
    const shared = { n: 1 };
    const display = { n: 1 };
    const plain = tool("t", () => shared);
    const rich = tool("u", () => toolOutput({ text: "x", output: shared, display }));
    const meddling = tool("v", () => {
      shared.n = display.n = 2;
    });
    const script = oneRound(call("a", "t"), call("b", "u"), call("c", "v"));
    const { event } = await playTurn({ script, tools: [plain, rich, meddling] });
    expect(event("a", "completed")).toMatchObject({ result: '{"n":1}', output: { n: 1 } });
    expect(event("b", "completed")).toMatchObject({ output: { n: 1 }, display: { n: 1 } });
  });

  it.each([
    ["a promise", Promise.resolve("later")],
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    ["a thenable", { then: (resolve: (value: string) => void) => resolve("later") }],
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    ["a thenable that calls back twice", { then: (resolve: (value: string) => void) => ["later", "twice"].forEach(resolve) }],
  ])("of %s is what it resolves to [P2a]", async (_, value) => {
    const { end } = await returning(value);
    expect(end).toMatchObject({ status: "completed", result: "later" });
  });
});

describe("a tool output", () => {
  it("has text and images for the model, and output and display for the host [P2a, E2e]", async () => {
    const { end, block } = await returning(toolOutput({ text: "two dots", images: [png], display: { dots: 2 }, output: [1, 2] }));
    expect(end).toMatchObject({ status: "completed", result: "two dots", display: { dots: 2 }, output: [1, 2] });
    expect(block.content).toEqual([{ type: "text", text: "two dots" }, png]);
    expect(block.meta).toMatchObject({ display: { dots: 2 }, output: [1, 2] });
  });

  it("may be images alone: its result is empty [T2a]", async () => {
    const { end, block } = await returning(toolOutput({ images: [png, png] }));
    expect(end).toMatchObject({ status: "completed", result: "" });
    expect(block.content).toEqual([png, png]);
  });

  it("may be text alone [P2a]", async () => {
    const { end } = await returning(toolOutput({ text: "just text" }));
    expect(end).toMatchObject({ status: "completed", result: "just text" });
    expect(end).not.toHaveProperty("output");
    expect(end).not.toHaveProperty("display");
  });

  it("has its output and display as JSON, whatever the tool put there [P2a, E5]", async () => {
    const { end } = await returning(
      toolOutput({ text: "x", output: new Date(0) as never, display: { n: Number.NaN, f: () => 1 } as never }),
    );
    expect(end).toMatchObject({ status: "completed", output: "1970-01-01T00:00:00.000Z", display: { n: null } });
  });

  it("loses an output that has no JSON; its text stands [P2a]", async () => {
    const { end } = await returning(toolOutput({ text: "x", output: cyclic as never, display: 1n as never }));
    expect(end).toMatchObject({ status: "completed", result: "x" });
    expect(end).not.toHaveProperty("output");
    expect(end).not.toHaveProperty("display");
  });

  it.each([
    ["a list without images", { images: [null] }],
    ["images that are none", { images: [{ type: "image" }] }],
    ["a text that is none", { text: 5 }],
    ["images that are no list", { images: "png" }],
  ])("with %s fails its call in words, and the turn goes on [P2a, fail-tool-error]", async (_, parts) => {
    for (const value of [toolOutput(parts as never), Promise.resolve(toolOutput(parts as never))]) {
      const { end } = await returning(value);
      expect(end).toMatchObject({
        status: "failed",
        reason: "tool-error",
        executed: "yes",
        result: expect.stringMatching(/cannot be read/),
      });
    }
  });
});
