// A conversation as the wire wants it.

import type { AssistantBlock, Message, ToolResultBlock, ToolSpec, UserBlock } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { chatMessages, chatRequest } from "../../../packages/models/src/openai-chat/request.ts";
import { vendorOf } from "../../../packages/models/src/openai-chat/vendors.ts";
import { requestOf } from "../recording-sink.ts";

let next = 0;
const user = (content: string | readonly UserBlock[]): Message => ({ id: `m${next++}`, role: "user", content });
const system = (content: string): Message => ({ id: `m${next++}`, role: "system", content });
const assistant = (...content: readonly AssistantBlock[]): Message => ({ id: `m${next++}`, role: "assistant", content });
const tool = (...content: readonly ToolResultBlock[]): Message => ({ id: `m${next++}`, role: "tool", content });
const text = (value: string) => ({ type: "text", text: value }) as const;
const image = (data: string) => ({ type: "image", mediaType: "image/png", data }) as const;
const use = (id: string, name: string, input: Record<string, unknown> = {}) => ({ type: "tool_use", id, name, input }) as const;
const result = (id: string, ...content: ToolResultBlock["content"]): ToolResultBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const wire = (...messages: readonly Message[]) => chatMessages(undefined, messages);
const wireCall = (id: string, name: string, args = "{}") => ({ id, type: "function", function: { name, arguments: args } });

describe("messages", () => {
  it("puts the system text first and merges it with a leading system message", () => {
    expect(chatMessages("A", [system("B"), user("hi")])).toEqual([
      { role: "system", content: "A\n\nB" },
      { role: "user", content: "hi" },
    ]);
    expect(chatMessages("", [user("hi")])).toEqual([{ role: "user", content: "hi" }]);
  });

  it("sends text as a string and images as parts", () => {
    expect(wire(user([text("look"), text(""), image("AAAA")]))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
    expect(wire(user([text("one"), text("two")]))).toEqual([{ role: "user", content: "one\n\ntwo" }]);
  });

  it("merges neighbouring user messages and keeps their images", () => {
    expect(wire(user("one"), user([image("AAAA")]), user("two"))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          { type: "text", text: "two" },
        ],
      },
    ]);
    expect(wire(user("one"), user("two"))).toEqual([{ role: "user", content: "one\n\ntwo" }]);
  });

  it("sends kept text of a broken answer as a normal assistant message", () => {
    const partial: Message = { id: "p", role: "assistant", content: [text("I was say")], partial: true };
    expect(wire(user("hi"), partial, user("go on"))).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "I was say" },
      { role: "user", content: "go on" },
    ]);
  });

  it("leaves reasoning out, and assistant messages that have nothing else", () => {
    const thought = { type: "reasoning", text: "hmm", payload: { signature: "s" } } as const;
    expect(wire(user("hi"), assistant(thought), assistant(thought, text("a"), text("b")))).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "ab" },
    ]);
  });

  it("changes nothing in the conversation that it is given [P1d]", () => {
    const messages = deepFreeze([
      user("hi"),
      assistant(text("t"), use("a", "f", { p: 1 })),
      tool(result("a", text("r"), image("AAAA"))),
      user([text("x")]),
    ]);
    const before = JSON.stringify(messages);
    chatMessages("S", messages);
    expect(JSON.stringify(messages)).toBe(before);
  });
});

