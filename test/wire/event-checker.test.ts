// The checker is silent on a good log, sees the whole of it, and costs linear time.
import type { Message, TurnEvent } from "@callwire/wire";
import { assertEvents, EventChecker, eventLogProblems } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { MESSAGES, problemsOf, Story, toLog } from "./story.ts";

describe("the event-log checker", () => {
  it("is silent on a log that keeps the contract", () => {
    expect(problemsOf(new Story().steps)).toEqual([]);
  });

  it("is silent on what a store keeps of that log", () => {
    const stored = toLog(new Story().steps).filter((event) => "seq" in event);
    expect(eventLogProblems(stored, { stored: true, output: MESSAGES, text: "Look: Done." })).toEqual([]);
  });

  it("names the event and the rule of each problem", () => {
    const [problem] = problemsOf(new Story().change("read completed", { result: "43" }).steps);
    expect(problem).toBe("event 32 (message tool): the result of b is not the text of its block [T2]");
  });

  it("throws all problems at once where asked to", () => {
    const log = toLog(new Story().change("read completed", { result: "43" }).change("text", { port: "x" }).steps);
    expect(() => assertEvents(log)).toThrow(/port x[\s\S]*not the text of its block/);
    expect(() => assertEvents(toLog(new Story().steps))).not.toThrow();
  });

  it("tells problems while the log goes on", () => {
    const checker = new EventChecker();
    for (const event of toLog(new Story().change("text", { textDelta: "" }).steps).slice(0, 9)) checker.push(event);
    expect(checker.problems).toHaveLength(1);
  });

  it("compares input and message events with the output", () => {
    const before: readonly Message[] = [{ id: "h0", role: "user", content: "before" }];
    const input = { input: before, output: [...before, ...MESSAGES] };
    const { steps } = new Story();
    expect(problemsOf(steps, input)).toEqual([]);
    expect(problemsOf(steps, { output: [...before, ...MESSAGES] })).toEqual([
      expect.stringMatching(/message 0 of the output .*\[T11\]/),
    ]);
    expect(problemsOf(steps, { output: MESSAGES.slice(0, 4) })).toEqual([expect.stringMatching(/message 4 of the output/)]);
    expect(problemsOf(steps, { output: [...MESSAGES, ...before] })).toEqual([expect.stringMatching(/was never told/)]);
  });

  it("takes a member that is undefined for one that is absent, as JSON does", () => {
    const output = MESSAGES.map((message) => ({ ...message, partial: undefined }) as Message);
    expect(problemsOf(new Story().steps, { output })).toEqual([]);
  });

  it("compares the accepted text with the turn's", () => {
    expect(problemsOf(new Story().steps, { text: "Look: Done." })).toEqual([]);
    expect(problemsOf(new Story().steps, { text: "LetLook: Done." })).toEqual([
      expect.stringMatching(/the accepted text is .*\[T4\]/),
    ]);
  });

  it("follows several turns of one session", () => {
    const again = [
      { turnId: "t2", type: "turn-start", v: 1, prompt: "n0", model: "m" },
      { turnId: "t2", type: "message", message: { id: "n0", role: "user", content: "more" } },
      { turnId: "t2", type: "turn-end", stopReason: "cancelled", usage: {} },
    ] as const;
    expect(problemsOf([...new Story().steps, ...again])).toEqual([]);
    const log = toLog(new Story().steps, 8);
    expect(eventLogProblems(log, { after: 7 })).toEqual([]);
    expect(eventLogProblems(log)).toEqual([expect.stringMatching(/seq is 8, not 1 \[E\]/)]);
  });

  it("refuses what is no event, and goes on", () => {
    const foreign = { type: "finish", data: {} } as unknown as TurnEvent;
    expect(eventLogProblems([foreign, ...toLog(new Story().steps)])).toEqual(["event 0: not a turn event [E]"]);
  });

  it("costs linear time in calls and deltas", () => {
    const cost = (calls: number) => {
      const log = bigLog(calls);
      const before = process.cpuUsage();
      expect(eventLogProblems(log)).toEqual([]);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    cost(500);
    // Eight times the work; quadratic cost would be 64 times. The bound leaves room for a busy machine.
    const small = Math.min(cost(1_000), cost(1_000), cost(1_000));
    expect(cost(8_000)).toBeLessThan(Math.max(small * 30, 200));
  });
});

/** One round of many calls, with live text in between. */
function bigLog(calls: number): TurnEvent[] {
  const ids = Array.from({ length: calls }, (_, i) => `c${i}`);
  const common = (toolCallId: string) => ({ type: "tool-call" as const, toolCallId, name: "n", round: 1, attempt: 1 });
  const content = ids.map((id) => ({ type: "tool_use" as const, id, name: "n", input: {} }));
  const results = ids.map((id) => ({ type: "tool_result" as const, tool_use_id: id, content: [] }));
  return toLog([
    { type: "turn-start", v: 1, prompt: "m0", model: "m" },
    ...ids.map(() => ({ type: "text-delta" as const, port: "text" as const, textDelta: "a", round: 1, attempt: 1 })),
    ...ids.map((id, i) => ({ ...common(id), status: "preparing" as const, at: 5_000_000 + i })),
    {
      type: "message",
      at: 6_000_000,
      message: { id: "a", role: "assistant", content: [{ type: "text", text: "a".repeat(calls) }, ...content] },
    },
    ...ids.map((id, i) => ({ ...common(id), status: "pending" as const, input: {}, preparedAt: 5_000_000 + i, at: 6_000_000 })),
    ...ids.flatMap((id) => [
      { ...common(id), status: "running" as const, at: 7_000_000 },
      { ...common(id), status: "completed" as const, result: "", at: 7_000_000 },
    ]),
    { type: "message", at: 8_000_000, message: { id: "r", role: "tool", content: results } },
    { type: "turn-end", at: 8_000_000, stopReason: "max-rounds", usage: {} },
  ]);
}
