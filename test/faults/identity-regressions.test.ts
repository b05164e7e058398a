// What random turns once found about ids, cards and restarts, each as the smallest turn that shows it.
import type { ModelCall, ModelEnd } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { playTurn } from "../kit/turn.ts";
import { steps, tool } from "./calls.ts";

/** A model whose first answer ends with these calls, shown early or not. */
function modelOf(calls: readonly ModelCall[], early: readonly (readonly [slot: number, id: string, name: string])[] = []) {
  let answers = 0;
  return {
    name: "odd",
    async run(_request: unknown, sink: { call(slot: number, id: string, name: string): void }): Promise<ModelEnd> {
      if (answers++ > 0) return { stop: "end", calls: [] };
      for (const [slot, id, name] of early) sink.call(slot, id, name);
      return { stop: "tool-calls", calls };
    },
  };
}

describe("identity", () => {
  it("belongs to one call, though a model gives one slot to two [T6a, I7]", async () => {
    const calls = [
      { slot: 0, id: "a", name: "read", input: { n: 1 } },
      { slot: 0, id: "a", name: "read", input: { n: 2 } },
    ];
    const { events } = await playTurn({ model: modelOf(calls, [[0, "a", "read"]]), tools: [tool("read", () => "ok")] });
    expect(steps(events).filter((step) => step.startsWith("completed"))).toEqual(["completed a", "completed a_2"]);
  });

  it("of a card is not taken over by a call of another name [T6a, row-4]", async () => {
    const calls = [{ slot: 0, id: "a", name: "write", input: {} }];
    const { events } = await playTurn({ model: modelOf(calls, [[0, "a", "read"]]), tools: [tool("write", () => "ok")] });
    expect(steps(events)).toEqual(["preparing a", "discarded a", "pending a_2", "running a_2", "completed a_2"]);
  });

  it("of two open calls of the provider under one id is settled twice [T1j, I5]", async () => {
    const script = [
      [
        { providerCall: { id: "p", name: "search", args: { q: 1 } } },
        { providerCall: { id: "p", name: "search", args: { q: 2 } } },
        { stop: "pause" as const },
      ],
    ];
    const { events } = await playTurn({ script, maxRounds: 1 });
    expect(steps(events).slice(-2)).toEqual(["failed p interrupted", "failed p_2 interrupted"]);
  });

  it("is not shared between a call of the provider and one of ours [T6f]", async () => {
    const script = [
      [{ providerCall: { id: "p", name: "search", args: {}, result: "hits" } }, { call: { id: "p", name: "search", args: {} } }],
      [],
    ];
    const { events } = await playTurn({ script, tools: [tool("search", () => "ours")] });
    expect(steps(events).slice(-2)).toEqual(["running p_2", "completed p_2"]);
  });

  it("of a call with unusable arguments is never coalesced with that of another such call [T6f, T5c]", async () => {
    const bad = { slot: 0, id: "a", name: "read", problem: { code: "invalid-json" as const, message: "no JSON" } };
    const good = { slot: 1, id: "a", name: "read", input: {} };
    const calls = [bad, good, { ...good, slot: 2 }, { ...bad, slot: 3 }];
    const { events } = await playTurn({ model: modelOf(calls), tools: [tool("read", () => "ok")] });
    expect(steps(events).filter((step) => step.startsWith("pending"))).toHaveLength(3);
  });
});

describe("a restart", () => {
  it("counts although nothing but calls was shown, as it does where calls are not shown [T6g, P1f]", async () => {
    const answer = (early: boolean) => [
      { call: { id: "a", name: "read", early } },
      { restart: true as const },
      { text: "Anew." },
    ];
    const logs = await Promise.all([true, false].map((early) => playTurn({ script: [answer(early)] })));
    const told = logs.map(({ events }) => events.filter((event) => event.type !== "tool-call" && event.type !== "round-usage"));
    expect(told[0]).toEqual(told[1]);
    expect(told[0]?.some((event) => event.type === "attempt-discarded")).toBe(true);
  });
});
