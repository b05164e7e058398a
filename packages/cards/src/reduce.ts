// The reducer: one event in, the next state of all cards out. Pure, and whatever arrives in whatever order: never a throw.
import { isTerminal, isTurnEvent } from "@callwire/wire";
import { isOpen } from "./card.ts";
import { advanceCard, type CardFacts, changeCard, closeCard, reopenCard } from "./card-changes.ts";
import { type CardsState, getCard, putCard, sweepOpen, withEndedTurn } from "./cards-state.ts";
import { callEvidence, discardReason, nonEmpty, number, progressOf, type Told, told } from "./event-facts.ts";
import { meet, noted, place } from "./meet.ts";
import { answered, asked } from "./questions.ts";

/**
 * The state after `event`. `event` is a `TurnEvent`, a tool-call event of Workglow's own AgentTask (four statuses, without
 * turn, time, round or reason), or anything at all: what cannot be used leaves a diagnostic and changes no card.
 * Returns the same state when nothing changed, as for live text; unchanged cards keep their identity.
 * Cards are kept by `toolCallId`, so one state serves one conversation; a graph host keeps one state per task.
 */
export function reduceCards(state: CardsState, event: unknown): CardsState {
  const known = told(event);
  switch (known?.type) {
    case "text-delta":
    case "reasoning-delta":
    case "tool-call-delta":
    case "message":
    case "round-usage":
      return state;
    case "tool-call":
      return toolCall(state, known);
    case "tool-call-progress":
      return progress(state, known);
    case "approval-requested":
    case "input-requested":
      return asked(state, known);
    case "approval-answered":
    case "input-answered":
      return answered(state, known);
    case "attempt-discarded":
      return attemptDiscarded(state, known);
    case "live-state":
      return liveState(state, known);
    case "turn-start":
      return known.turnId === state.store.endedTurnId ? withEndedTurn(state, undefined) : state;
    case "turn-end":
      return turnEnd(state, known);
    default:
      return noted(state, "unknown-event", known);
  }
}

/**
 * The state when its source is over and no event will come: preparing cards hide, pending and running ones show as
 * interrupted. `reduceCards` may go on from here after a reconnect: a `live-state` shows what is alive again.
 */
export function endCards(state: CardsState): CardsState {
  return sweepOpen(state, closeCard);
}

/** True for what `reduceCards` can use: an event of a turn, or a tool-call event of Workglow's own AgentTask. */
export function isCardEvent(chunk: unknown): boolean {
  return isTurnEvent(chunk) || told(chunk)?.type === "tool-call";
}

function toolCall(state: CardsState, event: Told): CardsState {
  const evidence = callEvidence(event);
  return evidence === undefined ? noted(state, "malformed-event", event) : meet(state, evidence, event);
}

function progress(state: CardsState, event: Told): CardsState {
  const toolCallId = nonEmpty(event.toolCallId);
  if (toolCallId === undefined) return noted(state, "malformed-event", event);
  const card = getCard(state, toolCallId);
  if (card === undefined) return noted(state, "unknown-call", event);
  const news = progressOf(event);
  if (news === undefined || !isOpen(card)) return state;
  return putCard(state, changeCard(card, { progress: { ...card.progress, ...news } }));
}

function attemptDiscarded(state: CardsState, event: Told): CardsState {
  const { turnId, round, attempt } = event;
  if (nonEmpty(turnId) === undefined || number(round) === undefined || number(attempt) === undefined) {
    return noted(state, "malformed-event", event);
  }
  const write = (facts: CardFacts) => {
    facts.reason = discardReason(event.reason);
    facts.endedAt = number(event.at);
  };
  return sweepOpen(state, (card) => {
    // Rounds and attempts of a sub-agent's calls are the sub-agent's own.
    const own = card.turnId === turnId && card.round === round && card.attempt === attempt && card.parentToolCallId === undefined;
    return own && card.status === "preparing" ? advanceCard(card, "discarded", write) : card;
  });
}

function liveState(state: CardsState, event: Told): CardsState {
  if (!Array.isArray(event.calls)) return noted(state, "malformed-event", event);
  const live = new Set<string>();
  let next = state;
  for (const call of event.calls) {
    const evidence = callEvidence(told(call) ?? {}, event);
    if (evidence === undefined || isTerminal(evidence.status)) {
      next = noted(next, "malformed-event", event);
      continue;
    }
    live.add(evidence.toolCallId);
    next = meet(next, evidence, event);
    // What a live attempt holds is alive, whatever the loss of a connection made of it.
    const card = getCard(next, evidence.toolCallId);
    if (card?.status === evidence.status) next = place(next, reopenCard(card));
  }
  return sweepOpen(next, (card) => (card.status === "preparing" && !live.has(card.toolCallId) ? closeCard(card) : card));
}

function turnEnd(state: CardsState, event: Told): CardsState {
  const turnId = nonEmpty(event.turnId);
  if (turnId === undefined) return noted(state, "malformed-event", event);
  const swept = sweepOpen(state, (card) => (card.turnId === turnId ? closeCard(card) : card));
  return withEndedTurn(swept, turnId);
}
