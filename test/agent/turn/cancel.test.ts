// T8: a turn that is cancelled starts nothing more, tells the truth about what ran, and leaves nothing open.
import { isToolCall, type TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn, type Stage, wordOf } from "../../kit/turn.ts";
import { ALLOW, DENY, echo, obedient, replies, slow, tool, write } from "./cast.ts";

/** Aborts inside the first event with this word. */
const abortIn = (word: string) => (event: TurnEvent, stage: Stage) => {
  if (wordOf(event) === word) stage.abort();
};

describe("an abort before the turn starts", () => {
  it("means that no model is asked: the prompt is kept, the turn is cancelled [T8a, T8g]", async () => {
    const { words, requests, result, added } = await playTurn({ abortAt: "start" });
    expect(words).toEqual(["turn-start", "message", "turn-end"]);
    expect(requests).toEqual([]);
    expect(result).toMatchObject({ stopReason: "cancelled", text: "", rounds: 0 });
    expect(added.map(({ role }) => role)).toEqual(["user"]);
  });
});

describe("an abort while the model answers", () => {
  const script = [[{ text: "Hm." }, call("a", "echo", { say: "x" }), { wait: 100 }, { text: "late" }]];

  it("discards what was shown and ends at once, without waiting for the model [T8d, row-23]", async () => {
    const { calls, result, events } = await playTurn({ script, tools: [echo], abortAt: 30 });
    expect(calls).toEqual({ a: "preparing discarded" });
    expect(result).toMatchObject({ stopReason: "cancelled", text: "Hm." });
    expect(events.at(-1)?.at).toBe(30);
  });

  it("fires the signal that the model was handed [T8d]", async () => {
    let signal: AbortSignal | undefined;
    const model = {
      name: "deaf",
      run: (_request: unknown, _sink: unknown, options: { readonly signal: AbortSignal }) => {
        signal = options.signal;
        return new Promise<never>(() => undefined);
      },
    };
    const { result } = await playTurn({ model, abortAt: 30 });
    expect(signal?.aborted).toBe(true);
    expect(result.stopReason).toBe("cancelled");
  });

  it("from inside its own event stops it there [T8d, T8a]", async () => {
    const { calls, words } = await playTurn({ script, tools: [echo], on: abortIn("preparing a") });
    expect(calls).toEqual({ a: "preparing discarded" });
    expect(words.slice(words.indexOf("preparing a"))).toEqual([
      "preparing a",
      "discarded a",
      "round-usage",
      "message",
      "turn-end",
    ]);
  });
});

