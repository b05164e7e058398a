// Makes events for the tests of cards, folds them, and names what they look at.
import { type Card, type CardsState, cards, EMPTY_CARDS, getCard, reduceCards } from "@callwire/cards";
import type {
  ApprovalAnswered,
  ApprovalRequested,
  AttemptDiscarded,
  CallCompleted,
  CallDiscarded,
  CallFailed,
  CallPending,
  CallPreparing,
  CallRunning,
  InputAnswered,
  InputRequested,
  LiveCall,
  LiveState,
  ToolCallProgress,
  TurnEnd,
  TurnStart,
} from "@callwire/wire";

const TURN = "turn";

function call(toolCallId: string) {
  return { type: "tool-call", turnId: TURN, toolCallId, name: "read", round: 1, attempt: 1 } as const;
}

/** At 100. */
export function preparing(toolCallId: string, more: Partial<CallPreparing> = {}): CallPreparing {
  return { ...call(toolCallId), status: "preparing", at: 100, ...more };
}

/** At 150. */
export function discarded(toolCallId: string, more: Partial<CallDiscarded> = {}): CallDiscarded {
  return { ...call(toolCallId), status: "discarded", at: 150, reason: "stream-error", ...more };
}

/** At 200, with the path of a file as input. */
export function pending(toolCallId: string, more: Partial<CallPending> = {}): CallPending {
  return { ...call(toolCallId), status: "pending", at: 200, seq: 1, input: { path: `${toolCallId}.txt` }, ...more };
}

/** At 300. */
export function running(toolCallId: string, more: Partial<CallRunning> = {}): CallRunning {
  return { ...call(toolCallId), status: "running", at: 300, seq: 2, ...more };
}

/** At 400. */
export function completed(toolCallId: string, more: Partial<CallCompleted> = {}): CallCompleted {
  return { ...call(toolCallId), status: "completed", at: 400, seq: 5, result: `text of ${toolCallId}`, ...more };
}

/** At 400. */
export function failed(toolCallId: string, more: Partial<CallFailed> = {}): CallFailed {
  const how = { result: "read failed: no such file", reason: "tool-error", executed: "yes" } as const;
  return { ...call(toolCallId), status: "failed", at: 400, seq: 5, ...how, ...more };
}

/** Question `q`, at 310. */
export function approvalRequested(toolCallId: string, more: Partial<ApprovalRequested> = {}): ApprovalRequested {
  const about = { toolCallId, name: "read", input: { path: `${toolCallId}.txt` } };
  return { type: "approval-requested", turnId: TURN, at: 310, seq: 3, approvalId: "q", ...about, ...more };
}

/** Allows question `q`, at 320. */
export function approvalAnswered(toolCallId: string, more: Partial<ApprovalAnswered> = {}): ApprovalAnswered {
  return { type: "approval-answered", turnId: TURN, at: 320, seq: 4, approvalId: "q", toolCallId, answer: "allow", ...more };
}

/** Question `q`, at 310. */
export function inputRequested(toolCallId: string, more: Partial<InputRequested> = {}): InputRequested {
  const about = { toolCallId, name: "read", input: { ask: "which?" } };
  return { type: "input-requested", turnId: TURN, at: 310, seq: 3, inputId: "q", ...about, ...more };
}

/** Answers question `q`, at 320. */
export function inputAnswered(toolCallId: string, more: Partial<InputAnswered> = {}): InputAnswered {
  return { type: "input-answered", turnId: TURN, at: 320, seq: 4, inputId: "q", toolCallId, ...more };
}

/** At 350. */
export function progress(toolCallId: string, more: Partial<ToolCallProgress> = {}): ToolCallProgress {
  return { type: "tool-call-progress", turnId: TURN, at: 350, toolCallId, ...more };
}

/** Round 1, attempt 1. */
export function attemptDiscarded(more: Partial<AttemptDiscarded> = {}): AttemptDiscarded {
  return { type: "attempt-discarded", turnId: TURN, at: 160, round: 1, attempt: 1, reason: "retry", ...more };
}

export function liveCall(toolCallId: string, more: Partial<LiveCall> = {}): LiveCall {
  return { toolCallId, name: "read", status: "preparing", at: 100, round: 1, attempt: 1, ...more };
}

export function liveState(calls: readonly LiveCall[], more: Partial<LiveState> = {}): LiveState {
  return { type: "live-state", turnId: TURN, at: 170, round: 1, attempt: 1, text: "", reasoning: "", calls, ...more };
}

export function turnStart(more: Partial<TurnStart> = {}): TurnStart {
  return { type: "turn-start", turnId: TURN, at: 0, seq: 0, v: 1, prompt: "m1", model: "scripted", ...more };
}

export function turnEnd(more: Partial<TurnEnd> = {}): TurnEnd {
  return { type: "turn-end", turnId: TURN, at: 900, seq: 9, stopReason: "answered", usage: {}, ...more };
}

/** The state after these events. */
export function fold(...events: readonly unknown[]): CardsState {
  return foldOn(EMPTY_CARDS, ...events);
}

/** `state` after these events. */
export function foldOn(state: CardsState, ...events: readonly unknown[]): CardsState {
  return events.reduce<CardsState>((before, event) => reduceCards(before, event), state);
}

/** The card of a call, hidden or not; throws when there is none. */
export function cardOf(state: CardsState, toolCallId: string): Card {
  const card = getCard(state, toolCallId);
  if (card === undefined) throw new Error(`there is no card ${toolCallId}`);
  return card;
}

/** What a host shows, in order: `["a running", "b completed"]`. */
export function shown(state: CardsState): readonly string[] {
  return cards(state).map((card) => `${card.toolCallId} ${card.state}`);
}

/** The kinds of all diagnostics so far. */
export function diagnostics(state: CardsState): readonly string[] {
  return state.diagnostics.map((diagnostic) => diagnostic.kind);
}
