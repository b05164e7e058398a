// T6: each call has one id of its own in the conversation, from its first sight to its result; the provider's where it is free.
import type { Message, Model, ModelCall } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayedTurn, playTurn } from "../../kit/turn.ts";
import { echo } from "./cast.ts";

const say = (id: string | undefined, text: string, more: object = {}) => call("", "echo", { say: text }, { id, ...more });
const inputs = ({ ofType }: PlayedTurn) =>
  Object.fromEntries(
    ofType("tool-call").flatMap((event) => (event.status === "pending" ? [[event.toolCallId, event.input.say]] : [])),
  );

const history: readonly Message[] = [
  { id: "h1", role: "user", content: "before" },
  { id: "h2", role: "assistant", content: [{ type: "tool_use", id: "a", name: "echo", input: {} }] },
  { id: "h3", role: "tool", content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "old" }] }] },
];

describe("a provider's id", () => {
  it("is kept where it is free, whatever it looks like [T6b]", async () => {
    const ids = ["call_0", "functions.echo:0", "ünï cødé", "toString", "x".repeat(200)];
    const turn = await playTurn({ script: oneRound(...ids.map((id, i) => say(id, String(i)))), tools: [echo] });
    expect(inputs(turn)).toEqual(Object.fromEntries(ids.map((id, i) => [id, String(i)])));
  });

  it("gets _2, _3 ... when it was used in an earlier round [T6b, T6h]", async () => {
    const script = [[say("a", "1")], [say("a", "2")], [say("a", "3")], [{ text: "Done." }]];
    const turn = await playTurn({ script, tools: [echo] });
    expect(inputs(turn)).toEqual({ a: "1", a_2: "2", a_3: "3" });
  });

  it("gets a suffix that is free itself [T6b]", async () => {
    const script = [[say("a", "1"), say("a_2", "2")], [say("a", "3")], [{ text: "Done." }]];
    expect(inputs(await playTurn({ script, tools: [echo] }))).toEqual({ a: "1", a_2: "2", a_3: "3" });
  });

  it("counts as used when it was given to another call [T6b]", async () => {
    const script = [[say("a", "1")], [say("a", "2")], [say("a_2", "3")], [{ text: "Done." }]];
    expect(inputs(await playTurn({ script, tools: [echo] }))).toEqual({ a: "1", a_2: "2", a_2_2: "3" });
  });

  it("counts as used when it stands in the history that was given [T6c]", async () => {
    const turn = await playTurn({ script: oneRound(say("a", "new")), tools: [echo], messages: history });
    expect(inputs(turn)).toEqual({ a_2: "new" });
    expect(turn.event("a_2", "preparing").toolCallId).toBe("a_2");
  });

  it("counts as used when its call was discarded [T6c]", async () => {
    const script = oneRound(say("a", "old"), { restart: true }, say("a", "new"));
    const turn = await playTurn({ script, tools: [echo] });
    expect(inputs(turn)).toEqual({ a_2: "new" });
  });

  it.each([
    ["is missing", undefined],
    ["is empty", ""],
  ])("is minted where it %s, from the turn's ids [T6b, P4]", async (_, id) => {
    const turn = await playTurn({ script: oneRound(say(id, "1"), say(id, "2")), tools: [echo] });
    expect(inputs(turn)).toEqual({ call_m2: "1", call_m3: "2" });
  });

  it("is reserved when it is prepared: the card and the call share it [T6a]", async () => {
    const script = [[say("a", "1")], [say("a", "2"), { wait: 5 }], [{ text: "Done." }]];
    const { event } = await playTurn({ script, tools: [echo] });
    expect(event("a_2", "preparing").at).toBe(0);
    expect(event("a_2", "pending").preparedAt).toBe(0);
  });
});

describe("requests", () => {
  it("carry the assigned ids, in calls and results alike [T6d]", async () => {
    const script = [[say("a", "1")], [say("a", "2")], [{ text: "Done." }]];
    const { requests } = await playTurn({ script, tools: [echo] });
    const blocks = requests[2]?.messages.flatMap(({ content }) => (typeof content === "string" ? [] : [...content])) ?? [];
    expect(blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))).toEqual(["a", "a_2"]);
    expect(blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []))).toEqual(["a", "a_2"]);
  });
});

