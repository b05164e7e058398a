// Answers that begin and do not come to a good end.
import { describe, expect, it } from "vitest";
import { delta, sse } from "../local-server.ts";
import { answer, call, finish, host, serveAnswers } from "./serve-answers.ts";

serveAnswers();

describe("answers that fail", () => {
  const begun = sse(delta({ content: "a" }), call(0, "a", "f", '{"x":1}'), { choices: [], usage: { prompt_tokens: 3 } });

  it.each([
    ["an error chunk", sse({ error: { message: "overloaded", code: 503 } }), "(event 3, 503): overloaded"],
    ["an error event", `event: error\n${sse({ message: "overloaded" })}`, "(event 3): overloaded"],
    ["an error event in words", `event: error\n${sse("overloaded")}`, "(event 3): overloaded"],
    ["an error in the choice", sse({ choices: [{ error: { message: "overloaded" } }] }), "(event 3): overloaded"],
    ["an error object", sse({ object: "error", message: "overloaded" }), "(event 3): overloaded"],
  ])("reports %s with its event and the usage so far", async (_, bytes, words) => {
    const { error, sink } = await answer(begun + bytes + sse(finish("tool_calls")));
    expect(error).toMatchObject({ code: "MODEL_STREAM_ERROR", retryable: true, usage: { inputTokens: 3 } });
    expect(error?.message).toBe(`${host()} reported an error inside its answer ${words}`);
    expect(sink.calls).toHaveLength(1);
  });

  it("fails on an error even after the finish reason, and not after [DONE]", async () => {
    const error = sse({ error: { message: "late" } });
    expect((await answer(sse(delta({ content: "a" }), finish("stop")) + error)).error).toMatchObject({
      code: "MODEL_STREAM_ERROR",
    });
    expect((await answer(sse(delta({ content: "a" }), finish("stop"), "[DONE]") + error)).end).toMatchObject({ stop: "end" });
  });

  it("does not take an empty error for one", async () => {
    expect((await answer(sse({ ...delta({ content: "a" }), error: null }, { ...finish("stop"), error: {} }))).end).toBeDefined();
  });

  it.each([
    ["{broken hunter2", "it is not JSON: Expected"],
    ["[1]", "it is not a JSON object"],
    ['"hunter2"', "it is not a JSON object"],
  ])("names provider, event and reason for %j, and not the payload", async (data, reason) => {
    const { error } = await answer(begun + sse(data, finish("stop")));
    expect(error).toMatchObject({ code: "MODEL_STREAM_ERROR", retryable: true, usage: { inputTokens: 3 } });
    expect(error?.message).toContain(`${host()} sent an event that cannot be read (event 3): ${reason}`);
    expect(error?.message).not.toContain("hunter2");
  });

  it("ignores an unreadable event once the answer is complete", async () => {
    expect((await answer(sse(delta({ content: "a" }), finish("stop"), "{broken"))).end).toMatchObject({ stop: "end" });
  });

  it("is cut without finish reason and [DONE], also when the arguments parse", async () => {
    const { error } = await answer(begun);
    expect(error).toMatchObject({ code: "MODEL_STREAM_CUT", retryable: true, usage: { inputTokens: 3 } });
    expect(error?.message).toContain("cut off after 3 events");
    expect((await answer("")).error).toMatchObject({ code: "MODEL_STREAM_CUT" });
    expect((await answer(": only a comment\n\n")).error).toMatchObject({ code: "MODEL_STREAM_CUT" });
  });

  it("counts a last event without its blank line when it is whole, and is cut when it is not", async () => {
    const open = sse(delta({ content: "a" }));
    const last = sse(finish("stop")).trimEnd();
    expect((await answer(open + last)).end).toMatchObject({ stop: "end" });
    expect((await answer(open + last.slice(0, -5))).error).toMatchObject({ code: "MODEL_STREAM_CUT" });
    expect((await answer(`${open}${sse(finish("stop"))}data: {"choices":[`)).end).toMatchObject({ stop: "end" });
    expect((await answer(`${open}data: [DONE]`)).end).toMatchObject({ stop: "end" });
  });
});
