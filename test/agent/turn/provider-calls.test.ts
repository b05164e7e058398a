// T1 for calls that the model's provider runs itself: the same life, with the result from there.
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

const search = (id: string, more: object = {}) => ({ providerCall: { id, name: "search", args: { q: "cats" }, ...more } });
const report = (id: string, message: string) => ({ providerProgress: { id, message } });

describe("a provider-executed call", () => {
  it("is preparing while its attempt lives, and what it reports is progress [T1g]", async () => {
    const script = [[search("w", { result: "3 cats" }), report("w", "searching"), { text: "Found." }]];
    const { words, ofType } = await playTurn({ script });
    expect(words.slice(2, 5)).toEqual(["preparing w", "tool-call-progress", "text-delta"]);
    expect(ofType("tool-call-progress")).toEqual([
      { type: "tool-call-progress", turnId: "turn", at: 0, toolCallId: "w", message: "searching" },
    ]);
  });

  it.each([{ error: {} }, { stop: "length" as const }, { restart: true as const }])(
    "is discarded with its attempt: %o [T1g]",
    async (end) => {
      const { calls, result } = await playTurn({ script: [[search("w", { result: "3 cats" }), end]] });
      expect(calls).toEqual({ w: "preparing discarded" });
      expect(JSON.stringify(result.messages)).not.toContain("cats");
    },
  );

  it("is announced with the others and settled before any body [T1h]", async () => {
    const script = oneRound(call("a", "echo", { say: "x" }), search("w", { result: "3 cats" }), call("b", "echo", { say: "y" }));
    const { words } = await playTurn({ script, tools: [echo] });
    const calls = words.filter((word) => /^(pending|running|completed)/.test(word));
    expect(calls.slice(0, 6)).toEqual(["pending a", "pending w", "pending b", "running w", "completed w", "running a"]);
  });

  it("has its result in the assistant message, right after its call [T1h]", async () => {
    const { added, event, block } = await playTurn({ script: [[search("w", { result: "3 cats" }), { text: "Found." }]] });
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(added[1]?.content).toEqual([
      { type: "tool_use", id: "w", name: "search", input: { q: "cats" }, providerExecuted: true },
      block("w"),
      { type: "text", text: "Found." },
    ]);
    expect(event("w", "pending").providerExecuted).toBe(true);
    expect(event("w", "completed").result).toBe("3 cats");
  });

  it("makes no round of its own: an answer without calls of ours ends the turn [T1h]", async () => {
    const { result, requests } = await playTurn({ script: [[search("w", { result: "3 cats" }), { text: "Found." }]] });
    expect(result).toMatchObject({ stopReason: "answered", rounds: 1, text: "Found." });
    expect(requests).toHaveLength(1);
  });

  it("has the result '' where the provider shows none [T1h]", async () => {
    const { event, block } = await playTurn({ script: [[search("w")]] });
    expect(event("w", "completed").result).toBe("");
    expect(block("w").content).toEqual([{ type: "text", text: "" }]);
  });

  it("fails in the provider's words when the provider says so [T1h]", async () => {
    const result = { content: [{ type: "text", text: "quota exceeded" }], isError: true, display: { code: 7 } };
    const { event, block } = await playTurn({ script: [[search("w", { result })]] });
    expect(event("w", "failed")).toMatchObject({ result: "quota exceeded", reason: "tool-error", executed: "yes" });
    expect(block("w")).toMatchObject({ is_error: true, meta: { reason: "tool-error", executed: "yes" } });
  });

  it("has text blocks joined, images kept and a display for the host [T2a, T1h]", async () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA" };
    const content = [{ type: "text", text: "3 " }, image, { type: "text", text: "cats" }];
    const { event, block } = await playTurn({ script: [[search("w", { result: { content, display: [3] } })]] });
    expect(event("w", "completed")).toMatchObject({ result: "3 cats", display: [3] });
    expect(block("w").content).toEqual([{ type: "text", text: "3 cats" }, image]);
  });

  it("is clamped like any result [P8b]", async () => {
    const { event } = await playTurn({ script: [[search("w", { result: "x".repeat(100) })]], maxToolResultChars: 60 });
    expect(event("w", "completed").result).toMatch(/^x+… \[truncated, 100 chars total\]$/);
  });

  it("needs no tool of that name, and no approval of ours [T1h]", async () => {
    const gated = tool("search", () => "ours", { requiresApproval: true });
    const { calls, event } = await playTurn({ script: [[search("w", { result: "theirs" })]], tools: [gated] });
    expect(calls).toEqual({ w: "preparing pending running completed" });
    expect(event("w", "completed").result).toBe("theirs");
  });

  it("is told in order even when the check of a sibling takes time [T1h, E0a]", async () => {
    const { event } = await playTurn({
      script: [[search("w"), { stop: "pause" }], [search("w", { result: "3 cats" }), call("a", "t")], [{ text: "Done." }]],
      tools: ({ clock }) => [
        tool("t", () => "ok", {
          input: {
            "~standard": {
              version: 1,
              vendor: "test",
              validate: (value: unknown) => clock.sleep(40).then(() => ({ value })),
              jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
            },
          },
        }),
      ],
    });
    expect(event("w", "completed").at).toBe(40);
  });
});

