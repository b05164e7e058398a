// What the adapter makes of a good answer, event by event.
import { describe, expect, it } from "vitest";
import { delta, sse } from "../local-server.ts";
import { answer, call, finish, fixture, serveAnswers } from "./serve-answers.ts";

serveAnswers();

describe("text and reasoning", () => {
  it("pushes text as it comes, and ends with the wire's word and the usage", async () => {
    const { sink, end } = await answer(fixture("text"));
    expect(sink.log).toEqual(["text:Good ", "text:morning ☃."]);
    expect(end).toEqual({
      stop: "end",
      native: "stop",
      calls: [],
      usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3 },
    });
  });

  it.each(["reasoning_content", "reasoning", "reasoning_text"])("pushes %s apart from text", async (field) => {
    const { sink } = await answer(sse(delta({ [field]: "hm", content: "" }), delta({ content: "ok" }), finish("stop")));
    expect(sink.log).toEqual(["reasoning:hm", "text:ok"]);
  });

  it("reads content that is a list of parts", async () => {
    const parts = [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }, { type: "text", text: "ok" }, { type: "odd" }];
    const { sink } = await answer(sse(delta({ content: parts }), finish("stop")));
    expect(sink.log).toEqual(["reasoning:hm", "text:ok"]);
  });

  it("takes a refusal's words for text and ends as a refusal", async () => {
    const { sink, end } = await answer(sse(delta({ refusal: "I can" }), delta({ refusal: "not." }), finish("stop"), "[DONE]"));
    expect(sink.allText).toBe("I cannot.");
    expect(end).toMatchObject({ stop: "refusal", native: "stop" });
  });

  it("reads a whole message in place of a delta", async () => {
    const message = { content: null, tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] };
    const { end } = await answer(sse({ choices: [{ message, finish_reason: "tool_calls" }] }));
    expect(end?.calls).toEqual([{ slot: 0, id: "a", name: "f", input: {} }]);
  });
});

describe("calls", () => {
  it("names parallel calls before their arguments, in one stream of pushes", async () => {
    const { sink, end } = await answer(fixture("parallel-calls"));
    expect(sink.log).toEqual([
      "text:Looking.",
      "call:0:call_a:read_file",
      'fragment:0:{"path":',
      'fragment:0:"/tmp/a"}',
      "call:1:call_b:search",
      'fragment:1:{"q":"x"}',
    ]);
    expect(end).toMatchObject({ stop: "tool-calls", native: "tool_calls" });
    expect(end?.calls.map((one) => one.input)).toEqual([{ path: "/tmp/a" }, { q: "x" }]);
  });

  it("accepts the deprecated function_call, whose id is never sent", async () => {
    const { sink, end } = await answer(
      sse(
        delta({ function_call: { name: "f", arguments: "" } }),
        delta({ function_call: { arguments: '{"a":1}' } }),
        finish("function_call"),
      ),
    );
    expect(sink.log).toEqual([]);
    expect(end).toMatchObject({ stop: "tool-calls", native: "function_call", calls: [{ name: "f", input: { a: 1 } }] });
  });

  it("reads the free text of a custom tool [T5j]", async () => {
    const custom = (value: object) => delta({ tool_calls: [{ index: 0, ...value }] });
    const { sink, end } = await answer(
      sse(
        custom({ id: "a", type: "custom", custom: { name: "patch", input: "*** " } }),
        custom({ custom: { input: "Begin" } }),
        finish("tool_calls"),
      ),
    );
    expect(sink.log).toEqual(["call:0:a:patch", "fragment:0:*** ", "fragment:0:Begin"]);
    expect(end?.calls).toMatchObject([{ name: "patch", input: { input: "*** Begin" } }]);
  });

  it("keeps a proxy's extra content with its call", async () => {
    const extra_content = { google: { thought_signature: "sig" } };
    const chunk = delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" }, extra_content }] });
    expect((await answer(sse(chunk, finish("tool_calls")))).end?.calls[0]?.payload).toEqual({ extra_content });
  });

  it("fails on an id that is a number, naming the event", async () => {
    const { error } = await answer(
      sse(delta({ content: "a" }), delta({ tool_calls: [{ index: 0, id: 7, function: { name: "f" } }] })),
    );
    expect(error).toMatchObject({ code: "MODEL_STREAM_ERROR" });
    expect(error?.message).toContain("(event 1): the id of a tool call is a number.");
  });

  it("skips chunks without choices, empty entries and keep-alives", async () => {
    const odd = sse(
      "null",
      { choices: null },
      { choices: [] },
      { choices: [null] },
      "",
      { choices: [{ delta: null }] },
      delta({ tool_calls: null, content: null }),
      delta({ tool_calls: [null, {}, { index: 0, function: { arguments: "" } }], content: "a" }),
    );
    const pings = "event: ping\ndata: {}\n\nevent: ping\ndata: pong\n\n";
    const { sink, end } = await answer(`${odd}${pings}${sse(finish("stop"))}`);
    expect(sink.log).toEqual(["text:a"]);
    expect(end).toMatchObject({ stop: "end", calls: [] });
  });
});

describe("stop reasons", () => {
  it.each([
    ["stop", "end"],
    ["length", "length"],
    ["max_tokens", "length"],
    ["MAX_TOKENS", "length"],
    ["model_length", "length"],
    ["content_filter", "refusal"],
    ["SAFETY", "refusal"],
    ["MALFORMED_FUNCTION_CALL", "malformed"],
    ["something_new", "end"],
  ])("%s means %s", async (native, stop) => {
    expect((await answer(sse(delta({ content: "a" }), finish(native)))).end).toMatchObject({ stop, native });
  });

  it("believes the native reason when it says that tool_calls was a cut", async () => {
    const cut = finish("tool_calls", { native_finish_reason: "max_output_tokens" });
    const { end } = await answer(sse(call(0, "a", "f", '{"x'), cut, cut, "[DONE]"));
    expect(end).toMatchObject({ stop: "length", native: "tool_calls", calls: [{ problem: { code: "invalid-json" } }] });
  });

  it("takes the gravest of several reasons", async () => {
    expect((await answer(sse(call(0, "a", "f", "{}"), finish("tool_calls"), finish("stop")))).end?.stop).toBe("tool-calls");
    expect((await answer(sse(delta({ content: "a" }), finish("length"), finish("stop")))).end?.stop).toBe("length");
  });

  it("ends well at [DONE] without a reason, but then takes no missing arguments for {}", async () => {
    const { end } = await answer(sse(call(0, "a", "f", "{}"), call(1, "b", "f", ""), "[DONE]"));
    expect(end).toMatchObject({ stop: "tool-calls", calls: [{ input: {} }, { problem: { code: "invalid-json" } }] });
    expect(end).not.toHaveProperty("native");
    expect((await answer(sse(delta({ content: "a" }), "[DONE]"))).end).toEqual({ stop: "end", calls: [] });
  });

  it("keeps calls that come with stop", async () => {
    expect((await answer(sse(call(0, "a", "f", "{}"), finish("stop")))).end).toMatchObject({
      stop: "end",
      calls: [{ input: {} }],
    });
  });

  it("calls an answer malformed that announces calls and holds nothing", async () => {
    expect((await answer(sse(delta({ content: "" }), finish("tool_calls")))).end).toMatchObject({ stop: "malformed", calls: [] });
  });

  it("fails when the reason is an error", async () => {
    const { error } = await answer(sse(delta({ content: "a" }), finish("error")));
    expect(error).toMatchObject({ code: "MODEL_STREAM_ERROR", retryable: true });
    expect(error?.message).toContain("(event 1): finish_reason is error");
  });
});
