// Shorthand for tests of the call tracker: pieces in, what was pushed and what the calls are in the end.
import { CallTracker } from "../../packages/models/src/call-tracker.ts";
import { RecordingSink } from "./recording-sink.ts";

/** Absent. */
export const U = undefined;

export type Piece = readonly [index?: number | string, id?: string, name?: string, args?: unknown];

export function track(...pieces: readonly Piece[]) {
  const sink = new RecordingSink();
  const tracker = new CallTracker(sink);
  const slots = pieces.map(([index, id, name, args]) => tracker.add(index, id, name, args));
  return { sink, tracker, slots, calls: (emptyIsObject = true) => tracker.calls(emptyIsObject) };
}
