// What hosts are told of a model attempt: withdrawn, live at this moment, and what it cost.
import type { DiscardReason } from "./call.ts";
import type { DurableBase, EventBase } from "./event-base.ts";

/** Tokens. `inputTokens` includes the cached ones, `outputTokens` includes reasoning. Missing means not reported. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}

export type AttemptDiscardReason = Exclude<DiscardReason, "unresolved" | "coalesced">;

/** Live text and reasoning of that attempt are withdrawn. Comes after its calls' `discarded`. */
export interface AttemptDiscarded extends EventBase {
  readonly type: "attempt-discarded";
  readonly round: number;
  readonly attempt: number;
  readonly reason: AttemptDiscardReason;
}

/** A call as a late subscriber finds it. */
export interface LiveCall {
  readonly toolCallId: string;
  readonly name: string;
  readonly status: "preparing" | "pending" | "running";
  /** When it entered this status. */
  readonly at: number;
  readonly round: number;
  readonly attempt: number;
  readonly parentToolCallId?: string;
}

/** The whole transient state of the running attempt; replaces all transient evidence that a host holds. */
export interface LiveState extends EventBase {
  readonly type: "live-state";
  /** 0 when no attempt is live. */
  readonly round: number;
  /** 0 when no attempt is live. */
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly LiveCall[];
}

/** Facts of one attempt, for pictures. */
export interface AttemptFacts {
  /** 1-based within the round. */
  readonly n: number;
  /** Why it was abandoned; absent for the accepted one. */
  readonly reason?: AttemptDiscardReason;
  readonly ms: number;
  /** Names of the calls that it showed as preparing. */
  readonly prepared: readonly string[];
}

export interface RoundUsage extends DurableBase {
  readonly type: "round-usage";
  readonly round: number;
  readonly usage: Usage;
  /** In US dollars, where a price is known. */
  readonly cost?: number;
  readonly attempts: readonly AttemptFacts[];
}
