// Everything a turn tells its host. Durable events carry `seq`; transient ones do not and never reach a store.
import type { AttemptDiscarded, LiveState, RoundUsage, Usage } from "./attempt-event.ts";
import type { CallInput, CallLocation, ToolCallEvent } from "./call.ts";
import type { DurableBase, EventBase } from "./event-base.ts";
import type { ImageBlock, Message, TextBlock } from "./message.ts";

/** Why a turn ended. */
export const STOP_REASONS = [
  "answered",
  "max-rounds",
  "length",
  "refusal",
  "stopped",
  "budget",
  "submitted",
  "cancelled",
  "error",
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export interface TurnStart extends DurableBase {
  readonly type: "turn-start";
  /** Version of the event vocabulary. */
  readonly v: 1;
  /** Id of the user message that this turn answers. */
  readonly prompt: string;
  /** Name of the model; "" when none was given. */
  readonly model: string;
}

export interface TurnError {
  /** One of `ERROR_CODES`, or a model's own code. */
  readonly code: string;
  readonly message: string;
}

export interface TurnEnd extends DurableBase {
  readonly type: "turn-end";
  readonly stopReason: StopReason;
  /** Present exactly when `stopReason` is `error`. */
  readonly error?: TurnError;
  /** Sum over all rounds, abandoned attempts included. */
  readonly usage: Usage;
}

/** One message was appended to the conversation. Mirrors the conversation; cards are not drawn from it. */
export interface MessageEvent extends DurableBase {
  readonly type: "message";
  readonly message: Message;
}

export interface ApprovalRequested extends DurableBase {
  readonly type: "approval-requested";
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly input: CallInput;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: readonly CallLocation[];
  /** What the tool can touch, in words or entitlement ids. */
  readonly reach?: readonly string[];
  readonly parentToolCallId?: string;
}

export const APPROVAL_ANSWERS = ["allow", "deny", "cancel"] as const;
export type ApprovalAnswer = (typeof APPROVAL_ANSWERS)[number];

export interface ApprovalAnswered extends DurableBase {
  readonly type: "approval-answered";
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly answer: ApprovalAnswer;
  /** Who answered, where the approver tells. */
  readonly by?: string;
  /** Only when the arguments were edited. */
  readonly input?: CallInput;
  readonly parentToolCallId?: string;
}

/** A question to a person, or a call whose result the host supplies. */
export interface InputRequested extends DurableBase {
  readonly type: "input-requested";
  readonly inputId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly input: CallInput;
  readonly parentToolCallId?: string;
}

export interface InputAnswered extends DurableBase {
  readonly type: "input-answered";
  readonly inputId: string;
  readonly toolCallId: string;
  readonly by?: string;
  readonly parentToolCallId?: string;
}

/** A running call reports; also the heartbeat of a silent one (then no member but the id). */
export interface ToolCallProgress extends EventBase {
  readonly type: "tool-call-progress";
  readonly toolCallId: string;
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
  readonly content?: readonly (TextBlock | ImageBlock)[];
  readonly parentToolCallId?: string;
}

/** Opt-in: a piece of argument text while it streams. */
export interface ToolCallDelta extends EventBase {
  readonly type: "tool-call-delta";
  readonly toolCallId: string;
  readonly fragment: string;
}

/** Live text, in Workglow's own shape so that streaming edges work. */
export interface TextDelta extends EventBase {
  readonly type: "text-delta";
  readonly port: "text";
  readonly textDelta: string;
  readonly round: number;
  readonly attempt: number;
}

export interface ReasoningDelta extends EventBase {
  readonly type: "reasoning-delta";
  readonly textDelta: string;
  readonly round: number;
  readonly attempt: number;
}

export type TurnEvent =
  | TurnStart
  | TurnEnd
  | MessageEvent
  | ToolCallEvent
  | ApprovalRequested
  | ApprovalAnswered
  | InputRequested
  | InputAnswered
  | ToolCallProgress
  | ToolCallDelta
  | TextDelta
  | ReasoningDelta
  | AttemptDiscarded
  | LiveState
  | RoundUsage;

/** The events that a store keeps. */
export type DurableEvent = Extract<TurnEvent, { readonly seq: number }>;
export type TransientEvent = Exclude<TurnEvent, DurableEvent>;

/** All event types. */
export const EVENT_TYPES = [
  "turn-start",
  "turn-end",
  "message",
  "tool-call",
  "approval-requested",
  "approval-answered",
  "input-requested",
  "input-answered",
  "tool-call-progress",
  "tool-call-delta",
  "text-delta",
  "reasoning-delta",
  "attempt-discarded",
  "live-state",
  "round-usage",
] as const satisfies readonly TurnEvent["type"][];

const TYPES: ReadonlySet<unknown> = new Set(EVENT_TYPES);

/**
 * Tells a turn event from whatever else travels on the same channel (Workglow's own chunks, foreign events).
 * Looks at `type`, `turnId` and `at` only; `turnEventSchema` of `@callwire/wire/schemas` checks the rest.
 */
export function isTurnEvent(chunk: unknown): chunk is TurnEvent {
  if (typeof chunk !== "object" || chunk === null) return false;
  const event = chunk as { readonly type?: unknown; readonly turnId?: unknown; readonly at?: unknown };
  return TYPES.has(event.type) && typeof event.turnId === "string" && typeof event.at === "number";
}

/** True for events that carry `seq` and belong in a store. */
export function isDurable(event: TurnEvent): event is DurableEvent {
  return "seq" in event;
}

/** True for a step in the life of a call. */
export function isToolCall(event: TurnEvent): event is ToolCallEvent {
  return event.type === "tool-call";
}
