// A card: all that is known of one tool call, and the one word that a host draws for it.
import type {
  ApprovalAnswer,
  CallInput,
  CallLocation,
  CallStatus,
  DiscardReason,
  Executed,
  FailReason,
  ImageBlock,
  JsonValue,
  TextBlock,
} from "@callwire/wire";

/**
 * What a host draws. Derived from the other members of the card, so that no host has to:
 * - `preparing`, `pending`, `running`: the call's own status.
 * - `awaiting-approval`, `awaiting-input`: a person or the host was asked and has not answered.
 * - `completed`; `failed`: the body or its arguments failed, timed out, or nobody could be asked.
 * - `denied`: a person said no. `cancelled`: the caller or a stop policy ended it (reasons `cancelled`,
 *   `cancelled-before-start`, `skipped`).
 * - `interrupted`: its turn or its source ended without a result. Told by an event (failed `interrupted`) or derived.
 * - `discarded`: withdrawn with its model attempt; such a card is hidden.
 */
export type CardState =
  | "preparing"
  | "pending"
  | "running"
  | "awaiting-approval"
  | "awaiting-input"
  | "completed"
  | "failed"
  | "denied"
  | "cancelled"
  | "interrupted"
  | "discarded";

/** The newest request for approval of a call. Open while it has no `answer`. */
export interface CardApproval {
  /** What an answer must name. */
  readonly approvalId: string;
  /** What the tool can touch. */
  readonly reach?: readonly string[];
  readonly answer?: ApprovalAnswer;
  /** Who answered. */
  readonly by?: string;
}

/** The newest question that a call put to a person or to the host. Open while `answered` is absent. */
export interface CardQuestion {
  /** What an answer must name. */
  readonly inputId: string;
  readonly input?: CallInput;
  readonly answered?: true;
  /** Who answered. */
  readonly by?: string;
}

/** The newest of each thing that the running call reported. */
export interface CardProgress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
  readonly content?: readonly (TextBlock | ImageBlock)[];
}

/**
 * One tool call as a host draws it. A member that is absent is not known (yet): `input` of a preparing card, or of a card
 * whose beginning lies outside of what was read. Times are ms since the epoch, from the turn's clock.
 */
export interface Card {
  /** The card's key: it never changes, and there is one card per id. */
  readonly toolCallId: string;
  readonly name: string;
  /** The furthest status that events told. An interrupted card keeps it. */
  readonly status: CallStatus;
  readonly state: CardState;
  /** Withdrawn: not in `cards(state)` until it is shown again, at the same place. */
  readonly hidden?: true;
  /** Its turn or its source ended while it was pending or running. A later result still wins. */
  readonly interrupted?: true;
  /** What the tool gets; the edited arguments when a person edited them. `{}` when there is an `inputProblem`. */
  readonly input?: CallInput;
  readonly inputEdited?: true;
  /** Why the argument text could not be used; shown instead of the input. */
  readonly inputProblem?: string;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: readonly CallLocation[];
  readonly needsApproval?: true;
  readonly providerExecuted?: true;
  readonly approval?: CardApproval;
  readonly question?: CardQuestion;
  readonly progress?: CardProgress;
  /** The text that the model reads. */
  readonly result?: string;
  readonly output?: JsonValue;
  readonly display?: JsonValue;
  /** A `FailReason` when `status` is `failed`, a `DiscardReason` when it is `discarded`. */
  readonly reason?: FailReason | DiscardReason;
  /** Failed cards only. */
  readonly executed?: Executed;
  readonly turnId?: string;
  readonly round?: number;
  readonly attempt?: number;
  readonly parentToolCallId?: string;
  readonly preparedAt?: number;
  readonly pendingAt?: number;
  readonly runningAt?: number;
  /** When the newest question was put. */
  readonly askedAt?: number;
  readonly answeredAt?: number;
  readonly endedAt?: number;
}

/** Something may still happen to it: shown, neither settled nor interrupted. */
export function isOpen(card: Card): boolean {
  if (card.hidden || card.interrupted) return false;
  return card.status === "preparing" || card.status === "pending" || card.status === "running";
}

/** The word for a card, from its other members. */
export function stateOf(card: Card): CardState {
  if (card.hidden || card.status === "discarded") return "discarded";
  if (card.status === "failed") return failedState(card.reason);
  if (card.status === "completed" || card.status === "preparing") return card.status;
  if (card.interrupted) return "interrupted";
  if (card.approval !== undefined && card.approval.answer === undefined) return "awaiting-approval";
  if (card.question !== undefined && !card.question.answered) return "awaiting-input";
  return card.status;
}

function failedState(reason: Card["reason"]): CardState {
  switch (reason) {
    case "denied":
    case "cancelled":
    case "interrupted":
      return reason;
    case "cancelled-before-start":
    case "skipped":
      return "cancelled";
    default:
      return "failed";
  }
}
