// What all events have in common.

/** Common to all events. */
export interface EventBase {
  readonly turnId: string;
  /** Milliseconds since the epoch, from the turn's clock. */
  readonly at: number;
}

/** Common to the events that a store keeps. */
export interface DurableBase extends EventBase {
  /** 1, 2, 3 ... per session, no gap. A turn without a session is a session of its own. */
  readonly seq: number;
}
