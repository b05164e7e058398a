// Which events never reach a store, whatever members they carry.
import type { TurnEvent } from "../../index.ts";

const TRANSIENT: ReadonlySet<string> = new Set([
  "tool-call-progress",
  "tool-call-delta",
  "text-delta",
  "reasoning-delta",
  "attempt-discarded",
  "live-state",
] satisfies TurnEvent["type"][]);

/** By type and status, not by the presence of a `seq`. */
export function isTransientKind(event: TurnEvent): boolean {
  if (event.type === "tool-call") return event.status === "preparing" || event.status === "discarded";
  return TRANSIENT.has(event.type);
}
