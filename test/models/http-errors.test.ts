// Statuses and connection failures as coded errors that say what to check and never show a key.

import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { endpointOf, requestError, retryAfterMs, safeWords } from "../../packages/models/src/http-errors.ts";
import { notAStream, reportedError } from "../../packages/models/src/stream-errors.ts";

const endpoint = endpointOf("https://user:pw@api.example.com:8443/v1?key=zzz", ["my-secret-key", undefined, "abc"]);
const place = { endpoint, event: 4, usage: { inputTokens: 1 } };

function http(status: number, error: object | undefined, headers: Record<string, string> = {}) {
  return requestError(OpenAI.APIError.generate(status, error && { error }, undefined, new Headers(headers)), endpoint);
}

describe("HTTP statuses", () => {
  it.each([
    [400, "MODEL_REQUEST", false],
    [401, "MODEL_AUTH", false],
    [402, "MODEL_REQUEST", false],
    [403, "MODEL_AUTH", false],
    [404, "MODEL_REQUEST", false],
    [408, "MODEL_REQUEST", true],
    [409, "MODEL_REQUEST", true],
    [413, "MODEL_REQUEST", false],
    [422, "MODEL_REQUEST", false],
    [429, "MODEL_RATE_LIMIT", true],
    [500, "MODEL_SERVER", true],
    [502, "MODEL_SERVER", true],
    [503, "MODEL_OVERLOADED", true],
    [529, "MODEL_OVERLOADED", true],
  ])("%i is %s, retryable: %s", (status, code, retryable) => {
    const error = http(status, { message: "the words" });
    expect(error).toMatchObject({ code, retryable, status });
    expect(error.message).toContain(`(HTTP ${status}): the words`);
    expect(error.message).toContain("api.example.com:8443");
  });

  it("does not call a used-up quota retryable", () => {
    expect(http(429, { message: "m", code: "insufficient_quota" })).toMatchObject({ code: "MODEL_RATE_LIMIT", retryable: false });
  });

  it("follows the server's own word on retrying", () => {
    expect(http(500, { message: "m" }, { "x-should-retry": "false" }).retryable).toBe(false);
    expect(http(400, { message: "m" }, { "x-should-retry": "true" }).retryable).toBe(true);
  });

  it("says the request's id where there is one", () => {
    expect(http(500, { message: "m" }, { "x-request-id": "req_7" }).message).toContain("[request req_7]");
  });

  it("copes with bodies of other shapes", () => {
    const thrown = (message: string | undefined) => OpenAI.APIError.generate(502, undefined, message, new Headers());
    expect(requestError(thrown("<html><title>Bad Gateway</title></html>"), endpoint).message).toBe(
      "api.example.com:8443 failed (HTTP 502).",
    );
    expect(requestError(thrown(undefined), endpoint).message).toBe("api.example.com:8443 failed (HTTP 502).");
    expect(requestError(thrown("upstream died"), endpoint).message).toBe("api.example.com:8443 failed (HTTP 502): upstream died");
    expect(requestError({ status: 400, error: { type: "error", error: { message: "deep" } } }, endpoint).message).toContain(
      "deep",
    );
  });
});

describe("secrets", () => {
  it.each([
    ["Incorrect API key provided: my-secret-key.", "Incorrect API key provided: [key]."],
    ["bad key sk-proj-abcdef0123456789", "bad key [key]"],
    ["header Authorization: Bearer abcdef", "header Authorization: Bearer [key]"],
    ["GET https://me:pw@host/v1?api_key=123&x=1", "GET https://host/v1?api_key=[key]&x=1"],
    ["abc is short enough to be a word", "abc is short enough to be a word"],
  ])("are taken out of %j", (words, safe) => {
    expect(safeWords(words, endpoint)).toBe(safe);
  });

  it("are not in the host", () => {
    expect(endpoint.host).toBe("api.example.com:8443");
    expect(endpointOf(undefined, []).host).toBe("the model server");
  });

  it("keeps words short and on one line", () => {
    expect(safeWords(`a\n\n  b ${"x".repeat(400)}`, endpoint)).toMatch(/^a b x{296}…$/);
  });
});

