// The adapter against a model server that others wrote: real HTTP, the real client.
import { getEventListeners } from "node:events";
import { openaiChat } from "@callwire/models/openai-chat";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RecordingSink, runOnce } from "../recording-sink.ts";

const KEY = "sk-test-0123456789";

describe("with a model server", () => {
  const twoCalls = {
    content: "Looking.",
    toolCalls: [
      { id: "call_a", name: "read_file", arguments: JSON.stringify({ path: "/tmp/aaaaaaaaaaaaaaaaaaaaaaaa" }) },
      { id: "call_b", name: "search", arguments: JSON.stringify({ q: "xyz" }) },
    ],
  };
  const mock = new LLMock({ port: 0, chunkSize: 8 });
  const model = () => openaiChat({ model: "gpt-4o", baseURL: `${mock.url}/v1`, apiKey: KEY });
  beforeAll(async () => {
    mock.addFixture({ match: { userMessage: "text" }, response: { content: "A rather long answer in pieces." } });
    mock.addFixture({ match: { userMessage: "tools", hasToolResult: false }, response: twoCalls });
    mock.addFixture({ match: { userMessage: "tools", hasToolResult: true }, response: { content: "Done with both." } });
    mock.addFixture({ match: { userMessage: "cut" }, response: twoCalls, truncateAfterChunks: 6, latency: 5 });
    mock.addFixture({ match: { userMessage: "slow" }, response: twoCalls, streamingProfile: { ttft: 10, tps: 20, jitter: 0 } });
    for (const status of [400, 401, 403, 404, 422, 429, 500, 503, 529]) {
      const error = { message: `status ${status} for ${KEY}`, type: "some_error" };
      mock.addFixture({ match: { userMessage: `error ${status}` }, response: { error, status, retryAfter: 7 } });
    }
    await mock.start();
  });
  afterAll(() => mock.stop());

  it("streams text", async () => {
    const { sink, end } = await runOnce(model(), "text");
    expect(sink.allText).toBe("A rather long answer in pieces.");
    expect(sink.log.length).toBeGreaterThan(2);
    expect(end).toMatchObject({ stop: "end", native: "stop", calls: [], usage: { inputTokens: expect.any(Number) } });
  });

  it("names parallel calls before their arguments, and takes their results back [P1a]", async () => {
    const { sink, end } = await runOnce(model(), "tools");
    expect(sink.calls.map(({ id, name }) => `${id} ${name}`)).toEqual(["call_a read_file", "call_b search"]);
    expect(sink.log.indexOf("call:0:call_a:read_file")).toBeLessThan(
      sink.log.findIndex((entry) => entry.startsWith("fragment:0")),
    );
    expect(end?.calls.map(({ input }) => input)).toEqual([{ path: "/tmp/aaaaaaaaaaaaaaaaaaaaaaaa" }, { q: "xyz" }]);
    const calls = (end?.calls ?? []).map(
      ({ id = "", name = "", input = {} }) => ({ type: "tool_use", id, name, input }) as const,
    );
    const results = calls.map(
      ({ id }) => ({ type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "r" }] }) as const,
    );
    const second = await runOnce(model(), [
      { id: "u", role: "user", content: "tools" },
      { id: "a", role: "assistant", content: calls },
      { id: "t", role: "tool", content: results },
    ]);
    expect(second.sink.allText).toBe("Done with both.");
  });

  it("fails when the stream is cut in the middle of a call", async () => {
    const { sink, error } = await runOnce(model(), "cut");
    expect(error).toMatchObject({ code: "MODEL_STREAM_CUT", retryable: true });
    expect(sink.calls.map((call) => call.id)).toEqual(["call_a"]);
  });

  it.each([
    [400, "MODEL_REQUEST", false],
    [401, "MODEL_AUTH", false],
    [403, "MODEL_AUTH", false],
    [404, "MODEL_REQUEST", false],
    [422, "MODEL_REQUEST", false],
    [429, "MODEL_RATE_LIMIT", true],
    [500, "MODEL_SERVER", true],
    [503, "MODEL_OVERLOADED", true],
    [529, "MODEL_OVERLOADED", true],
  ])("turns HTTP %i into %s, asks once, and shows no key [P1e]", async (status, code, retryable) => {
    const before = mock.getRequests().length;
    const { error, sink } = await runOnce(model(), `error ${status}`);
    expect(error).toMatchObject({ code, retryable, status });
    expect(error?.message).toContain(`(HTTP ${status}): status ${status} for [key]`);
    expect(error?.message).not.toContain(KEY);
    expect(sink.log).toEqual([]);
    expect(mock.getRequests().length - before).toBe(1);
    if (status === 429) expect(error?.retryAfterMs).toBe(7_000);
  });

  it("stops a slow stream when the signal aborts, and leaves no listener on it", async () => {
    const abort = new AbortController();
    const sink = new RecordingSink({ onPush: ({ calls }) => calls.length === 1 && abort.abort(new Error("enough")) });
    const { error } = await runOnce(model(), "slow", { sink, signal: abort.signal });
    expect(error).toMatchObject({ code: "TURN_CANCELLED", retryable: false, cause: new Error("enough") });
    expect(sink.log.at(-1)).toBe("call:0:call_a:read_file");
    expect(getEventListeners(abort.signal, "abort")).toEqual([]);
  });
});
