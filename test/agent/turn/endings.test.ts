// T12, T13: how a turn ends, what it says of itself, and that nothing a host's own code throws changes any of it.
import { runTurn } from "@callwire/agent/turn";
import { type Model, type ModelEnd, ModelError, type ModelStop } from "@callwire/wire";
import { scriptedModel } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, replies, tool, write } from "./cast.ts";

const again = [call("a", "echo", { say: "x" })] as const;

describe("stopReason", () => {
  it("is answered when an answer has no calls [T12a]", async () => {
    const { result } = await playTurn({ script: [[{ text: "Yes." }]] });
    expect(result).toMatchObject({ stopReason: "answered", text: "Yes.", rounds: 1, usage: {} });
    expect(result).not.toHaveProperty("error");
  });

  it("is answered for an empty answer too, which leaves no message [T12a, T11a]", async () => {
    const { result, added } = await playTurn({ script: [[]] });
    expect(result).toMatchObject({ stopReason: "answered", text: "" });
    expect(added).toHaveLength(1);
  });

  it("is max-rounds when rounds are used up: no event for any call, the last results in messages [T12a, row-28]", async () => {
    const { result, words, added } = await playTurn({ script: [again, again, again], tools: [echo], maxRounds: 2 });
    expect(result).toMatchObject({ stopReason: "max-rounds", rounds: 2 });
    expect(words.slice(-2)).toEqual(["message", "turn-end"]);
    expect(added.at(-1)).toMatchObject({ role: "tool", content: [{ tool_use_id: "a_2" }] });
  });

  it("is max-rounds after eight by default [P8a]", async () => {
    const { result, requests } = await playTurn({ script: Array(9).fill(again), tools: [echo] });
    expect(requests).toHaveLength(8);
    expect(result).toMatchObject({ stopReason: "max-rounds", rounds: 8 });
  });

  it("is answered when the last allowed round answers [T12a]", async () => {
    const { result } = await playTurn({ script: [again, [{ text: "Yes." }]], tools: [echo], maxRounds: 2 });
    expect(result.stopReason).toBe("answered");
  });

  it.each<ModelStop>(["end", "tool-calls", "pause"])(
    "does not depend on the provider's word: calls are run at %s [T12b]",
    async (stop) => {
      const { calls, result } = await playTurn({ script: oneRound(...again, { stop }), tools: [echo] });
      expect(calls.a).toBe("preparing pending running completed");
      expect(result.stopReason).toBe("answered");
    },
  );

  it("is answered at tool-calls without a call [T12b]", async () => {
    const { result, requests } = await playTurn({ script: [[{ text: "Yes." }, { stop: "tool-calls" }]] });
    expect(result.stopReason).toBe("answered");
    expect(requests).toHaveLength(1);
  });
});

describe("the result's text", () => {
  it("is that of all rounds, as it was told [T12a]", async () => {
    const script = [[{ text: "One. " }, ...again, { text: "Two. " }], [{ text: "Three." }]];
    const { result, ofType } = await playTurn({ script, tools: [echo] });
    expect(result.text).toBe("One. Two. Three.");
    expect(
      ofType("text-delta")
        .map(({ textDelta }) => textDelta)
        .join(""),
    ).toBe(result.text);
  });
});

describe("usage", () => {
  const stop = (usage: object) => ({ stop: "end" as const, usage });

  it("is the sum over rounds, by kind; what nobody reports stays absent [E0c, E0e]", async () => {
    const script = [
      [...again, stop({ inputTokens: 10, outputTokens: 5, cachedInputTokens: 4 })],
      [{ text: "Done." }, stop({ inputTokens: 20, outputTokens: 7, reasoningTokens: 3 })],
    ];
    const { result, ofType } = await playTurn({ script, tools: [echo] });
    expect(result.usage).toEqual({ inputTokens: 30, outputTokens: 12, cachedInputTokens: 4, reasoningTokens: 3 });
    expect(ofType("round-usage").map(({ round, usage }) => [round, usage.inputTokens])).toEqual([
      [1, 10],
      [2, 20],
    ]);
  });

  it("may be zero, which is not absent [E0e]", async () => {
    const { result } = await playTurn({ script: [[{ text: "Hi." }, stop({ outputTokens: 0 })]] });
    expect(result.usage).toEqual({ outputTokens: 0 });
  });

  it("tells how long each attempt took and what it showed [E0e]", async () => {
    const { ofType } = await playTurn({ script: oneRound({ wait: 30 }, ...again, { wait: 20 }), tools: [echo] });
    expect(ofType("round-usage")[0]).toEqual({
      type: "round-usage",
      turnId: "turn",
      at: 50,
      seq: 3,
      round: 1,
      usage: {},
      attempts: [{ n: 1, ms: 50, prepared: ["echo"] }],
    });
  });
});

