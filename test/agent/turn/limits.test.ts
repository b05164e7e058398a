// The history that fits: requests leave out whole turns from the front, never half of one, and the conversation stays whole.
import type { Message } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

/** One earlier turn of about 100 characters with a call in it. */
function earlier(n: number): Message[] {
  const text = (what: string) => `${what} ${n} `.padEnd(25, "x");
  return [
    { id: `u${n}`, role: "user", content: text("ask") },
    { id: `c${n}`, role: "assistant", content: [{ type: "tool_use", id: `t${n}`, name: "echo", input: { say: text("in") } }] },
    {
      id: `r${n}`,
      role: "tool",
      content: [{ type: "tool_result", tool_use_id: `t${n}`, content: [{ type: "text", text: text("out") }] }],
    },
    { id: `a${n}`, role: "assistant", content: [{ type: "text", text: text("say") }] },
  ];
}

const system: Message = { id: "s", role: "system", content: "Be brief." };
const three = [...earlier(1), ...earlier(2), ...earlier(3)];

/** Ids of the messages of each request. */
async function sent(options: PlayOptions) {
  const { requests, result } = await playTurn({ tools: [echo], ...options });
  return { requests: requests.map(({ messages }) => messages.map(({ id }) => id)), kept: result.messages.length };
}

const ids = (...turns: readonly number[]) => turns.flatMap((n) => earlier(n).map(({ id }) => id));

describe("the history of a request [P8e]", () => {
  it("is whole while it fits", async () => {
    expect((await sent({ messages: three })).requests).toEqual([[...ids(1, 2, 3), "m1"]]);
    expect((await sent({ messages: three, maxHistoryChars: 10_000 })).requests).toEqual([[...ids(1, 2, 3), "m1"]]);
  });

  it("leaves out the oldest whole turns when it does not [T10a]", async () => {
    expect((await sent({ messages: three, maxHistoryChars: 300 })).requests).toEqual([[...ids(2, 3), "m1"]]);
    expect((await sent({ messages: three, maxHistoryChars: 150 })).requests).toEqual([[...ids(3), "m1"]]);
  });

  it("leaves nothing out of the conversation that the turn gives back", async () => {
    expect((await sent({ messages: three, maxHistoryChars: 150 })).kept).toBe(three.length + 2);
  });

  it("always has the newest turn, however long that is", async () => {
    expect((await sent({ messages: three, prompt: "x".repeat(500), maxHistoryChars: 10 })).requests).toEqual([["m1"]]);
  });

  it("always has the system messages at its head", async () => {
    expect((await sent({ messages: [system, ...three], maxHistoryChars: 150 })).requests).toEqual([["s", ...ids(3), "m1"]]);
    expect((await sent({ messages: [system, ...three], maxHistoryChars: 1 })).requests).toEqual([["s", "m1"]]);
  });

  it("shrinks further as the turn itself grows, and never loses a call of this turn [T10a]", async () => {
    const script = [[call("a", "big")], [call("b", "big")], [{ text: "Done." }]];
    const { requests } = await sent({
      script,
      messages: three,
      tools: [tool("big", () => "y".repeat(120))],
      maxHistoryChars: 400,
    });
    expect(requests[0]).toEqual([...ids(1, 2, 3), "m1"]);
    expect(requests[1]).toEqual([...ids(2, 3), "m1", "m2", "m3"]);
    expect(requests[2]?.slice(-5)).toEqual(["m1", "m2", "m3", "m4", "m5"]);
    expect(requests[2]).toEqual([...ids(3), "m1", "m2", "m3", "m4", "m5"]);
  });

  it("may be cut between any two turns without leaving a call alone [T10a, I7]", async () => {
    for (let limit = 1; limit < 420; limit += 7) {
      const { requests } = await sent({
        script: oneRound(call("z", "echo", { say: "x" })),
        messages: three,
        maxHistoryChars: limit,
      });
      for (const request of requests) expect(request.length).toBeGreaterThan(0);
    }
  });

  it("counts images, reasoning, arguments and results", async () => {
    const heavy = (content: Message["content"], role: "user" | "assistant" = "user") => [
      { id: "old", role: "user", content: "old" } as Message,
      { id: "heavy", role, content } as Message,
      { id: "new", role: "user", content: "new" } as Message,
    ];
    const long = "x".repeat(200);
    for (const messages of [
      heavy([{ type: "image", mediaType: "image/png", data: long }]),
      heavy([{ type: "reasoning", text: long }], "assistant"),
      heavy([{ type: "reasoning", text: "", payload: { signature: [long] } }], "assistant"),
    ]) {
      expect((await sent({ messages, maxHistoryChars: 100 })).requests).toEqual([["new", "m1"]]);
    }
    const called = [
      { id: "old", role: "user", content: "old" } as Message,
      {
        id: "c",
        role: "assistant",
        content: [{ type: "tool_use", id: "t", name: "echo", input: { deep: { list: [long] } } }],
      } as Message,
      {
        id: "r",
        role: "tool",
        content: [{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "x" }] }],
      } as Message,
      { id: "new", role: "user", content: "new" } as Message,
    ];
    expect((await sent({ messages: called, maxHistoryChars: 100 })).requests).toEqual([["new", "m1"]]);
  });
});
