// T2: every way to end a call goes one path; the event's text is read off the block that the model reads.
import { resultText, toolOutput } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { DENY, echo, fails, replies, slow, tool, write } from "./cast.ts";

const LIMIT = 40;

describe("the result of a settled call", () => {
  it("is the text of its block, however the call ended [T2a, I6]", async () => {
    const images = [{ type: "image", mediaType: "image/png", data: "AAAA" }] as const;
    const script = oneRound(
      call("ok", "echo", { say: "x".repeat(100) }),
      call("rich", "rich"),
      call("unknown", "nope"),
      call("invalid", "echo", { say: 1 }),
      call("unparsable", "echo", {}, { args: undefined, argsText: "{" }),
      call("denied", "write"),
      call("throws", "fails"),
      call("late", "late"),
      { providerCall: { id: "theirs", name: "search", result: "y".repeat(100) } },
    );
    const rich = tool("rich", () => toolOutput({ text: "z".repeat(100), images }));
    const { ofType, block } = await playTurn({
      script,
      tools: (stage) => [echo, rich, write, fails, slow(stage, "late", 10_000, { timeoutMs: 5 })],
      approver: replies({ denied: DENY }),
      maxToolResultChars: LIMIT,
    });
    const settled = ofType("tool-call").filter((event) => event.status === "completed" || event.status === "failed");
    expect(settled).toHaveLength(9);
    for (const event of settled) {
      expect(event.result).toBe(resultText(block(event.toolCallId)));
      expect(event.result.length).toBeLessThanOrEqual(LIMIT);
    }
  });

  it("is joined from text blocks without a separator [T2a]", async () => {
    const content = ["one", "two"].map((text) => ({ type: "text" as const, text }));
    const { event } = await playTurn({ script: [[{ providerCall: { id: "a", name: "search", result: { content } } }]] });
    expect(event("a", "completed").result).toBe("onetwo");
  });

  it("is told before its block is in the conversation, and the block is what was told [T2b, T1f]", async () => {
    const copies: string[] = [];
    const { block } = await playTurn({
      script: oneRound(call("a", "echo", { say: "x" }), call("b", "slow")),
      tools: (stage) => [echo, slow(stage, "slow", 50)],
      on: (event) => {
        if (event.type === "tool-call" && event.status === "completed") copies.push(event.result);
      },
    });
    expect(copies).toEqual([resultText(block("a")), resultText(block("b"))]);
  });
});

describe("the clamp", () => {
  /** The result of a body that returns this text. */
  async function clamped(text: string, maxToolResultChars?: number): Promise<string> {
    const { event } = await playTurn({ script: oneRound(call("a", "t")), tools: [tool("t", () => text)], maxToolResultChars });
    return event("a", "completed").result;
  }

  it("leaves alone what fits exactly [P8b]", async () => {
    expect(await clamped("x".repeat(60), 60)).toBe("x".repeat(60));
  });

  it("cuts what is one character too long, notice included [P8b]", async () => {
    const result = await clamped("x".repeat(61), 60);
    expect(result).toMatch(/^x+… \[truncated, 61 chars total\]$/);
    expect(result).toHaveLength(60);
  });

  it("stands at 20,000 by default [P8b]", async () => {
    expect(await clamped("x".repeat(20_000))).toHaveLength(20_000);
    const result = await clamped("x".repeat(20_001));
    expect(result).toHaveLength(20_000);
    expect(result).toMatch(/… \[truncated, 20001 chars total\]$/);
  });

  it("is the notice alone where nothing else fits [P8b]", async () => {
    expect(await clamped("x".repeat(100), 5)).toBe("… [truncated, 100 chars total]");
  });

  it("never cuts a character in two [P8b]", async () => {
    for (let limit = 40; limit < 44; limit++) {
      const result = await clamped("😀".repeat(50), limit);
      expect(result).toMatch(/^(?:😀)+… \[truncated, 100 chars total\]$/u);
      expect(result.length).toBeLessThanOrEqual(limit);
    }
  });

  it("cuts the JSON text for the model; the value for the host stays whole [P8b, E2e]", async () => {
    const value = { list: Array.from({ length: 50 }, (_, i) => i) };
    const { event } = await playTurn({
      script: oneRound(call("a", "t")),
      tools: [tool("t", () => value)],
      maxToolResultChars: 60,
    });
    expect(event("a", "completed")).toMatchObject({ result: expect.stringMatching(/truncated, \d+ chars total/), output: value });
  });

  it("does not touch images [P8b]", async () => {
    const image = { type: "image", mediaType: "image/png", data: "A".repeat(1_000) } as const;
    const rich = tool("t", () => toolOutput({ text: "x".repeat(100), images: [image] }));
    const { block } = await playTurn({ script: oneRound(call("a", "t")), tools: [rich], maxToolResultChars: 50 });
    expect(block("a").content[1]).toEqual(image);
  });
});
