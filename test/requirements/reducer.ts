// Contract R with lifecycle E.4 (cards), and contract J (durability).
import { inScope, later } from "./kinds.ts";

export const REDUCER_RULES = {
  ...inScope({
    R1: "attempt-discarded hides its preparing cards and drops its live text",
    R2: "live-state hides every preparing card that is not in it and replaces live text",
    R3: "approval-requested makes a card await a person; approval-answered ends it",
    R4: "turn-end hides preparing cards and shows pending and running ones as interrupted, derived, not stored",
    R5: "a card revealed after a discard keeps its key and its position",
    R6: "a preparing card lives until its pending, discarded, attempt-discarded, a live-state without it, or turn-end",
    R7: "events of Workglow's own AgentTask (four statuses, no reason) reduce correctly",
    R8: "every arrival of table E.4 has its result: created, advanced, ignored, filled, hidden or revealed; never a throw",
    R9: "cards stand in the order of first evidence, unchanged by settle, result and end",
  }),
  ...later(5, {
    R10: "assistant nodes never look into tool blocks",
    R11: "history pages in any order merge by id; durable facts win over live",
  }),
  ...later(6, {
    J1: "once: an accepted answer or a call is done once and its JSON result remembered",
    J2: "the started mark is written just before the body",
    J3: "durable events are stored first and emitted after; append gives their seq",
    J4: "terminal event and result are one transaction after the body",
    J5: "wait: an answer from outside ends the waiting",
    J6: "between steps all is deterministic: time, ids and randomness come from the turn's ports",
    J7: "on resume settled work is not repeated and pending without running runs",
    J8: "on resume a started call without result follows its tool's inFlight",
    J9: "on resume an open approval is asked again under the same id without a second running",
    J10: "at most one body runs per call, unless the tool declares retry",
  }),
};
