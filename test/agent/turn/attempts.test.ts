// T4: nothing of an abandoned attempt survives, except text that the user has read when the turn ends.
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

const shown = [call("a", "echo", { say: "x" }), call("b", "echo", { say: "y" })];
const failing = [
  { text: "Hm. " },
  ...shown,
  { reasoning: "So." },
  { error: { code: "MODEL_STREAM_CUT" as const, usage: { outputTokens: 9 } } },
];

describe("an abandoned attempt", () => {
  it("ends with a discarded per shown call, then attempt-discarded, and nothing between [T4b]", async () => {
    const { words } = await playTurn({ script: [failing], tools: [echo] });
    const tail = ["discarded a", "discarded b", "attempt-discarded", "round-usage", "turn-end"];
    expect(words.slice(words.indexOf("discarded a"))).toEqual(tail);
  });

  it("leaves nothing in text, history or execution [T4a, row-8]", async () => {
    let bodies = 0;
    const { result, added } = await playTurn({ script: [failing], tools: [tool("echo", () => ++bodies)] });
    expect(bodies).toBe(0);
    expect(added.map(({ role }) => role)).toEqual(["user"]);
    expect(result).toMatchObject({ text: "", rounds: 0, stopReason: "error", error: { code: "MODEL_STREAM_CUT" } });
  });

  it("keeps what earlier rounds did [T4a, row-8]", async () => {
    const { result, added, calls } = await playTurn({
      script: [[{ text: "First. " }, call("z", "echo", { say: "z" })], failing],
      tools: [echo],
    });
    expect(calls.z).toBe("preparing pending running completed");
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    expect(result).toMatchObject({ text: "First. ", rounds: 1, stopReason: "error" });
  });

  it("has its usage counted, where the model told it [E0c, E0e]", async () => {
    const { result, ofType } = await playTurn({ script: [failing], tools: [echo] });
    expect(result.usage).toEqual({ outputTokens: 9 });
    expect(ofType("round-usage")[0]).toMatchObject({
      round: 1,
      usage: { outputTokens: 9 },
      attempts: [{ n: 1, reason: "stream-error" }],
    });
  });

  it("may be abandoned before anything was shown [T4b]", async () => {
    const { words } = await playTurn({ script: [[{ error: {} }]] });
    expect(words).toEqual(["turn-start", "message", "attempt-discarded", "round-usage", "turn-end"]);
  });
});

describe("text that was read when the turn ends", () => {
  const told = [{ reasoning: "Think." }, { text: "As far as " }, { text: "I know" }, ...shown];
  const ENDINGS: readonly (readonly [string, PlayOptions])[] = [
    ["length", { script: [[...told, { stop: "length" }]] }],
    ["refusal", { script: [[...told, { stop: "refusal" }]] }],
    ["cancelled", { script: [[...told, { hang: true }]], abortAt: 10 }],
  ];

  it.each(ENDINGS)("is kept as a partial message without calls: %s [T4c, row-9, row-23]", async (stopReason, options) => {
    const { result, words, added } = await playTurn({ ...options, tools: [echo] });
    expect(result).toMatchObject({ stopReason, text: "As far as I know", rounds: 0 });
    const content = [
      { type: "reasoning", text: "Think." },
      { type: "text", text: "As far as I know" },
    ];
    expect(added[1]).toEqual({ id: expect.any(String), role: "assistant", partial: true, content });
    expect(words.slice(words.indexOf("discarded a"))).toEqual([
      "discarded a",
      "discarded b",
      "round-usage",
      "message",
      "turn-end",
    ]);
  });

  it.each(ENDINGS)("is added to the text of earlier rounds: %s [T4c]", async (stopReason, options) => {
    const script = [[{ text: "First. " }, call("z", "echo", { say: "z" })], ...(options.script ?? [])];
    const { result } = await playTurn({ ...options, script, tools: [echo] });
    expect(result).toMatchObject({ stopReason, text: "First. As far as I know", rounds: 1 });
  });

  it.each(ENDINGS)("is told on its way even when text is held back: %s [T4c, T4e]", async (_, options) => {
    const { ofType, result } = await playTurn({ ...options, tools: [echo], liveText: "settled" });
    expect(ofType("text-delta").map(({ textDelta }) => textDelta)).toEqual(["As far as I know"]);
    expect(result.text).toBe("As far as I know");
  });

  it("leaves no message where there was only reasoning [T4c]", async () => {
    const { added } = await playTurn({ script: [[{ reasoning: "Think." }, { stop: "length" }]] });
    expect(added.map(({ role }) => role)).toEqual(["user"]);
  });
});

describe("text", () => {
  const script = oneRound({ text: "Let " }, { wait: 10 }, { text: "me see. " }, call("a", "echo", { say: "x" }));
  const deltas = async (options: PlayOptions) => {
    const { ofType } = await playTurn({ script, tools: [echo], ...options });
    return ofType("text-delta").map(({ at, textDelta, round }) => [at, textDelta, round]);
  };

  it("is told as it comes, by default [T4d]", async () => {
    const live = [
      [0, "Let ", 1],
      [10, "me see. ", 1],
      [10, "Done.", 2],
    ];
    expect(await deltas({})).toEqual(live);
    expect(await deltas({ liveText: "live" })).toEqual(live);
  });

  it("is held until its attempt is accepted, by option [T4e]", async () => {
    expect(await deltas({ liveText: "settled" })).toEqual([
      [10, "Let me see. ", 1],
      [10, "Done.", 2],
    ]);
  });

  it("comes before the message that has it when it is held [T4e]", async () => {
    const { words } = await playTurn({ script, tools: [echo], liveText: "settled" });
    const first = words.indexOf("text-delta");
    expect(first).toBeGreaterThan(words.indexOf("preparing a"));
    expect(words.slice(first, first + 4)).toEqual(["text-delta", "round-usage", "message", "pending a"]);
  });

  it("of an abandoned attempt is never told when it is held [T4e, T4a]", async () => {
    const { ofType } = await playTurn({ script: [failing], tools: [echo], liveText: "settled" });
    expect(ofType("text-delta")).toEqual([]);
  });

  it("has the port and the shape of Workglow's own delta [E0g]", async () => {
    const { ofType } = await playTurn({ script: [[{ text: "Hi." }]] });
    expect(ofType("text-delta")).toEqual([
      { type: "text-delta", port: "text", textDelta: "Hi.", turnId: "turn", at: 0, round: 1, attempt: 1 },
    ]);
  });

  it("that is empty is not told [E0g]", async () => {
    const { ofType } = await playTurn({ script: [[{ text: "" }, { reasoning: "" }, { text: "Hi." }, { text: "" }]] });
    expect(ofType("text-delta")).toHaveLength(1);
    expect(ofType("reasoning-delta")).toHaveLength(0);
  });
});

describe("reasoning", () => {
  it("is told with its place, and a sealed block without words is kept untold [E5]", async () => {
    const sealed = { type: "reasoning" as const, text: "", payload: "c2VhbGVk" };
    const { ofType, added } = await playTurn({ script: [[{ reasoning: "Think." }, { reasoning: sealed }, { text: "Hi." }]] });
    expect(ofType("reasoning-delta")).toEqual([
      { type: "reasoning-delta", textDelta: "Think.", turnId: "turn", at: 0, round: 1, attempt: 1 },
    ]);
    expect(added[1]?.content).toEqual([{ type: "reasoning", text: "Think." }, sealed, { type: "text", text: "Hi." }]);
  });
});
