// Ports of time, identity and durability. A turn takes nothing from the outside world except through these.

import type { InFlightPolicy } from "./tool.ts";
import type { DurableEvent } from "./turn-event.ts";

/** Time as an argument. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Makes ids that are unique in the conversation. */
export type Ids = () => string;

/** A durable event before the journal gave it its `seq`. */
export type Unsequenced<E = DurableEvent> = E extends unknown ? Omit<E, "seq"> : never;

/**
 * Makes a turn durable. In memory it costs nothing; kept by a store it survives the process.
 *
 * Contract: `append` stores a batch as one transaction and gives its events their `seq`; they are emitted after it returned.
 * `once` runs `run` at most once per key and remembers its JSON result; `wait` resolves with an answer from outside.
 */
export interface Journal {
  append(events: readonly Unsequenced[]): readonly DurableEvent[] | Promise<readonly DurableEvent[]>;
  once<T>(key: string, run: () => Promise<T>, options?: { readonly inFlight?: InFlightPolicy }): Promise<T>;
  wait(topic: string, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
}
