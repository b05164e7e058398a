// Lifecycle E.3 (transition table) as amended by the contract, and the invariants E.2. Row 21 is not ours.
import { inScope, later } from "./kinds.ts";

export const TABLE_ROWS = {
  ...inScope({
    "row-1": "id and name first both known in the stream: preparing",
    "row-2": "a complete call that was never prepared: pending, announced with the others",
    "row-3": "preparing, the stream ends well with the same id: pending",
    "row-4": "preparing, the stream ends well without it: discarded unresolved",
    "row-8": "a stream error that is not repeated: discarded stream-error, the turn ends error, history well-formed",
    "row-9": "a length stop with any call: discarded truncated, whole batch; text kept; the turn ends length",
    "row-10": "a nameless call, an identity conflict or a malformed stop: discarded malformed, whole batch",
    "row-11":
      "unparsable arguments of a named call: pending {} with inputProblem, running, failed invalid-arguments; good siblings run",
    "row-12": "the loop takes a pending call up: running, in order",
    "row-13": "the name is not registered: failed unknown-tool, executed no, with the clamped list of names",
    "row-14": "the arguments do not fit the schema: failed invalid-arguments, executed no; nobody is asked",
    "row-15": "a person declines: failed denied, executed no, and the model is told not to retry",
    "row-16": "nobody to ask: failed no-approver, executed no",
    "row-17": "asking throws or answers nonsense: failed approval-failed, executed no",
    "row-18": "the tool returns: completed with the clamped result",
    "row-19": "the tool throws: failed tool-error, executed yes, verbatim or `<name> failed: ...`",
    "row-20": "the tool's own deadline: failed timeout, executed unknown, `tool call timed out after <n>ms`",
    "row-22": "a stop policy: pending calls go running, failed skipped, executed no, with the reason",
    "row-23": "an abort while streaming: discarded cancelled; delivered text kept as a partial message without calls",
    "row-24": "an abort before a pending call is taken up: running, failed cancelled-before-start, executed no",
    "row-25": "an abort while a person is asked: failed cancelled-before-start; a late answer is ignored",
    "row-26": "an abort, the body settles within the grace: completed or tool-error with its true result",
    "row-27": "an abort, the grace is over: failed cancelled, executed unknown; the body's late end is swallowed",
    "row-28": "rounds used up: stopReason max-rounds, the last results in messages, no event for any call",
  }),
  ...later(3, {
    "row-5": "a retryable failure: discarded retry, then attempt + 1",
    "row-6": "a model fallback: discarded fallback, then the next model",
    "row-7": "a silent or over-long model call: discarded timeout",
  }),
  ...later(4, { "row-29": "a token, cost or time budget: every call answered first, stopReason budget" }),
  ...later(5, { "row-30": "a stored call without a result, shown: the card is interrupted, no event" }),
  ...later(6, {
    "row-31":
      "a stored call without a result, resumed after its body started: failed interrupted, executed unknown, never run again",
    "row-32": "a stored open approval, resumed: asked again under the same id",
    "row-33": "a client reconnects: one live-state, then events after its sequence number",
  }),
  ...inScope({
    I1: "per call the statuses follow the table; exactly one terminal; nothing after it",
    I2: "in a round every pending precedes every running; no preparing after the first pending",
    I3: "before a round's first pending every preparing call of the attempt is matched or discarded",
    I4: "before the next attempt emits anything, all calls of the last one are discarded",
    I5: "when a turn ends in any way, no call is preparing, pending or running",
    I6: "result equals the joined text of that call's result block, character for character",
    I7: "the messages hold one result per call, none extra; ids are unique over the conversation",
    I8: "with models that never prepare the stream is the same without preparing",
    I10: "no argument text in any event before pending",
    I12: "every call runs at most once per conversation",
  }),
  ...later(5, { I11: "equal durable events by any window path give equal final cards" }),
};
