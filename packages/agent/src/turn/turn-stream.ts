// The turn as an async iterable of its events, for hosts that pull.
import { Channel, type TurnEvent, type TurnSource } from "@callwire/wire";
import type { TurnOptions, TurnResult } from "./options.ts";
import { runTurn } from "./turn.ts";

/** The events of a turn in order, and its outcome. Leaving the loop early cancels the turn. */
export interface TurnStream extends AsyncIterable<TurnEvent> {
  readonly result: Promise<TurnResult>;
}

/** Starts a turn at once and queues its events until they are read. `options.emit` still hears them first. */
export function streamTurn(options: TurnOptions): TurnStream {
  const left = new AbortController();
  const outer = options.signal;
  const relay = () => left.abort(outer?.reason);
  if (outer?.aborted) relay();
  outer?.addEventListener("abort", relay);
  const channel = new Channel<TurnEvent>(() => left.abort(new DOMException("The reader left.", "AbortError")));
  const emit = (event: TurnEvent) => {
    channel.push(event);
    options.emit?.(event);
  };
  const result = runTurn({ ...options, emit, signal: left.signal }).finally(() => {
    outer?.removeEventListener("abort", relay);
    channel.close();
  });
  return { result, [Symbol.asyncIterator]: () => channel };
}

/** What hosts serve: each prompt runs a turn with these options. */
export function fromAgent(options: Omit<TurnOptions, "prompt" | "signal">): TurnSource {
  return (prompt, { signal }) => streamTurn({ ...options, prompt, signal });
}
