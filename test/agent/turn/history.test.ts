// T10, T11: the conversation is sound at every moment, tells a card what it needs, and is mirrored by events.
import type { Message, TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { ALLOW, DENY, echo, fails, obedient, replies, slow, tool, write } from "./cast.ts";

const earlier: readonly Message[] = [
  { id: "h0", role: "system", content: "Be brief." },
  { id: "h1", role: "user", content: [{ type: "text", text: "before" }] },
  { id: "h2", role: "assistant", content: [{ type: "tool_use", id: "h", name: "echo", input: { say: "x" } }] },
  {
    id: "h3",
    role: "tool",
    content: [{ type: "tool_result", tool_use_id: "h", content: [{ type: "text", text: "x" }], meta: { round: 1 } }],
  },
  { id: "h4", role: "assistant", content: [{ type: "text", text: "x it is" }] },
];

/** A turn for each way to end. */
const OUTCOMES: readonly (readonly [string, PlayOptions])[] = [
  ["answered", { script: oneRound(call("a", "echo", { say: "x" })), tools: [echo] }],
  ["max-rounds", { script: [[call("a", "fails")]], tools: [fails], maxRounds: 1 }],
  [
    "length",
    { script: [[call("a", "echo", { say: "x" })], [{ text: "cut" }, call("b", "echo"), { stop: "length" }]], tools: [echo] },
  ],
  ["refusal", { script: [[{ text: "no" }, { stop: "refusal" }]] }],
  [
    "stopped",
    {
      script: oneRound(call("a", "write"), call("b", "write")),
      tools: [write],
      approver: replies({ a: { reply: { answer: "cancel" } }, b: {} }),
    },
  ],
  ["cancelled", { script: oneRound(call("a", "t"), call("b", "t")), tools: (stage) => [obedient(stage, "t", 100)], abortAt: 50 }],
  ["error", { script: [[call("a", "echo", { say: "x" })], [{ text: "half" }, call("b", "echo"), { error: {} }]], tools: [echo] }],
];

describe.each(OUTCOMES)("a turn that ends %s", (stopReason, options) => {
  it("leaves each call with exactly one result, in its round, in order [T10a, I7, T12a]", async () => {
    const { result } = await playTurn({ ...options, messages: earlier });
    expect(result.stopReason).toBe(stopReason);
    const uses = result.messages.flatMap(({ content }) => (typeof content === "string" ? [] : [...content]));
    const ids = (type: string, key: string) => uses.flatMap((block) => (block.type === type ? [(block as never)[key]] : []));
    expect(ids("tool_result", "tool_use_id")).toEqual(ids("tool_use", "id"));
  });

  it("tells one message event per appended message: replayed they give the output [T11a]", async () => {
    const { ofType, result } = await playTurn({ ...options, messages: earlier });
    expect([...earlier, ...ofType("message").map(({ message }) => message)]).toEqual(result.messages);
  });

  it("keeps what was given, as the same objects, and starts with the prompt [T11a]", async () => {
    const { result, ofType } = await playTurn({ ...options, messages: earlier });
    for (const [i, message] of earlier.entries()) expect(result.messages[i]).toBe(message);
    const prompt = result.messages[earlier.length];
    expect(prompt).toEqual({ id: ofType("turn-start")[0]?.prompt, role: "user", content: "go" });
  });

  it("gives every message an id of its own [T10a]", async () => {
    const { result } = await playTurn({ ...options, messages: earlier });
    const ids = result.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("what the model is sent", () => {
  it("is the conversation so far, with instructions beside it [T10a, P1d]", async () => {
    const { requests, result } = await playTurn({
      script: oneRound(call("a", "echo", { say: "x" })),
      tools: [echo],
      messages: earlier,
      system: "Be kind.",
    });
    expect(requests.map(({ messages }) => messages.length)).toEqual([6, 8]);
    for (const request of requests) {
      expect(request.system).toBe("Be kind.");
      expect(request.messages).toEqual(result.messages.slice(0, request.messages.length));
    }
    expect(JSON.stringify(result.messages)).not.toContain("Be kind.");
  });

  it("is not copied while it fits: all requests read one append-only list [P1d]", async () => {
    const lists: (readonly Message[])[] = [];
    const model = {
      name: "m",
      run: async (request: { readonly messages: readonly Message[]; readonly round: number }) => {
        lists.push(request.messages);
        return {
          stop: "end" as const,
          calls: request.round > 1 ? [] : [{ slot: 0, id: "a", name: "echo", input: { say: "x" } }],
        };
      },
    };
    const { result } = await playTurn({ model, tools: [echo] });
    expect(lists[0]).toBe(lists[1]);
    expect(result.messages).toBe(lists[0]);
  });

  it("takes a prompt of blocks as it is [T11a]", async () => {
    const prompt = [
      { type: "text" as const, text: "What is this?" },
      { type: "image" as const, mediaType: "image/png", data: "AAAA" },
    ];
    const { requests } = await playTurn({ prompt });
    expect(requests[0]?.messages).toEqual([{ id: expect.any(String), role: "user", content: prompt }]);
  });
});

describe("the facts beside a result", () => {
  const meta = async (options: PlayOptions, id = "a") => (await playTurn(options)).block(id).meta;

  it("are round and times for a completed call, and no reason [T10b]", async () => {
    const script = [[call("z", "echo", { say: "z" })], [{ wait: 5 }, call("a", "slow")], [{ text: "Done." }]] as const;
    const facts = await meta({ script, tools: (stage) => [echo, slow(stage, "slow", 20)] });
    expect(facts).toEqual({ round: 2, preparedAt: 5, startedAt: 5, endedAt: 25 });
  });

  it("are reason and executed for a failed one [T10b]", async () => {
    expect(await meta({ script: oneRound(call("a", "fails")), tools: [fails] })).toEqual({
      round: 1,
      reason: "tool-error",
      executed: "yes",
      preparedAt: 0,
      startedAt: 0,
      endedAt: 0,
    });
  });

  it("are when a person was asked, also where the body never ran [T10b]", async () => {
    const asked = (answer: typeof ALLOW) => ({
      script: oneRound({ wait: 5 }, call("a", "write")),
      tools: [write],
      approver: replies({ a: { ms: 30, ...answer } }),
    });
    expect(await meta(asked(ALLOW))).toEqual({ round: 1, preparedAt: 5, askedAt: 5, startedAt: 35, endedAt: 35 });
    expect(await meta(asked(DENY))).toEqual({
      round: 1,
      reason: "denied",
      executed: "no",
      preparedAt: 5,
      askedAt: 5,
      endedAt: 35,
    });
  });

  it("have no preparedAt for a call that was never shown early [T10b]", async () => {
    const script = oneRound(call("a", "echo", { say: "x" }, { early: false }));
    expect(await meta({ script, tools: [echo] })).toEqual({ round: 1, startedAt: 0, endedAt: 0 });
  });

  it("hold no second copy of the text [T10b, E2e]", async () => {
    expect(await meta({ script: oneRound(call("a", "t")), tools: [tool("t", () => "plain")] })).not.toHaveProperty("output");
  });
});

describe("the caller's own list", () => {
  it("is not changed, even when it is frozen [T11a]", async () => {
    const frozen = Object.freeze([...earlier]);
    const { result } = await playTurn({ script: oneRound(call("a", "echo", { say: "x" })), tools: [echo], messages: frozen });
    expect(frozen).toHaveLength(5);
    expect(result.messages).not.toBe(frozen);
  });

  it("may grow while the turn runs without the turn noticing [T11a]", async () => {
    const mine = [...earlier];
    let grown = 0;
    const on = (event: TurnEvent) => {
      if (event.type !== "round-usage") return;
      mine.push({ id: `mine-${++grown}`, role: "user", content: "unrelated" });
    };
    const { result } = await playTurn({ messages: mine.slice(), on });
    expect(JSON.stringify(result.messages)).not.toContain("unrelated");
  });
});
