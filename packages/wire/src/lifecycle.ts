// The one transition table of a call: the loop emits by it, the reducer tolerates by it, the tests check by it.
import type { CallStatus } from "./call.ts";

/** A call's place in the table; `new` is a call that nobody has heard of yet. */
export type CallState = CallStatus | "new";

/** What may follow what. Everything else in this file is derived from it. */
export const NEXT: { readonly [S in CallState]: readonly CallStatus[] } = {
  new: ["preparing", "pending"],
  preparing: ["pending", "discarded"],
  pending: ["running"],
  running: ["completed", "failed"],
  completed: [],
  failed: [],
  discarded: [],
};

/** True when an emitter may go from `from` to `to`. */
export function canFollow(from: CallState, to: CallStatus): boolean {
  return NEXT[from].includes(to);
}

/** Completed or failed. */
export function isSettled(state: CallState): state is "completed" | "failed" {
  return state === "completed" || state === "failed";
}

/** Nothing may follow: completed, failed or discarded. */
export function isTerminal(state: CallState): state is "completed" | "failed" | "discarded" {
  return state !== "new" && NEXT[state].length === 0;
}

/**
 * How evidence of status `to` meets a card that stands at `from`, whatever order events arrive in:
 * - `advance`: the table's own step.
 * - `skip`: a later status, the ones between were not seen (a window of the log, a foreign stream).
 * - `repeat`: the same unsettled status again.
 * - `stale`: an earlier status that arrived late; at most it fills in what is unknown.
 * - `revive`: a discarded call is shown again (foreign streams only; our emitter keeps ids reserved).
 * - `conflict`: contradicts a terminal status, or withdraws a call that already ran.
 */
export type Arrival = "advance" | "skip" | "repeat" | "stale" | "revive" | "conflict";

/** Derives the arrival of `to` at `from` from the table. */
export function arrival(from: CallState, to: CallStatus): Arrival {
  return ARRIVALS[from][to];
}

function reaches(from: CallState, to: CallStatus): boolean {
  return NEXT[from].some((next) => next === to || reaches(next, to));
}

function derive(from: CallState, to: CallStatus): Arrival {
  if (canFollow(from, to)) return "advance";
  if (from === to) return isTerminal(from) ? "conflict" : "repeat";
  if (reaches(from, to)) return "skip";
  if (from === "discarded") return "revive";
  return from !== "new" && reaches(to, from) ? "stale" : "conflict";
}

const STATES = Object.keys(NEXT) as CallState[];
const ARRIVALS = Object.fromEntries(
  STATES.map((from) => [
    from,
    Object.fromEntries(STATES.filter((to) => to !== "new").map((to) => [to, derive(from, to as CallStatus)])),
  ]),
) as { readonly [S in CallState]: { readonly [T in CallStatus]: Arrival } };
