// Bad input: each wrong option is a coded error in a well-formed ending that says what is wrong and what would be right.
import { runTurn, type TurnOptions } from "@callwire/agent/turn";
import type { Message, Tool } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type PlayOptions, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

const ok = () => "ok";

/** Plays a turn that must fail before any model is asked. */
async function refused(options: object) {
  const { result, requests, words } = await playTurn(options as PlayOptions);
  expect(requests).toEqual([]);
  expect(words[0]).toBe("turn-start");
  expect(words.at(-1)).toBe("turn-end");
  expect(result).toMatchObject({ stopReason: "error", text: "", rounds: 0 });
  return result;
}

describe("options [T8g, T12a]", () => {
  it.each<[string, object, RegExp]>([
    ["no model", { model: undefined }, /^No model: .*`run` function/],
    ["a model that is a name", { model: "gpt" }, /^No model/],
    ["a model without run", { model: { name: "m" } }, /^No model/],
    ["no prompt", { prompt: null }, /^No prompt: .*a string or a list/],
    ["an empty list as prompt", { prompt: [] }, /^No prompt/],
    ["a prompt of odd blocks", { prompt: [null] }, /^No prompt/],
    ["a prompt of blocks without text", { prompt: [{ type: "text" }] }, /^No prompt/],
    ["a prompt that is a number", { prompt: 5 }, /^No prompt/],
    ["maxRounds 0", { maxRounds: 0 }, /^maxRounds is 0; .*at least 1 \(default 8\)/],
    ["a fraction of a round", { maxRounds: 1.5 }, /^maxRounds is 1\.5/],
    ["maxRounds as text", { maxRounds: "8" }, /^maxRounds is 8/],
    ["endless rounds", { maxRounds: Number.POSITIVE_INFINITY }, /^maxRounds is Infinity/],
    ["a negative grace", { graceMs: -1 }, /^graceMs is -1; .*at least 0 \(default 2000\)/],
    ["no room for results", { maxToolResultChars: 0 }, /^maxToolResultChars is 0/],
    ["no room for history", { maxHistoryChars: Number.NaN }, /^maxHistoryChars is NaN/],
    ["tools that are no list", { tools: { echo } }, /^`tools` is no list/],
  ])("%s: INVALID_OPTIONS", async (_, options, says) => {
    const { error } = await refused(options);
    expect(error).toMatchObject({ code: "INVALID_OPTIONS", message: expect.stringMatching(says) });
  });

  it("a signal that is none: INVALID_OPTIONS", async () => {
    const options = {
      model: { name: "m", run: async () => ({ stop: "end", calls: [] }) },
      prompt: "go",
      signal: new AbortController(),
    };
    const { error } = await runTurn(options as unknown as TurnOptions);
    expect(error).toMatchObject({ code: "INVALID_OPTIONS", message: expect.stringMatching(/AbortSignal/) });
  });

  it("the prompt and the history are kept, whatever else is wrong", async () => {
    const messages: readonly Message[] = [{ id: "h1", role: "user", content: "before" }];
    const { messages: kept } = await refused({ maxRounds: 0, messages, prompt: "go on" });
    expect(kept).toEqual([messages[0], { id: expect.any(String), role: "user", content: "go on" }]);
  });
});

describe("tools [T8g]", () => {
  it.each<[string, unknown, RegExp]>([
    ["a name with a space", tool("read file", ok), /^Tool "read file": .*1 to 64 letters/],
    ["an empty name", tool("", ok), /letters/],
    ["a name that is too long", tool("x".repeat(65), ok), /letters/],
    ["no name", { description: "", execute: ok }, /letters/],
    ["no body", { name: "t", description: "" }, /^Tool "t": it has no `execute` function/],
    ["a body that is none", { name: "t", description: "", execute: 5 }, /`execute`/],
    ["a task tool outside AgentTask", { name: "t", description: "", taskType: "X" }, /needs an AgentTask/],
    ["a host tool", { name: "t", description: "", execute: "host" }, /not supported by this version/],
    ["a tool that is null", null, /a tool is an object/],
    ["a tool that is a name", "echo", /a tool is an object/],
    [
      "a zod schema that is no object",
      tool("t", ok, { input: z.string() as never }),
      /"string"; the arguments of a tool are an object/,
    ],
    ["a JSON Schema that is no object", tool("t", ok, { input: { type: "array" } }), /"array"; the arguments/],
    ["a JSON Schema without a type", tool("t", ok, { input: {} }), /without a type/],
    [
      "a zod schema that has no JSON Schema",
      tool("t", ok, { input: z.object({ at: z.date() }) as never }),
      /has no JSON Schema: .*[Dd]ate/,
    ],
    [
      "a schema of a library without JSON Schema",
      tool("t", ok, { input: bare() }),
      /its old schema cannot tell its JSON Schema; use zod 4\.2/,
    ],
    [
      "a JSON Schema that refers to nothing",
      tool("t", ok, { input: { type: "object", properties: { a: { $ref: "#/nowhere" } } } }),
      /cannot be used/,
    ],
  ])("%s: INVALID_TOOL", async (_, bad, says) => {
    const { error } = await refused({ tools: [echo, bad] });
    expect(error).toMatchObject({ code: "INVALID_TOOL", message: expect.stringMatching(says) });
  });

  it("two of one name: DUPLICATE_TOOL", async () => {
    const { error } = await refused({ tools: [echo, tool("echo", ok)] });
    expect(error).toMatchObject({ code: "DUPLICATE_TOOL", message: expect.stringMatching(/"echo".*unique/) });
    expect((await refused({ tools: [echo, echo] })).error?.code).toBe("DUPLICATE_TOOL");
  });

  it("names may differ in case, and fill all 64 characters", async () => {
    const names = ["a", "A", "x".repeat(64), "snake_case", "kebab-case", "0"];
    const { requests } = await playTurn({ tools: names.map((name) => tool(name, ok)) });
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(names);
  });

  it("a tool that the provider runs needs no body", async () => {
    const search: Tool = { name: "search", description: "", provider: { type: "web_search", options: { max: 3 } } };
    const { requests, result } = await playTurn({ tools: [search] });
    expect(requests[0]?.tools[0]?.provider).toEqual({ type: "web_search", options: { max: 3 } });
    expect(result.stopReason).toBe("answered");
  });
});

