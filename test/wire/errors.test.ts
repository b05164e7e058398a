// Coded errors: one identity across copies of the package, and words for whatever was thrown.
import { CallwireError, ERROR_CODES, errorMessage, ModelError, ToolCallError } from "@callwire/wire";
import { describe, expect, it, vi } from "vitest";

describe("coded errors", () => {
  it("carry code, message and cause", () => {
    const cause = new Error("root");
    const error = new CallwireError("INVALID_OPTIONS", "maxRounds must be at least 1.", { cause });
    expect(error).toMatchObject({
      name: "CallwireError",
      code: "INVALID_OPTIONS",
      message: "maxRounds must be at least 1.",
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect("cause" in new CallwireError("INTERNAL", "x")).toBe(false);
  });

  it("are known to another copy of the package", async () => {
    const mine = new ToolCallError("x");
    vi.resetModules();
    const other = await import("@callwire/wire");
    expect(other.CallwireError).not.toBe(CallwireError);
    expect(mine).not.toBeInstanceOf(other.CallwireError);
    expect(other.CallwireError.is(mine)).toBe(true);
    expect(CallwireError.is(new other.ModelError("MODEL_AUTH", "x", { retryable: false }))).toBe(true);
    expect(other.ToolCallError.is(mine)).toBe(true);
  });

  it("are not taken for what only looks like them", () => {
    for (const value of [undefined, null, "x", new Error("x"), { code: "INTERNAL", message: "x" }]) {
      expect(CallwireError.is(value)).toBe(false);
      expect(ToolCallError.is(value)).toBe(false);
    }
    expect(ToolCallError.is(new CallwireError("INTERNAL", "x"))).toBe(false);
  });

  it("tell a failed model's facts", () => {
    const usage = { inputTokens: 3 };
    const error = new ModelError("MODEL_RATE_LIMIT", "slow down", { retryable: true, retryAfterMs: 5_000, usage, status: 429 });
    expect(error).toMatchObject({
      name: "ModelError",
      code: "MODEL_RATE_LIMIT",
      retryable: true,
      retryAfterMs: 5_000,
      usage,
      status: 429,
    });
    const bare = new ModelError("MODEL_SERVER", "x", { retryable: false });
    expect(bare.retryAfterMs).toBeUndefined();
    expect("cause" in bare).toBe(false);
  });

  it("have codes of their own", () => {
    expect(new Set(ERROR_CODES).size).toBe(ERROR_CODES.length);
    expect(new ToolCallError("x").code).toBe("TOOL_FAILED");
  });
});

describe("errorMessage", () => {
  it("finds words for anything that was thrown", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(errorMessage(new Error("plain"))).toBe("plain");
    expect(errorMessage(new RangeError(""))).toBe("RangeError");
    expect(errorMessage("text")).toBe("text");
    expect(errorMessage({ a: 1 })).toBe('{"a":1}');
    expect(errorMessage(undefined)).toBe("undefined");
    expect(errorMessage(null)).toBe("null");
    expect(errorMessage(1n)).toBe("1");
    expect(errorMessage(cyclic)).toBe("[object Object]");
  });
});