describe("an abort before a call is taken up", () => {
  const script = oneRound(call("a", "slow"), call("b", "echo", { say: "x" }), call("c", "nope"), call("d", "echo", { say: 5 }));
  const tools = (stage: Stage) => [slow(stage, "slow", 100), echo];

  it("takes it over running to cancelled-before-start, whatever it would have been [T8d, row-24, fail-cancelled-before-start]", async () => {
    const { calls, event } = await playTurn({ script, tools, abortAt: 30 });
    for (const id of ["b", "c", "d"]) {
      expect(calls[id]).toBe("preparing pending running failed");
      expect(event(id, "failed")).toMatchObject({ at: 30, reason: "cancelled-before-start", executed: "no" });
    }
  });

  it.each(["message", "pending a", "pending d", "running a"])("from inside the event %s starts no body [T8a]", async (word) => {
    const bodies: string[] = [];
    const counting = tool("slow", (_input, { toolCallId }) => bodies.push(toolCallId));
    let messages = 0;
    const on = (event: TurnEvent, stage: Stage) => {
      if (wordOf(event) === word && (word !== "message" || ++messages === 2)) stage.abort();
    };
    const { calls, result, added } = await playTurn({ script, tools: [counting, echo], on });
    expect(bodies).toEqual([]);
    for (const life of Object.values(calls)) expect(life).toBe("preparing pending running failed");
    expect(result).toMatchObject({ stopReason: "cancelled", rounds: 1 });
    expect(added.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  });

  it("from inside a body starts no other [T8a, row-26]", async () => {
    const { event, result } = await playTurn({
      script: oneRound(call("a", "stop"), call("b", "echo", { say: "x" })),
      tools: (stage) => [tool("stop", () => stage.abort()), echo],
    });
    expect(event("a", "completed").result).toBe("");
    expect(event("b", "failed").reason).toBe("cancelled-before-start");
    expect(result.stopReason).toBe("cancelled");
  });
});

describe("an abort while a person is asked", () => {
  it("fails the call as never started, even when the answer is on its way [T8d, row-25]", async () => {
    const script = oneRound(call("a", "write"), call("b", "write"));
    const { event } = await playTurn({
      script,
      tools: [write],
      approver: replies({ a: { ms: 30, ...ALLOW }, b: {} }),
      abortAt: 30,
    });
    for (const id of ["a", "b"]) expect(event(id, "failed")).toMatchObject({ reason: "cancelled-before-start", executed: "no" });
  });

  it.each(["approval-requested", "approval-answered"])("from inside %s starts no body [T8a]", async (word) => {
    for (const answer of [ALLOW, DENY]) {
      const { event, result } = await playTurn({
        script: oneRound(call("a", "write")),
        tools: [write],
        approver: replies({ a: answer }),
        on: abortIn(word),
      });
      expect(event("a", "failed")).toMatchObject({ reason: "cancelled-before-start", executed: "no" });
      expect(result.stopReason).toBe("cancelled");
    }
  });

  it("from inside the approver asks nobody else [T8a]", async () => {
    let asked = 0;
    const approver = (stage: Stage) => ({
      ask: () => {
        asked++;
        stage.abort();
        return new Promise<never>(() => undefined);
      },
    });
    const { calls } = await playTurn({ script: oneRound(call("a", "write"), call("b", "write")), tools: [write], approver });
    expect(asked).toBe(1);
    expect(Object.values(calls)).toEqual(Array(2).fill("preparing pending running failed"));
  });
});

describe("an abort while a body works", () => {
  const run = (body: (stage: Stage) => ReturnType<typeof tool>, more: PlayOptions = {}) =>
    playTurn({ script: oneRound(call("a", "t")), tools: (stage) => [body(stage)], abortAt: 50, ...more });

  it("fires its signal, once, with an AbortError [T8e]", async () => {
    let signal: AbortSignal | undefined;
    const body = ({ clock }: Stage) =>
      tool("t", async (_input, context) => {
        signal = context.signal;
        await clock.sleep(100);
      });
    await run(body);
    expect(signal?.reason).toMatchObject({ name: "AbortError" });
  });

  it("keeps the true result of one that finishes in the grace [T8e, row-26]", async () => {
    const { event, result } = await run((stage) => slow(stage, "t", 2_049));
    expect(event("a", "completed")).toMatchObject({ at: 2_049, result: "t done" });
    expect(result).toMatchObject({ stopReason: "cancelled", rounds: 1 });
  });

  it("keeps the true failure of one that breaks in the grace [T8e, row-26]", async () => {
    const { event } = await run(({ clock }) =>
      tool("t", () => clock.sleep(100).then(() => Promise.reject(new Error("disk full")))),
    );
    expect(event("a", "failed")).toMatchObject({ at: 100, reason: "tool-error", executed: "yes", result: "t failed: disk full" });
  });

  it("calls one that gives in cancelled, executed unknown [T8f, fail-cancelled]", async () => {
    const { event } = await run((stage) => obedient(stage, "t", 10_000));
    expect(event("a", "failed")).toMatchObject({ at: 50, reason: "cancelled", executed: "unknown" });
  });

  it("gives up on one that outlasts the grace; its late end is swallowed [T8f, row-27]", async () => {
    for (const end of ["returns", "throws"]) {
      const { event, events, reports } = await run(({ clock }) =>
        tool("t", async (_input, context) => {
          await clock.sleep(9_000);
          context.progress({ message: "still here" });
          if (end === "throws") throw new Error("late");
          return "late";
        }),
      );
      expect(event("a", "failed")).toMatchObject({ at: 2_050, reason: "cancelled", executed: "unknown" });
      expect(events.at(-1)).toMatchObject({ type: "turn-end", at: 2_050 });
      expect(reports).toEqual([]);
    }
  });

  it("waits for no one without a grace [T8f]", async () => {
    const { event } = await run((stage) => slow(stage, "t", 60), { graceMs: 0 });
    expect(event("a", "failed")).toMatchObject({ at: 50, reason: "cancelled", executed: "unknown" });
  });

  it("has one grace, 2,000 ms by default, or as long as the option says [T8e, P8c]", async () => {
    expect((await run((stage) => slow(stage, "t", 9_000))).events.at(-1)?.at).toBe(2_050);
    expect((await run((stage) => slow(stage, "t", 9_000), { graceMs: 300 })).events.at(-1)?.at).toBe(350);
  });
});

describe("an abort at the last moment", () => {
  it("over a complete answer means cancelled, and the answer stays [T8c]", async () => {
    let messages = 0;
    const on = (event: TurnEvent, stage: Stage) => {
      if (event.type === "message" && ++messages === 2) stage.abort();
    };
    const { result, added } = await playTurn({ script: [[{ text: "All of it." }]], on });
    expect(result).toMatchObject({ stopReason: "cancelled", text: "All of it.", rounds: 1 });
    expect(added.at(-1)).not.toHaveProperty("partial");
  });

  it("after the last result means cancelled, with every result kept [T8c]", async () => {
    const { result, event } = await playTurn({
      script: oneRound(call("a", "echo", { say: "x" })),
      tools: [echo],
      on: abortIn("completed a"),
    });
    expect(event("a", "completed").result).toBe("x");
    expect(result.stopReason).toBe("cancelled");
    expect(result.messages.at(-1)?.role).toBe("tool");
  });

  it("wins over an error of the model and over used-up rounds [T8c]", async () => {
    const broken = await playTurn({ script: [[{ error: {} }]], on: abortIn("attempt-discarded") });
    expect(broken.result.stopReason).toBe("cancelled");
    expect(broken.result.error).toBeUndefined();
    const used = await playTurn({
      script: [[call("a", "echo", { say: "x" })]],
      tools: [echo],
      maxRounds: 1,
      on: abortIn("completed a"),
    });
    expect(used.result.stopReason).toBe("cancelled");
  });

  it("inside turn-end comes too late [T8b, T8c]", async () => {
    const { result, words } = await playTurn({ on: abortIn("turn-end") });
    expect(result.stopReason).toBe("answered");
    expect(words.at(-1)).toBe("turn-end");
  });
});

describe("after turn-end", () => {
  it("nothing is told, whatever comes late [T8b]", async () => {
    const { events, words } = await playTurn({
      script: oneRound(call("a", "t"), call("b", "write")),
      tools: (stage) => [slow(stage, "t", 9_000), write],
      approver: replies({ b: { ms: 9_000, ...ALLOW } }),
      abortAt: 10,
    });
    expect(words.indexOf("turn-end")).toBe(words.length - 1);
    expect(events.filter(isToolCall).every((event) => event.at <= 2_010)).toBe(true);
  });
});