const asked = { name: "m", run: () => Promise.reject(new Error("asked")) };
const use = (id: string) => ({ type: "tool_use", id, name: "echo", input: {} }) as const;
const answer = (id: string) => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "x" }] }) as const;

describe("history [T8g, T10a]", () => {
  it.each<[string, unknown, RegExp]>([
    ["messages that are no list", "hello", /`messages\[0\]`/],
    ["a message that is null", [null], /`messages\[0\]` is not a message: a message has an `id`/],
    [
      "a message without an id",
      [
        { id: "h", role: "user", content: "x" },
        { role: "user", content: "x" },
      ],
      /`messages\[1\]`/,
    ],
    ["a role that nobody has", [{ id: "h", role: "robot", content: "x" }], /`role` \(system, user, assistant, tool\)/],
    ["content that is null", [{ id: "h", role: "user", content: null }], /is not a message/],
    ["a block that is null", [{ id: "h", role: "assistant", content: [null] }], /is not a message/],
    ["an assistant's content as text", [{ id: "h", role: "assistant", content: "x" }], /is not a message/],
    [
      "a call without an id",
      [{ id: "h", role: "assistant", content: [{ type: "tool_use", name: "x", input: {} }] }],
      /is not a message/,
    ],
    [
      "a call without a result",
      [
        { id: "h", role: "assistant", content: [use("a"), use("b")] },
        { id: "i", role: "tool", content: [answer("a")] },
      ],
      /: b\b/,
    ],
    [
      "a result before its call",
      [
        { id: "h", role: "tool", content: [answer("a")] },
        { id: "i", role: "assistant", content: [use("a")] },
      ],
      /\ba\b/,
    ],
  ])("%s: INVALID_HISTORY", async (_, messages, says) => {
    const result = await runTurn({ model: asked, prompt: "go", messages: messages as Message[] });
    expect(result).toMatchObject({
      stopReason: "error",
      error: { code: "INVALID_HISTORY", message: expect.stringMatching(says) },
    });
  });

  it.each<[string, readonly object[], RegExp]>([
    ["a result without a call", [{ id: "h", role: "tool", content: [answer("a")] }], /a result of a, which is no open call/],
    [
      "two results of one call",
      [
        { id: "h", role: "assistant", content: [use("a")] },
        { id: "i", role: "tool", content: [answer("a"), answer("a")] },
      ],
      /a result of a/,
    ],
    [
      "a result after the next message",
      [
        { id: "h", role: "assistant", content: [use("a")] },
        { id: "i", role: "user", content: "?" },
        { id: "j", role: "tool", content: [answer("a")] },
      ],
      /calls without a result: a\./,
    ],
  ])("%s: INVALID_HISTORY, because no provider would take it", async (_, messages, says) => {
    const result = await runTurn({ model: asked, prompt: "go", messages: messages as Message[] });
    expect(result).toMatchObject({
      stopReason: "error",
      error: { code: "INVALID_HISTORY", message: expect.stringMatching(says) },
    });
  });

  it("names five calls at most", async () => {
    const content = ["a", "b", "c", "d", "e", "f"].map(use);
    const { error } = await refused({ messages: [{ id: "h", role: "assistant", content }] });
    expect(error?.message).toMatch(/without a result: a, b, c, d, e \.\.\./);
  });

  it("may have results in several messages, and those of the provider's calls later in the same turn", async () => {
    const theirs = { ...use("p"), providerExecuted: true };
    const messages = [
      { id: "1", role: "assistant", content: [theirs, use("a"), use("b")] },
      { id: "2", role: "tool", content: [answer("a")] },
      { id: "3", role: "tool", content: [answer("b")] },
      { id: "4", role: "assistant", content: [answer("p")] },
    ];
    const result = await runTurn({ model: asked, prompt: "go", messages: messages as Message[] });
    expect(result.error?.message).toBe("The model failed: asked");
  });
});

function bare() {
  return { "~standard": { version: 1 as const, vendor: "old", validate: (value: unknown) => ({ value }) } };
}