describe("a model that fails", () => {
  it("ends the turn with its own code, message and cause [P1e, row-8, T12a]", async () => {
    const cause = new Error("socket closed");
    const failure = new ModelError("MODEL_RATE_LIMIT", "Too many requests.", {
      retryable: true,
      retryAfterMs: 5,
      cause,
      usage: { inputTokens: 3 },
    });
    const model: Model = { name: "m", run: () => Promise.reject(failure) };
    const { result, ofType } = await playTurn({ model });
    expect(result).toMatchObject({
      stopReason: "error",
      error: { code: "MODEL_RATE_LIMIT", message: "Too many requests." },
      usage: { inputTokens: 3 },
    });
    expect(result.error?.cause).toBe(failure);
    expect(ofType("turn-end")[0]?.error).toEqual({ code: "MODEL_RATE_LIMIT", message: "Too many requests." });
  });

  it.each<[string, () => Promise<ModelEnd>]>([
    ["rejects with an error", () => Promise.reject(new Error("boom"))],
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects with a word", () => Promise.reject("boom")],
  ])("is wrapped with its cause where it %s [P1e]", async (_, run) => {
    const { result } = await playTurn({ model: { name: "m", run } });
    expect(result.error).toMatchObject({ code: "MODEL_FAILED", message: "The model failed: boom" });
    expect(result.error?.cause).toMatchObject({ name: "ModelError", cause: expect.anything() });
  });

  it.each([undefined, null, {}, { stop: "end" }, { calls: [] }, "end", 5])(
    "may also resolve to what is no end: %o [P1e, T8g]",
    async (end) => {
      const { result } = await playTurn({ model: { name: "m", run: async () => end as never } });
      expect(result.error).toMatchObject({ code: "MODEL_FAILED", message: expect.stringMatching(/no ModelEnd/) });
    },
  );

  it("may say that its usage is null [P1e, T8g]", async () => {
    const usage = null as never;
    const { result } = await playTurn({ model: { name: "m", run: async () => ({ stop: "end", calls: [], usage }) } });
    expect(result).toMatchObject({ stopReason: "answered", usage: {} });
  });

  it("may return no promise, or give or reject with what nobody can look at [P1e, T8g]", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const given = { stop: "end" };
    Object.defineProperty(given, "calls", { get: () => JSON.parse("{") });
    for (const run of [() => undefined as never, () => Promise.reject(proxy), async () => given as never]) {
      const { result } = await playTurn({ model: { name: "m", run } });
      expect(result.error?.code).toBe("MODEL_FAILED");
    }
  });

  it("is recognised when its error comes from another copy of the package [P1e]", async () => {
    const foreign = Object.assign(new Error("No such key."), {
      [Symbol.for("callwire.error")]: true,
      code: "MODEL_AUTH",
      retryable: false,
    });
    const { result } = await playTurn({ model: { name: "m", run: () => Promise.reject(foreign) } });
    expect(result.error).toMatchObject({ code: "MODEL_AUTH", message: "No such key." });
  });
});

describe("what a host's own code throws", () => {
  const script = oneRound({ text: "Hm." }, call("a", "echo", { say: "x" }), call("b", "write"));
  const tools = [echo, write];
  const approver = replies();

  it("in a subscriber changes no event and no outcome [T13a]", async () => {
    const quiet = await playTurn({ script, tools, approver });
    const loud = await playTurn({
      script,
      tools,
      approver,
      on: () => {
        throw new Error("the page is gone");
      },
    });
    expect(loud.events).toEqual(quiet.events);
    expect(loud.result).toEqual(quiet.result);
    expect(loud.reports).toEqual(Array(quiet.events.length).fill("subscriber"));
  });

  it("in an asynchronous subscriber is reported too, and rejects nowhere else [T13a]", async () => {
    const reports: string[] = [];
    const emit = async () => {
      throw new Error("the page is gone");
    };
    const model = scriptedModel([[{ text: "Hi." }]]);
    const result = await runTurn({ model, prompt: "go", emit, onError: (_error, where) => reports.push(where) });
    await undefined;
    expect(result.stopReason).toBe("answered");
    expect(new Set(reports)).toEqual(new Set(["subscriber"]));
  });

  it("in the error hook itself changes nothing either [T13a]", async () => {
    const broken = () => {
      throw new Error("broken");
    };
    const { result } = await playTurn({
      script,
      tools: [...tools, tool("t", () => "ok", { title: broken })],
      approver,
      onError: broken,
      on: broken,
    });
    expect(result.stopReason).toBe("answered");
  });

  it("needs no hook and no subscriber to be survived [T13a, T8g]", async () => {
    const model = scriptedModel([[call("a", "t")], [{ text: "Done." }]]);
    const broken = tool("t", () => "ok", { title: () => JSON.parse("{") });
    await expect(runTurn({ model, prompt: "go", tools: [broken] })).resolves.toMatchObject({
      stopReason: "answered",
      text: "Done.",
    });
  });
});