describe("one id twice in one answer", () => {
  it("is one call where name and arguments are equal, in any order of keys [T6e]", async () => {
    const script = oneRound(
      call("a", "echo", { say: "x", more: { p: 1, q: [2] } }),
      call("a", "echo", { more: { q: [2], p: 1 }, say: "x" }),
    );
    const { calls, added } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed", a_2: "preparing discarded" });
    expect(JSON.stringify(added).match(/tool_use"/g)).toHaveLength(1);
  });

  it("is the call that owns a card, when only one does [T6e]", async () => {
    const script = oneRound(say("a", "x", { early: false }), say("a", "x"));
    const { calls, event } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed" });
    expect(event("a", "pending").preparedAt).toBe(0);
  });

  it("is one call without any card too [T6e, T6g]", async () => {
    const { calls } = await playTurn({
      script: oneRound(say("a", "x", { early: false }), say("a", "x", { early: false })),
      tools: [echo],
    });
    expect(calls).toEqual({ a: "pending running completed" });
  });

  it.each([
    ["arguments", [say("a", "1"), say("a", "2")]],
    ["names", [say("a", "1"), call("a", "nope", { say: "1" })]],
  ])("is two calls where the %s differ [T6f]", async (_, steps) => {
    const { calls, added } = await playTurn({ script: oneRound(...steps), tools: [echo] });
    expect(Object.keys(calls)).toEqual(["a", "a_2"]);
    for (const life of Object.values(calls)) expect(life).toMatch(/^preparing pending running (completed|failed)$/);
    expect(added[1]?.content).toMatchObject([{ id: "a" }, { id: "a_2" }]);
  });

  it("is two calls when the arguments of one cannot be read [T6f]", async () => {
    const script = oneRound(say("a", "1"), call("a", "echo", {}, { args: undefined, argsText: "{" }));
    const { event } = await playTurn({ script, tools: [echo] });
    expect(event("a", "completed").result).toBe("1");
    expect(event("a_2", "failed").reason).toBe("invalid-arguments");
  });

  it("is a call for each one whose arguments cannot be read: nobody knows whether they are equal [T6f]", async () => {
    const bad = call("a", "echo", {}, { args: undefined, argsText: "{" });
    const { calls } = await playTurn({ script: oneRound(say("a", "1"), say("a", "1"), bad, bad), tools: [echo] });
    expect(calls).toEqual({
      a: "preparing pending running completed",
      a_2: "preparing discarded",
      a_3: "preparing pending running failed",
      a_4: "preparing pending running failed",
    });
  });
});

describe("equal calls", () => {
  it("all run when their ids differ [T6h]", async () => {
    const { calls } = await playTurn({ script: oneRound(say("a", "x"), say("b", "x")), tools: [echo] });
    expect(Object.values(calls)).toEqual(Array(2).fill("preparing pending running completed"));
  });

  it("all run in different rounds, under one provider id [T6h, I12]", async () => {
    const script = [[say("a", "x")], [say("a", "x")], [{ text: "Done." }]];
    const { calls } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed", a_2: "preparing pending running completed" });
  });
});

describe("a card and its call", () => {
  /** Shows a card in a slot, then ends with the given call. */
  const ending = (end: ModelCall): Model => ({
    name: "odd",
    async run({ round }, sink) {
      if (round > 1) return { stop: "end", calls: [] };
      sink.call(0, "a", "echo");
      return { stop: "tool-calls", calls: [end] };
    },
  });
  const input = { say: "x" };

  it.each<[string, ModelCall]>([
    ["slot", { slot: 1, id: "b", name: "echo", input }],
    ["id", { slot: 0, id: "b", name: "echo", input }],
  ])("do not belong together when their %s differs [T6a, T6i, discard-unresolved]", async (_, end) => {
    const { calls } = await playTurn({ model: ending(end), tools: [echo] });
    expect(calls).toEqual({ a: "preparing discarded", b: "pending running completed" });
  });

  it("belong together when the end leaves the id out [T6a]", async () => {
    const { calls } = await playTurn({ model: ending({ slot: 0, name: "echo", input }), tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed" });
  });
});

describe("a turn that shows calls early", () => {
  it("equals one that does not, apart from the pictures [T6g, I8]", async () => {
    const script = (early: boolean) => [
      [say("a", "1", { early }), say("b", "2", { early })],
      [say("a", "3", { early })],
      [{ text: "Done." }],
    ];
    const pictures = ({ events }: PlayedTurn) =>
      events.flatMap((event) => {
        if (event.type === "tool-call" && (event.status === "preparing" || event.status === "discarded")) return [];
        return [
          JSON.parse(JSON.stringify({ ...event, attempts: 0 }, (key, value) => (key === "preparedAt" ? undefined : value))),
        ];
      });
    const [early, late] = [
      await playTurn({ script: script(true), tools: [echo] }),
      await playTurn({ script: script(false), tools: [echo] }),
    ];
    expect(pictures(early)).toEqual(pictures(late));
    expect(Object.values(late.calls)).toEqual(Array(3).fill("pending running completed"));
  });
});
