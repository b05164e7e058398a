// Random turns: every case is reachable, the plain ones are the likely ones.
import fc from "fast-check";
import type { AbortAt, Answer, AnswerEnd, Body, CallSpec, Push, Reply, ToolSpecCase, TurnCase } from "./case.ts";

/** Picks a value; the first is the simplest and the most likely. */
function mostly<T>(weight: number, first: T, ...rest: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(first) },
    ...rest.map((value) => ({ weight: 1, arbitrary: fc.constant(value) })),
  );
}

/** What a provider ran had arguments that it could use. */
function usable(call: CallSpec): CallSpec {
  if (call.provider === "no") return call;
  const problem = call.problem === "invalid-json" || call.problem === "not-an-object" ? "none" : call.problem;
  return { ...call, problem, input: call.input === "array" ? "good" : call.input };
}

const anyCall: fc.Arbitrary<CallSpec> = fc.record({
  id: fc.constantFrom("a", "b", "a_2", "h", "", undefined),
  name: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom("t0", "t1", "t2") },
    { weight: 3, arbitrary: fc.constant("ghost") },
    { weight: 1, arbitrary: fc.constant("") },
  ),
  input: mostly(4, "good", "other", "other", "invalid", "proto", "array"),
  problem: mostly(50, "none", "invalid-json", "not-an-object", "nameless", "identity-conflict"),
  early: fc.integer({ min: -1, max: 3 }),
  provider: mostly(12, "no", "done", "failed", "unseen"),
});
const call = anyCall.map(usable);

const push: fc.Arbitrary<Push> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("text" as const), text: fc.constantFrom("A", "bc", "") }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("reasoning" as const), text: fc.constantFrom("r", "s", ""), block: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fragment" as const), slot: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("progress" as const), slot: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant({ do: "restart" as const }) },
  { weight: 3, arbitrary: fc.constant({ do: "wait" as const }) },
);

const ENDS: readonly AnswerEnd[] = [
  "length",
  "refusal",
  "malformed",
  "pause",
  "pause",
  "retryable",
  "permanent",
  "throw-plain",
  "throw-sync",
  "hang",
  "nonsense",
];

/** A pause after a restart has something to say: a log does not show the acceptance of an answer that left nothing behind. */
function saysSomething(answer: Answer): Answer {
  const silent = answer.end === "pause" && answer.calls.length === 0 && answer.pushes.some((one) => one.do === "restart");
  return silent ? { ...answer, end: "end" } : answer;
}

const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  pushes: fc.array(push, { maxLength: 4 }),
  calls: fc.array(call, { maxLength: 4 }),
  ghosts: mostly(8, 0, 1, 2),
  sameSlot: mostly(30, false, true),
  end: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom<AnswerEnd>("tool-calls", "end") },
    { weight: 11, arbitrary: fc.constantFrom(...ENDS) },
  ),
  late: fc.boolean(),
});
const answer = anyAnswer.map(saysSomething);

const BODIES: readonly Body[] = [
  "json",
  "image",
  "throw",
  "own-words",
  "nonsense",
  "async",
  "async",
  "reject",
  "heeds",
  "late-true",
  "never",
  "thenable-twice",
  "aborts",
];

const tool: fc.Arbitrary<ToolSpecCase> = fc.record({
  body: mostly<Body>(3, "sync", ...BODIES),
  timeoutMs: mostly<number | undefined>(2, undefined, 5, 50),
  gate: mostly<ToolSpecCase["gate"]>(3, "no", "yes", "yes", "asks", "relaxes", "throws"),
  host: mostly<ToolSpecCase["host"]>(3, "none", "title", "throws"),
  schema: mostly<ToolSpecCase["schema"]>(12, "json", "async", "async", "throws", "never"),
  progress: fc.boolean(),
});

const reply = mostly<Reply>(
  5,
  "allow",
  "deny",
  "deny",
  "cancel",
  "cancel",
  "throw",
  "reject",
  "never",
  "nonsense",
  "undefined",
  "trap",
  "sync",
  "twice",
  "edited",
);

const abort: fc.Arbitrary<AbortAt> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<AbortAt>({ when: "never" }) },
  { weight: 4, arbitrary: fc.record({ when: fc.constant("event" as const), n: fc.nat(24) }) },
  { weight: 4, arbitrary: fc.constant<AbortAt>({ when: "step" }) },
  { weight: 1, arbitrary: fc.constant<AbortAt>({ when: "before" }) },
);

/** Any turn. */
export const turnCase: fc.Arbitrary<TurnCase> = fc.record({
  answers: fc.array(answer, { maxLength: 4 }),
  tools: fc.tuple(tool, tool, tool),
  odd: fc.nat(44),
  replies: fc.array(reply, { maxLength: 4 }),
  abort,
  subscriber: mostly<TurnCase["subscriber"]>(3, "fine", "throws", "throws-twice"),
  maxRounds: fc.constantFrom(8, 1, 2, 3),
  graceMs: fc.constantFrom(20, 0),
  maxToolResultChars: fc.constantFrom(20_000, 1, 40),
  stopRound: fc.boolean(),
  settledText: fc.boolean(),
  argumentDeltas: fc.boolean(),
  history: fc.boolean(),
  clock: mostly<TurnCase["clock"]>(10, "fine", "rejects", "throws"),
  deafModel: fc.boolean(),
});
