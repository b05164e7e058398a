// What the checker asks of a turn's frame: its start and end, numbers, times, usage, live state.
import { describe } from "vitest";
import { eachBreaks } from "./rule.ts";
import { type Step, Story } from "./story.ts";

const story = () => new Story();
const error = { code: "INTERNAL", message: "x" };
const live = (members: object): Step =>
  ({ type: "live-state", round: 1, attempt: 1, text: "Let", reasoning: "", calls: [], ...members }) as Step;
const start: Step = { type: "turn-start", v: 1, prompt: "z", model: "" };
const end: Step = { type: "turn-end", stopReason: "stopped", usage: {} };
const thought: Step = { type: "reasoning-delta", textDelta: "x", round: 1, attempt: 1 };

describe("the checker on the frame of a turn", () => {
  eachBreaks([
    { claim: "asks for turn-start first", log: [thought, start, end], says: /no turn-start \[T8\]/ },
    { claim: "asks for a turn-end", log: story().without("end"), says: /turn t1 has no turn-end \[I5\]/ },
    { claim: "allows nothing after the turn-end", log: [start, end, thought], says: /after the turn-end of t1 \[T8\]/ },
    { claim: "allows no second turn-end", log: [start, end, end], says: /after the turn-end of t1 \[T8\]/ },
    { claim: "allows a turn id once", log: [start, end, start, end], says: /turn t1 starts twice \[T8\]/ },
    {
      claim: "allows no turn inside a turn",
      log: [start, { ...start, turnId: "t2" }, { ...end, turnId: "t2" }],
      says: /turn t2 starts before the turn-end of t1 \[T8\]/,
    },
    {
      claim: "asks every event for the running turn's id",
      log: [start, { ...thought, turnId: "t0" }, end],
      says: /turn t0 is not running: no turn-start \[T8\]/,
    },
    {
      claim: "asks for an error with stopReason error",
      log: story().change("end", { stopReason: "error" }),
      says: /there is no error \[E\]/,
    },
    { claim: "allows an error only there", log: story().change("end", { error }), says: /there is an error \[E\]/ },
    { claim: "asks for version 1", log: story().change("start", { v: 2 }), says: /turn-start has v 2 \[E\]/ },
    {
      claim: "asks for the prompt that turn-start names",
      log: story().change("start", { prompt: "other" }),
      says: /names the prompt other.* \[E\]/,
    },
  ]);
});

describe("the checker on numbers, times and usage", () => {
  eachBreaks([
    { claim: "asks for seq without a gap", log: [start, { ...end, seq: 3 } as Step], says: /seq is 3, not 2 \[E\]/ },
    { claim: "asks for no seq twice", log: [start, { ...end, seq: 1 } as Step], says: /seq is 1, not 2 \[E\]/ },
    {
      claim: "asks for a seq on durable events",
      log: story().change("read running", { seq: undefined }),
      says: /running b.*: seq is undefined/,
    },
    {
      claim: "allows no seq on transient events",
      log: story().change("text", { seq: 3 }),
      says: /a transient event has a seq \[E\]/,
    },
    {
      claim: "allows no transient event in a store",
      log: [start, thought, end],
      says: /a store has a transient event \[E\]/,
      options: { stored: true },
    },
    {
      claim: "asks for times that do not go back",
      log: story().change("reasoning", { at: 1 }),
      says: /at goes back from 60 to 1 \[E\]/,
    },
    {
      claim: "asks for the sum of the rounds' usage",
      log: story().change("end", { usage: { inputTokens: 7 } }),
      says: /usage\.outputTokens is undefined, the rounds sum up to 1 \[E\]/,
    },
    {
      claim: "allows one round-usage per round",
      log: story().insert("answer", { type: "round-usage", round: 1, usage: {}, attempts: [] }),
      says: /a second round-usage of round 1 \[E\]/,
    },
    {
      claim: "asks round-usage for the names that were shown",
      log: story().change("usage 2", { attempts: [{ n: 1, ms: 1, prepared: [] }] }),
      says: /attempt 1 showed \[web\], round-usage says \[\] \[E\]/,
    },
    {
      claim: "asks round-usage for the reasons that were told",
      log: story().change("usage 1", { attempts: [{ n: 1, ms: 1, prepared: ["read"] }] }),
      says: /attempt 1 was discarded for retry, round-usage says accepted \[E\]/,
    },
    {
      claim: "asks round-usage to count attempts",
      log: story().change("usage 3", { attempts: [{ n: 2, ms: 1, prepared: [] }] }),
      says: /attempts\[0\]\.n is 2 \[E\]/,
    },
    {
      claim: "asks a live-state for the text",
      log: story().insert("old preparing", live({ text: "" })),
      says: /the live-state is not the fold of the events before it \[E\]/,
    },
    { claim: "asks a live-state for the calls", log: story().insert("old discarded", live({})), says: /not the fold/ },
    {
      claim: "asks a live-state for the turn",
      log: [live({ round: 0, attempt: 0, text: "" }), ...story().steps],
      says: /not the fold/,
    },
  ]);
});

describe("the checker on a live-state", () => {
  const call = { toolCallId: "x", name: "read", status: "preparing", at: 40, round: 1, attempt: 1 };
  eachBreaks([
    {
      claim: "is silent when it is the fold of the events before it",
      log: story()
        .insert("old discarded", live({ calls: [call] }))
        .change("end", { error }),
      says: /there is an error/,
    },
  ]);
});