describe("retry-after", () => {
  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "1200", "retry-after": "7" }, 1_200],
    [{ "retry-after": "-3" }, 0],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT", date: "Thu, 01 Jan 2026 00:00:10 GMT" }, 20_000],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("%j is %s ms", (headers, ms) => {
    expect(retryAfterMs(new Headers(headers))).toBe(ms);
    expect(retryAfterMs(headers)).toBe(ms);
  });
});

describe("no connection", () => {
  const failed = (code: string) => {
    const cause = Object.assign(new Error("low level"), { code });
    return requestError(new OpenAI.APIConnectionError({ cause: new TypeError("fetch failed", { cause }) }), endpoint);
  };

  it.each([
    ["ECONNREFUSED", true, "Check that the server runs"],
    ["ENOTFOUND", false, "no host of that name"],
    ["EAI_AGAIN", true, "could not be looked up"],
    ["ECONNRESET", true, "closed before an answer"],
    ["UND_ERR_CONNECT_TIMEOUT", true, "in time"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false, "not trusted"],
    ["HPE_INVALID_CONSTANT", false, "does not speak HTTP"],
    ["E_ODD", true, "(E_ODD)"],
  ])("%s says what to check; retryable: %s", (code, retryable, words) => {
    const error = failed(code);
    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retryable, status: undefined });
    expect(error.message).toContain(`Cannot reach the model server at api.example.com:8443: `);
    expect(error.message).toContain(words);
  });

  it("knows the client's own timeout", () => {
    expect(requestError(new OpenAI.APIConnectionTimeoutError(), endpoint).message).toContain("in time");
  });

  it("does not call other mistakes a connection failure [P1e]", () => {
    const thrown = new TypeError("x is not a function");
    expect(requestError(thrown, endpoint)).toMatchObject({ code: "MODEL_FAILED", retryable: false, cause: thrown });
  });
});

describe("errors inside a stream", () => {
  it.each([
    [{ message: "m", code: 429 }, true],
    [{ message: "m", code: "502" }, true],
    [{ message: "m", status_code: 400 }, false],
    [{ message: "m", code: 400 }, false],
    [{ message: "m", type: "invalid_request_error" }, false],
    [{ message: "m", type: "overloaded_error" }, true],
    [{ message: "m", code: "insufficient_quota" }, false],
    [{ message: "m", code: "tool_use_failed", type: "invalid_request_error", status_code: 400 }, true],
    [{ message: "m" }, true],
    ["m", true],
  ])("%j: retryable is %s", (payload, retryable) => {
    const error = reportedError(payload, place);
    expect(error).toMatchObject({ code: "MODEL_STREAM_ERROR", retryable, usage: { inputTokens: 1 } });
    expect(error.message).toMatch(/^api\.example\.com:8443 reported an error inside its answer \(event 4.*\): m$/);
  });

  it("does not show what the model wrote", () => {
    const payload = { message: "call failed", failed_generation: '{"password":"hunter2"}' };
    expect(reportedError(payload, place).message).not.toContain("hunter2");
  });
});

describe("a body that is no stream", () => {
  it.each([
    ["<!doctype html><p>hunter2", "an HTML page", false],
    ['{"choices":[{"message":{"content":"hunter2"}}]}', "a JSON document", false],
    ['{"error":{"message":"slow down","code":429}}', "It says: slow down", true],
    ["", "something else", false],
  ])("%j is named", (body, words, retryable) => {
    const error = notAStream(body, endpoint);
    expect(error).toMatchObject({ code: "MODEL_NOT_A_STREAM", retryable, status: 200 });
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("hunter2");
  });
});