describe("calls and results", () => {
  it("sends calls with their ids and arguments as text, and no text as null [T6d]", () => {
    expect(wire(assistant(use("a", "f", { p: [1] })), tool(result("a", text("r"))))).toEqual([
      { role: "assistant", content: null, tool_calls: [wireCall("a", "f", '{"p":[1]}')] },
      { role: "tool", tool_call_id: "a", content: "r" },
    ]);
  });

  it("puts results right behind their calls, in the order of the calls, whatever stood between", () => {
    const messages = wire(
      user("hi"),
      assistant(text("both"), use("a", "f"), use("b", "g")),
      user("a note from the host"),
      tool(result("b", text("rb"))),
      tool(result("a", text("r"), text("a"))),
      user("next"),
    );
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      { role: "assistant", content: "both", tool_calls: [wireCall("a", "f"), wireCall("b", "g")] },
      { role: "tool", tool_call_id: "a", content: "ra" },
      { role: "tool", tool_call_id: "b", content: "rb" },
      { role: "user", content: "a note from the host\n\nnext" },
    ]);
  });

  it("keeps rounds apart, also when an id comes again", () => {
    const messages = wire(
      assistant(use("a", "f")),
      tool(result("a", text("first"))),
      assistant(use("a", "f")),
      tool(result("a", text("second"))),
    );
    expect(messages.map((message) => message.content)).toEqual([null, "first", null, "second"]);
  });

  it("keeps the text of a failed call and no fact beside it [T10c]", () => {
    const failed: ToolResultBlock = {
      ...result("a", text("no such file")),
      is_error: true,
      meta: { round: 1, reason: "tool-error", executed: "yes", display: "secret" },
    };
    expect(wire(assistant(use("a", "f")), tool(failed))[1]).toEqual({ role: "tool", tool_call_id: "a", content: "no such file" });
  });

  it("sends an empty result as an empty string", () => {
    expect(wire(assistant(use("a", "f")), tool(result("a")))[1]).toEqual({ role: "tool", tool_call_id: "a", content: "" });
  });

  it("sends images of results after all results of the round", () => {
    const messages = wire(
      assistant(use("a", "shot"), use("b", "f")),
      tool(result("a", text("taken"), image("AAAA"), image("BBBB")), result("b", image("CCCC"))),
      user("and now?"),
    );
    const picture = (data: string) => ({ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } });
    expect(messages.slice(1)).toEqual([
      { role: "tool", tool_call_id: "a", content: "taken\n[2 images, shown in the next message]" },
      { role: "tool", tool_call_id: "b", content: "[1 image, shown in the next message]" },
      {
        role: "user",
        content: [
          { type: "text", text: "Returned by shot (a):" },
          picture("AAAA"),
          picture("BBBB"),
          { type: "text", text: "Returned by f (b):" },
          picture("CCCC"),
          { type: "text", text: "and now?" },
        ],
      },
    ]);
  });

  it("never sends a result without its call, nor what another provider ran itself", () => {
    const search = { ...use("s", "web_search"), providerExecuted: true } as const;
    expect(wire(tool(result("zz", text("orphan"))), assistant(search, result("s", text("hits")), text("found")))).toEqual([
      { role: "assistant", content: "found" },
    ]);
  });

  it("sends an object as arguments even for a history that holds none", () => {
    const broken = { ...use("a", "f"), input: "not json" as never };
    expect(wire(assistant(broken))[0]).toMatchObject({ tool_calls: [{ function: { arguments: "{}" } }] });
  });

  it("gives a proxy's extra content back with its call, and no other payload", () => {
    const mine = { ...use("a", "f"), payload: { extra_content: { google: { thought_signature: "s" } } } };
    const other = { ...use("b", "f"), payload: { caller: "x" } };
    expect(wire(assistant(mine, other))[0]).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [{ ...wireCall("a", "f"), extra_content: { google: { thought_signature: "s" } } }, wireCall("b", "f")],
    });
  });
});

describe("the rest of the request", () => {
  const spec: ToolSpec = { name: "f", description: "does f", inputSchema: { type: "object", properties: {} } };
  const vendor = vendorOf("localhost:11434");

  it("asks for a stream with usage, and names no tools where there are none", () => {
    expect(chatRequest(requestOf("hi"), { model: "m" }, vendor)).toEqual({
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("describes tools", () => {
    const provided: ToolSpec = {
      ...spec,
      provider: { type: "builtin_function", options: { function: { name: "$web_search" } } },
    };
    expect(chatRequest(requestOf("hi", [spec, provided]), { model: "m" }, vendor).tools).toEqual([
      { type: "function", function: { name: "f", description: "does f", parameters: spec.inputSchema } },
      { type: "builtin_function", function: { name: "$web_search" } },
    ]);
  });

  it("limits the answer in the vendor's word", () => {
    const options = { model: "m", maxTokens: 100, temperature: 0 };
    expect(chatRequest(requestOf("hi"), options, vendor)).toMatchObject({ max_tokens: 100, temperature: 0 });
    for (const host of ["api.openai.com", "eu.api.openai.com", "me.openai.azure.com"]) {
      expect(chatRequest(requestOf("hi"), options, vendorOf(host))).toMatchObject({ max_completion_tokens: 100 });
    }
  });

  it("lets the caller's own parameters win, also by taking one out", () => {
    const body = { parallel_tool_calls: false, stream_options: undefined };
    const sent = JSON.parse(JSON.stringify(chatRequest(requestOf("hi"), { model: "m", body }, vendor)));
    expect(sent).toEqual({ model: "m", messages: [{ role: "user", content: "hi" }], stream: true, parallel_tool_calls: false });
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
