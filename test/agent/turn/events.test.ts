// E: what is common to all events, and what frames a turn. That each event fits its schema is checked under every turn.
import { EVENT_TYPES, isDurable, isTurnEvent, LiveFold, type TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayedTurn, playTurn, type Stage } from "../../kit/turn.ts";
import { ALLOW, echo, fails, replies, tool, write } from "./cast.ts";

const WORKGLOW_TYPES = ["object-delta", "snapshot", "finish", "error", "phase", "usage", "refusal", "binary-delta"];

/** A turn that tells of everything there is to tell. */
function everything(on?: (event: TurnEvent, stage: Stage) => void): Promise<PlayedTurn> {
  const reporting = tool("t", (_input, context) => {
    context.progress({ message: "half" });
    return { n: 1 };
  });
  return playTurn({
    on,
    argumentDeltas: true,
    script: [
      [
        { text: "Hm." },
        call("x", "echo"),
        { restart: true },
        { reasoning: "So." },
        { text: "Let me. " },
        { wait: 5 },
        call("a", "t", { n: 1 }),
        call("b", "write"),
        call("c", "fails"),
      ],
      [{ text: "Done." }, { stop: "end", usage: { inputTokens: 1 } }],
    ],
    tools: [echo, reporting, write, fails],
    approver: replies({ b: { ms: 20, ...ALLOW } }),
  });
}

const SILENT = ["input-requested", "input-answered", "live-state"];

describe("every event", () => {
  it("is of a type of the contract; all that this turn can tell are there [E0a, E5]", async () => {
    const { events } = await everything();
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES.filter((type) => !SILENT.includes(type))));
    for (const event of events) expect(isTurnEvent(event)).toBe(true);
  });

  it("has the turn's id and a time from its clock that never goes back [E0a, P4]", async () => {
    const { events } = await everything();
    let last = 0;
    for (const event of events) {
      expect(event.turnId).toBe("turn");
      expect(event.at).toBeGreaterThanOrEqual(last);
      last = event.at;
    }
    expect(last).toBe(25);
  });

  it("keeps its time in order even where the clock steps back or breaks [E0a, P4]", async () => {
    const times = [100, 50, 120, Number.NaN];
    let reads = 0;
    const clock = {
      now: () => {
        if (reads++ === 5) throw new Error("broken");
        return times[reads % times.length] ?? 0;
      },
      sleep: async () => undefined,
    };
    const { events, reports } = await playTurn({ script: oneRound(call("a", "echo", { say: "x" })), tools: [echo], clock });
    for (const [i, event] of events.entries()) expect(event.at).toBeGreaterThanOrEqual(events[i - 1]?.at ?? 0);
    expect(reports).toEqual(["clock"]);
  });

  it("has a seq exactly when it is durable: 1, 2, 3 ... without a gap [E0b]", async () => {
    const { events } = await everything();
    expect(events.filter(isDurable).map(({ seq }) => seq)).toEqual(
      Array.from({ length: events.filter(isDurable).length }, (_, i) => i + 1),
    );
    const transient = events
      .filter((event) => !isDurable(event))
      .map((event) => (event.type === "tool-call" ? event.status : event.type));
    const kinds = [
      "preparing",
      "discarded",
      "tool-call-progress",
      "tool-call-delta",
      "text-delta",
      "reasoning-delta",
      "attempt-discarded",
    ];
    expect(new Set(transient)).toEqual(new Set(kinds));
  });

  it("takes no name from Workglow for another shape [E1]", async () => {
    const { events } = await everything();
    for (const { type } of events) expect(WORKGLOW_TYPES).not.toContain(type);
  });

  it("is an object of its own: what a subscriber does to one reaches no other [T13a]", async () => {
    const untouched = await everything();
    const seen = new Set<TurnEvent>();
    await everything((event) => {
      expect(seen.has(event)).toBe(false);
      seen.add(event);
    });
    expect(seen.size).toBe(untouched.events.length);
  });
});

describe("the frame of a turn", () => {
  it("opens with turn-start: version, prompt and model [E0c]", async () => {
    const { events, result } = await everything();
    expect(events[0]).toEqual({
      type: "turn-start",
      turnId: "turn",
      at: 0,
      seq: 1,
      v: 1,
      prompt: result.messages[0]?.id,
      model: "scripted",
    });
    expect(events[1]).toMatchObject({ type: "message", message: { role: "user", content: "go" } });
  });

  it("closes with turn-end: reason and usage, and the error exactly when there is one [E0c]", async () => {
    const good = await everything();
    expect(good.events.at(-1)).toMatchObject({ type: "turn-end", stopReason: "answered", usage: { inputTokens: 1 } });
    expect(good.events.at(-1)).not.toHaveProperty("error");
    const bad = await playTurn({ script: [[{ error: { code: "MODEL_SERVER", message: "500" } }]] });
    expect(bad.events.at(-1)).toMatchObject({ stopReason: "error", error: { code: "MODEL_SERVER", message: "500" } });
  });

  it("has ids from the turn's ports: a turn can be repeated event by event [P4]", async () => {
    expect((await everything()).events).toEqual((await everything()).events);
  });

  it("is numbered from 1 in every turn that has no session [E0b]", async () => {
    const first = await everything();
    const second = await playTurn({ messages: first.result.messages, ids: counted("n"), turnId: "next" });
    expect(second.ofType("turn-start")[0]).toMatchObject({ seq: 1, turnId: "next" });
  });

  it("mints its own id where none is given [P4]", async () => {
    const { events } = await playTurn({ turnId: undefined, ids: counted("n") });
    expect(events[0]).toMatchObject({ turnId: "n1", prompt: "n2" });
  });
});

describe("a late subscriber", () => {
  it("is told the transient state of the running attempt, folded from the events so far [E0d]", async () => {
    const fold = new LiveFold();
    const states: unknown[] = [];
    await everything((event) => {
      fold.push(event);
      if (event.type === "tool-call" && event.toolCallId === "b") states.push(fold.snapshot());
    });
    expect(states[0]).toMatchObject({
      round: 1,
      attempt: 2,
      text: "Let me. ",
      reasoning: "So.",
      calls: [{ toolCallId: "a" }, { toolCallId: "b", status: "preparing" }],
    });
    expect(fold.snapshot()).toMatchObject({ turnId: "", round: 0, text: "", calls: [] });
  });
});

describe("one life per call", () => {
  it("is told in at most one step per status, and none for a call that was never shown [E2a, E3, I1]", async () => {
    const { calls } = await everything();
    expect(calls).toEqual({
      x: "preparing discarded",
      a: "preparing pending running completed",
      b: "preparing pending running completed",
      c: "preparing pending running failed",
    });
    const unseen = await playTurn({ script: [[call("a", "echo", {}, { early: false }), { stop: "length" }]], tools: [echo] });
    expect(unseen.calls).toEqual({});
  });
});

function counted(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}${++count}`;
}
