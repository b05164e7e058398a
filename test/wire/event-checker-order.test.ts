// What the checker asks of who runs when: people are asked first, and gated rounds run in the model's order.
import type { Message, ToolResultMeta } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { eachBreaks } from "./rule.ts";
import { callSteps, problemsOf, resultOf, type Step, Story } from "./story.ts";

const story = () => new Story();
const place = { name: "n", round: 1, attempt: 1 };
const [a, b] = [callSteps("a", place), callSteps("b", place)];
const use = (id: string) => ({ type: "tool_use", id, name: "n", input: {} }) as const;
const answer: Message = { id: "m", role: "assistant", content: [use("a"), use("b")] };
const asked: Step = { type: "approval-requested", approvalId: "q", toolCallId: "a", name: "n", input: {} };
const allowed: Step = { type: "approval-answered", approvalId: "q", toolCallId: "a", answer: "allow" };
const gate = { needsApproval: true };

interface Times {
  readonly a?: ToolResultMeta;
  readonly b?: ToolResultMeta;
}

/** One round of the calls a and b, which takes the given steps after their announcement. */
function round(gated: object, middle: readonly Step[], times: Times = {}): readonly Step[] {
  const content = [resultOf("a", "", { meta: times.a }), resultOf("b", "", { meta: times.b })];
  return [
    { type: "turn-start", v: 1, prompt: "", model: "" },
    { type: "message", message: answer },
    a.pending({}, gated),
    b.pending({}),
    ...middle,
    { type: "message", message: { id: "r", role: "tool", content } },
    { type: "turn-end", stopReason: "max-rounds", usage: {} },
  ];
}
const done = (call: typeof a) => call.completed("");
const overlapping = [a.running, b.running, done(b), done(a)];

describe("the checker on who runs when", () => {
  it("is silent where a gated call is asked for first and the others wait for it", () => {
    expect(problemsOf(round(gate, [a.running, asked, allowed, done(a), b.running, done(b)]))).toEqual([]);
  });

  it("is silent on calls that overlap in a round that nobody is asked about", () => {
    expect(problemsOf(round({}, overlapping))).toEqual([]);
  });

  it("is silent on calls that are refused out of order", () => {
    const skipped = { ...b.failed("", "denied", "no"), reason: "skipped" as const };
    const problems = problemsOf(round(gate, [b.running, skipped, a.running, asked, allowed, done(a)]));
    expect(problems).toEqual([expect.stringMatching(/b failed, its block says otherwise/)]);
  });

  eachBreaks([
    {
      claim: "asks people before another call runs",
      log: round(gate, [b.running, done(b), a.running, asked, allowed, done(a)]),
      says: /b ran before a, which needs approval and was not asked for \[T3\]/,
    },
    {
      claim: "asks people right when their call goes running",
      log: story().move("asked", "read progress"),
      says: /b ran before g, which needs approval and was not asked for \[T3\]/,
    },
    {
      claim: "asks calls of a gated round to wait for the earlier ones",
      log: round(gate, [a.running, asked, b.running, done(b), allowed, done(a)]),
      says: /b ran before a, which is running \[T3\]/,
    },
    {
      claim: "asks for one body at a time where calls are serial",
      log: round({}, overlapping),
      says: /b ran before a, which is running \[T3\]/,
      options: { serial: true },
    },
    {
      claim: "asks bodies of a gated round to begin one after the other",
      log: round(gate, [a.running, asked, allowed, done(a), b.running, done(b)], {
        a: { startedAt: 50, endedAt: 90 },
        b: { startedAt: 80, endedAt: 95 },
      }),
      says: /the body of b began before an earlier call had settled \[T3\]/,
    },
  ]);
});
