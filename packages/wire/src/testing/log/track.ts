// What the checkers of an event log remember of a call, and how they report.
import type {
  ApprovalAnswered,
  CallCompleted,
  CallFailed,
  CallPending,
  CallStatus,
  ToolCallEvent,
  ToolResultBlock,
} from "../../index.ts";

/** Reports a broken rule, by its id in the contract. */
export type Report = (rule: string, problem: string) => void;

/** One call of the log. */
export interface CallTrack {
  readonly id: string;
  readonly name: string;
  readonly turnId: string;
  readonly round: number;
  readonly attempt: number;
  readonly parent: string | undefined;
  status: CallStatus;
  /** When it was shown as preparing. */
  preparedAt: number | undefined;
  /** It reported while it was preparing: only a call that the provider runs may. */
  reportedEarly: boolean;
  pending: CallPending | undefined;
  terminal: CallCompleted | CallFailed | undefined;
  answer: ApprovalAnswered | undefined;
  /** Its result, where that stands in an assistant message already. */
  block: ToolResultBlock | undefined;
  /** Its result was compared with its terminal event. */
  matched: boolean;
  /** It was told that its result is missing. */
  missed: boolean;
  /** A person was asked. */
  asked: boolean;
  /** Its place among the calls of its round that this side runs. */
  index: number | undefined;
  /** What it went running before, against the order. */
  ranPast: string | undefined;
}

export function newTrack(event: ToolCallEvent): CallTrack {
  return {
    id: event.toolCallId,
    name: event.name,
    turnId: event.turnId,
    round: event.round,
    attempt: event.attempt,
    parent: event.parentToolCallId,
    status: event.status,
    preparedAt: undefined,
    reportedEarly: false,
    pending: undefined,
    terminal: undefined,
    answer: undefined,
    block: undefined,
    matched: false,
    missed: false,
    asked: false,
    index: undefined,
    ranPast: undefined,
  };
}

/** What all checkers of one log share. */
export interface LogContext {
  readonly report: Report;
  /** The log comes from a store: transient events are not in it. */
  readonly stored: boolean;
  /** Bodies run one at a time. */
  readonly serial: boolean;
  /** Every call of the log, by id. */
  readonly calls: Map<string, CallTrack>;
  /** Call ids of the history before the log. */
  readonly usedIds: ReadonlySet<string>;
}
