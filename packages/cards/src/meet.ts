// Where evidence of a call meets its card: table E.4, asked of the one transition table.
import { type Arrival, arrival, type CallStatus } from "@callwire/wire";
import { type Card, isOpen } from "./card.ts";
import { advanceCard, changeCard, closeCard, createCard, fillCard, reopenCard } from "./card-changes.ts";
import { type CardsState, type DiagnosticKind, getCard, putCard, withDiagnostic } from "./cards-state.ts";
import { type Evidence, input, number, type Told, text } from "./event-facts.ts";

/** Takes what `event` says of one call. */
export function meet(state: CardsState, evidence: Evidence, event: Told): CardsState {
  const { status, write } = evidence;
  const card = getCard(state, evidence.toolCallId);
  if (card === undefined) {
    // There is nothing to withdraw.
    return status === "discarded" ? noted(state, "unknown-call", event) : create(state, evidence, event);
  }
  switch (arrivalAt(card, status)) {
    case "advance":
    case "skip":
      return place(state, advanceCard(card, status, write));
    case "repeat":
      return repeat(state, card, evidence, event);
    case "revive":
      return create(state, { ...evidence, name: evidence.name ?? card.name }, event);
    case "stale":
      if (status === "preparing") return state;
      return status === "pending" ? putCard(state, fillCard(card, write)) : noted(state, "late-event", event);
    case "conflict":
      return noted(state, "conflict", event);
  }
}

/** The table's word for evidence at a card. */
export function arrivalAt(card: Card, status: CallStatus): Arrival {
  // Our emitter never withdraws an announced call, but a foreign one may: nothing of it ran yet.
  return card.status === "pending" && status === "discarded" ? "advance" : arrival(card.status, status);
}

/** Puts a card that an event may have opened. Late evidence of a turn that ended opens nothing. */
export function place(state: CardsState, card: Card): CardsState {
  const late = card.turnId !== undefined && card.turnId === state.store.endedTurnId;
  return putCard(state, late && isOpen(card) ? closeCard(card) : card);
}

/** The state with a note that `event` was not taken as it stands. */
export function noted(state: CardsState, kind: DiagnosticKind, event: Told | undefined): CardsState {
  const type = text(event?.type);
  const toolCallId = text(event?.toolCallId);
  const at = number(event?.at);
  return withDiagnostic(state, {
    kind,
    ...(type !== undefined && { type }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(at !== undefined && { at }),
  });
}

function create(state: CardsState, { toolCallId, name, status, write }: Evidence, event: Told): CardsState {
  if (name === undefined) return noted(state, "unknown-call", event);
  return place(state, createCard({ toolCallId, name, status }, write));
}

function repeat(state: CardsState, card: Card, { status, name, write }: Evidence, event: Told): CardsState {
  let next = fillCard(card, write);
  const edited = status === "running" ? input(event.input) : undefined;
  if (edited !== undefined) next = changeCard(next, { input: edited, inputEdited: true });
  if (status === "preparing") {
    if (name !== undefined && name !== next.name) next = changeCard(next, { name });
    next = reopenCard(next);
  }
  return place(state, next);
}