describe("a provider-executed call that pauses", () => {
  const pause = { stop: "pause" as const };

  it("stays running until the continuation that finishes it is accepted [T1i]", async () => {
    const script = [
      [{ text: "Hm. " }, search("w"), pause],
      [report("w", "still searching"), search("w", { result: "3 cats" }), { text: "Found." }],
    ];
    const { calls, words, added, result } = await playTurn({ script });
    expect(calls).toEqual({ w: "preparing pending running completed" });
    expect(words.slice(words.indexOf("running w"), -1)).toEqual([
      "running w",
      "tool-call-progress",
      "text-delta",
      "round-usage",
      "message",
      "completed w",
    ]);
    expect(added[2]?.content).toEqual([
      expect.objectContaining({ type: "tool_result", tool_use_id: "w" }),
      { type: "text", text: "Found." },
    ]);
    expect(result).toMatchObject({ stopReason: "answered", rounds: 2, text: "Hm. Found." });
  });

  it("stays running over more than one pause [T1i]", async () => {
    const script = [[search("w"), pause], [search("w"), { text: "…" }, pause], [search("w", { result: "3 cats" })]];
    const { calls, requests } = await playTurn({ script });
    expect(calls).toEqual({ w: "preparing pending running completed" });
    expect(requests).toHaveLength(3);
  });

  it("is finished without a shown result when the continuation does not pause [T1i]", async () => {
    const { event } = await playTurn({
      script: [
        [search("w"), pause],
        [search("w"), { text: "Found." }],
      ],
    });
    expect(event("w", "completed").result).toBe("");
  });

  it("may stand beside calls of ours in the same answer [T1i, T10a]", async () => {
    const script = [[search("w"), call("a", "echo", { say: "x" }), pause], [search("w", { result: "3 cats" })]];
    const { calls, added } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ w: "preparing pending running completed", a: "preparing pending running completed" });
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it.each([
    ["rounds are used up", { maxRounds: 1 }, [[search("w"), pause]], "max-rounds"],
    ["the model fails", {}, [[search("w"), pause], [{ error: {} }]], "error"],
    ["the continuation forgets it", {}, [[search("w"), pause], [{ text: "Never mind." }]], "answered"],
    [
      "the continuation is cut",
      {},
      [
        [search("w"), pause],
        [search("w", { result: "3 cats" }), { stop: "length" as const }],
      ],
      "length",
    ],
    [
      "the continuation is malformed",
      {},
      [
        [search("w"), pause],
        [search("w", { result: "3 cats" }), { stop: "malformed" as const }],
      ],
      "error",
    ],
    [
      "the caller aborts",
      { abortAt: 20 },
      [
        [search("w"), pause],
        [search("w", { result: "3 cats" }), { hang: true as const }],
      ],
      "cancelled",
    ],
  ] as const)(
    "fails interrupted, executed unknown, when %s first [T1j, fail-interrupted]",
    async (_, more, script, stopReason) => {
      const { event, result, block } = await playTurn({ script, ...more });
      expect(event("w", "failed")).toMatchObject({ reason: "interrupted", executed: "unknown" });
      expect(block("w").is_error).toBe(true);
      expect(result.stopReason).toBe(stopReason);
      expect(result.messages.at(-1)?.role).toBe("tool");
    },
  );

  it("fails interrupted when the caller aborts while the continuation is being accepted [T1j, T8c]", async () => {
    const script = [
      [search("w"), pause],
      [search("w", { result: "3 cats" }), call("a", "t")],
    ];
    const endless = {
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: () => new Promise<never>(() => undefined),
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    };
    const { calls, event } = await playTurn({ script, tools: [tool("t", () => "ok", { input: endless })], abortAt: 20 });
    expect(calls).toEqual({ w: "preparing pending running failed", a: "preparing discarded" });
    expect(event("w", "failed").reason).toBe("interrupted");
  });
});
