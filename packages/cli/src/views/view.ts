// What shows a turn: fed with its events, drawn wherever the output allows.
import type { CardCounts } from "@callwire/cards";
import type { ApprovalRequest, TurnEvent } from "@callwire/wire";

/** A picture of a turn. */
export interface View {
  /** Takes the next event of the turn. */
  event(event: TurnEvent): void;
  /** Shows an open question to the person; undefined takes it away. */
  question(request: ApprovalRequest | undefined): void;
  /** The cards so far. */
  counts(): CardCounts;
  /** Draws what is left and gives the terminal back. Safe to call twice. */
  close(): void;
}
