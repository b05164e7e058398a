// What the checker asks of rounds and attempts: their order, and what is withdrawn.
import { describe, expect, it } from "vitest";
import { eachBreaks } from "./rule.ts";
import { CALLS, callSteps, problemsOf, Story } from "./story.ts";

const { old } = CALLS;
const story = () => new Story();

describe("the checker on rounds and attempts", () => {
  eachBreaks([
    {
      claim: "asks for round 1 first",
      log: [
        { type: "turn-start", v: 1, prompt: "", model: "" },
        { type: "reasoning-delta", textDelta: "x", round: 2, attempt: 1 },
        { type: "turn-end", stopReason: "answered", usage: {} },
      ],
      says: /reasoning-delta of round 2 follows round 0 \[T4\]/,
    },
    {
      claim: "allows no round to be skipped",
      log: story().change("last text", { round: 4 }).change("usage 3", { round: 4 }),
      says: /text-delta of round 4 follows round 2 \[T4\]/,
    },
    {
      claim: "allows no earlier round",
      log: story().change("last text", { round: 1 }),
      says: /text-delta of round 1 follows round 2 \[T4\]/,
      also: /live/,
    },
    {
      claim: "allows no attempt to be skipped",
      log: [
        { type: "turn-start", v: 1, prompt: "", model: "" },
        { type: "attempt-discarded", round: 1, attempt: 1, reason: "retry" },
        { type: "attempt-discarded", round: 1, attempt: 3, reason: "stream-error" },
        { type: "turn-end", stopReason: "error", error: { code: "X", message: "" }, usage: {} },
      ],
      says: /attempt-discarded of attempt 3 follows attempt 1 \[T4\]/,
    },
    {
      claim: "asks for attempt-discarded before the next attempt",
      log: story().without("withdrawn"),
      says: /attempt 2 begins and no attempt-discarded came for attempt 1 \[T4\]/,
    },
    {
      claim: "asks for every discarded before the next attempt",
      log: story().move("old discarded", "text").move("withdrawn", "reasoning"),
      says: /attempt 2 begins while x of attempt 1 is preparing \[I4\]/,
      also: /attempt-discarded comes before the discarded of x/,
    },
    {
      claim: "asks for discarded before attempt-discarded",
      log: story().move("withdrawn", "old discarded"),
      says: /attempt-discarded comes before the discarded of x \[T4\]/,
    },
    {
      claim: "allows nothing of an attempt after its attempt-discarded",
      log: story().move("withdrawn", "old text").without("old preparing", "old discarded"),
      says: /text-delta of attempt 1 after its attempt-discarded \[T4\]/,
      also: /live text is neither|round-usage says/,
    },
    {
      claim: "asks for one reason per attempt",
      log: story().change("withdrawn", { reason: "fallback" }),
      says: /the attempt is discarded for fallback, its calls for retry \[T4\]/,
      also: /round-usage says retry/,
    },
    {
      claim: "asks the calls of an attempt for one reason",
      log: story()
        .insert("old discarded", callSteps("y", { name: "read", round: 1, attempt: 1 }).preparing)
        .insert("withdrawn", callSteps("y", { name: "read", round: 1, attempt: 1 }).discarded("cancelled")),
      says: /y is discarded for cancelled, another call of the attempt for retry \[T4\]/,
      also: /showed \[read, read\]|its calls for cancelled/,
    },
    {
      claim: "allows no next round after a withdrawn attempt",
      log: [
        { type: "turn-start", v: 1, prompt: "", model: "" },
        { type: "attempt-discarded", round: 1, attempt: 1, reason: "retry" },
        { type: "reasoning-delta", textDelta: "x", round: 2, attempt: 1 },
        { type: "turn-end", stopReason: "answered", usage: {} },
      ],
      says: /round 2 begins though round 1 has no accepted answer \[T4\]/,
    },
    {
      claim: "asks for discarded cards before the next round",
      log: story().insert("usage 2", { type: "reasoning-delta", textDelta: "x", round: 3, attempt: 1 }),
      says: /round 3 begins while p is preparing \[I4\]/,
      also: /of round 2|of round 3|\bp\b/,
    },
    {
      claim: "allows no attempt after the accepted one",
      log: story().insert("results", { type: "attempt-discarded", round: 1, attempt: 3, reason: "retry" }),
      says: /attempt 3 begins after the answer of round 1 was accepted \[T4\]/,
      also: /no attempt-discarded came for attempt 2|attempt-discarded after the answer|round 1 has no accepted answer/,
    },
    {
      claim: "asks for settled calls before the next round",
      log: story().insert("answered", { type: "reasoning-delta", textDelta: "x", round: 2, attempt: 1 }),
      says: /round 2 begins while g is running \[T1\]/,
      also: /round 2 begins while u is pending|follows round|no result in its round/,
    },
    {
      claim: "asks for paused calls to be running before the next round",
      log: story().move("paused running", "usage 3"),
      says: /round 3 begins while p is pending \[T1\]/,
    },
    {
      claim: "allows no preparing after the first pending of its round",
      log: story().insert("web running", callSteps("z", { name: "n", round: 1, attempt: 2 }).preparing),
      says: /preparing after the answer of round 1 was accepted \[T1\]/,
      also: /\bz\b/,
    },
    {
      claim: "asks for unresolved cards to be discarded before the announcement",
      log: story().move("orphan discarded", "web running"),
      says: /o is neither among the calls of the answer nor discarded \[I3\]/,
      also: /o is discarded after the answer/,
    },
    {
      claim: "allows no discarded after the announcement",
      log: story()
        .insert("answer", callSteps("z", { name: "n", round: 1, attempt: 2 }).preparing)
        .insert("web running", callSteps("z", { name: "n", round: 1, attempt: 2 }).discarded("coalesced")),
      says: /z is discarded after the answer of its round was accepted \[T6\]/,
      also: /z is neither among/,
    },
  ]);
});

describe("the checker on attempts of which nothing was seen", () => {
  it("is silent when a retry answers with a call that was never preparing", () => {
    const call = callSteps("c", { name: "n", round: 1, attempt: 2 });
    const use = { type: "tool_use", id: "c", name: "n", input: {} } as const;
    const result = { type: "tool_result", tool_use_id: "c", content: [] } as const;
    expect(
      problemsOf([
        { type: "turn-start", v: 1, prompt: "", model: "" },
        old.preparing,
        old.discarded("retry"),
        { type: "attempt-discarded", round: 1, attempt: 1, reason: "retry" },
        { type: "message", message: { id: "a", role: "assistant", content: [use] } },
        call.pending({}),
        call.running,
        call.completed(""),
        { type: "message", message: { id: "r", role: "tool", content: [result] } },
        { type: "turn-end", stopReason: "max-rounds", usage: {} },
      ]),
    ).toEqual([]);
  });
});
