// A tool call as hosts see it: six statuses, one event member each, and the reasons for the two sad ends.

/** The six statuses of a call, in the order of its life. */
export const CALL_STATUSES = ["preparing", "discarded", "pending", "running", "completed", "failed"] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

/** Why a call that was only prepared was withdrawn. Nothing of it ran. */
export const DISCARD_REASONS = [
  "retry",
  "fallback",
  "cancelled",
  "stream-error",
  "timeout",
  "truncated",
  "refused",
  "malformed",
  "unresolved",
  "coalesced",
] as const;
export type DiscardReason = (typeof DISCARD_REASONS)[number];

/** Why a call failed. */
export const FAIL_REASONS = [
  "unknown-tool",
  "invalid-arguments",
  "denied",
  "no-approver",
  "approval-failed",
  "tool-error",
  "timeout",
  "cancelled",
  "cancelled-before-start",
  "skipped",
  "interrupted",
] as const;
export type FailReason = (typeof FAIL_REASONS)[number];

/** Whether the body of a failed call ran: `unknown` means that it started and may have had effects. */
export const EXECUTED = ["no", "yes", "unknown"] as const;
export type Executed = (typeof EXECUTED)[number];

/** A place in the user's world that a call touches, for hosts that follow along (an editor opens the file). */
export interface CallLocation {
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

/** A value that survives `JSON.parse(JSON.stringify(value))`. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The parsed arguments of a call: a JSON object without prototype keys. */
export type CallInput = { readonly [key: string]: unknown };

interface CallEventBase {
  readonly type: "tool-call";
  /** The turn that shows the call. */
  readonly turnId: string;
  /** Milliseconds since the epoch, from the turn's clock. */
  readonly at: number;
  /** Unique in the conversation. */
  readonly toolCallId: string;
  /** Name of the tool as the model wrote it. */
  readonly name: string;
  /** 1-based within the turn. */
  readonly round: number;
  /** 1-based within the round. */
  readonly attempt: number;
  /** The call of the parent turn that this one was made for (calls of sub-agents). */
  readonly parentToolCallId?: string;
}

interface DurableCallEventBase extends CallEventBase {
  /** 1, 2, 3 ... per session, no gap. */
  readonly seq: number;
}

/** Id and name are known; the arguments are still on their way. Transient. */
export interface CallPreparing extends CallEventBase {
  readonly status: "preparing";
}

/** A prepared call was withdrawn with its attempt: it never ran and is not in the history. Transient. */
export interface CallDiscarded extends CallEventBase {
  readonly status: "discarded";
  readonly reason: DiscardReason;
}

/** The call is asked for, its arguments are complete. All calls of a round are pending before any runs. */
export interface CallPending extends DurableCallEventBase {
  readonly status: "pending";
  /** `{}` when the argument text was unusable: see `inputProblem`. */
  readonly input: CallInput;
  /** Why the argument text could not be used. Hosts show this instead of the input. */
  readonly inputProblem?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: readonly CallLocation[];
  /** A person will be asked before it runs. */
  readonly needsApproval?: true;
  /** When it was first shown as preparing, ms since the epoch. */
  readonly preparedAt?: number;
  /** The model's provider runs it; the result comes from there. */
  readonly providerExecuted?: true;
}

/** The loop took the call up. Waiting for a person's approval is part of running. */
export interface CallRunning extends DurableCallEventBase {
  readonly status: "running";
  /** Only when a person edited the arguments. */
  readonly input?: CallInput;
}

/** The call ended well. */
export interface CallCompleted extends DurableCallEventBase {
  readonly status: "completed";
  /** The text that the model reads: the text blocks of the tool-result block, joined without separator. */
  readonly result: string;
  /** The tool's JSON value, where it returned one that is not just the text. */
  readonly output?: JsonValue;
  /** Data for the host's own picture of the result; never sent to the model. */
  readonly display?: JsonValue;
}

/** The call did not end well. This is the call's own outcome; the turn goes on. */
export interface CallFailed extends DurableCallEventBase {
  readonly status: "failed";
  /** The text that the model reads, as for completed calls. */
  readonly result: string;
  readonly reason: FailReason;
  readonly executed: Executed;
}

/** One step in the life of a call. `Extract<ToolCallEvent, { status: "completed" }>` is exactly one member. */
export type ToolCallEvent = CallPreparing | CallDiscarded | CallPending | CallRunning | CallCompleted | CallFailed;
