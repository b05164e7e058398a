// Short words for what the tests of this folder say again and again.
import { isToolCall, type Tool, type TurnEvent } from "@callwire/wire";

/** A function tool without arguments of its own. */
export function tool(name: string, execute: Exclude<Tool["execute"], string>, more: Partial<Tool> = {}): Tool {
  return { name, description: name, execute, ...more };
}

/** The life of all calls in order, as `status id` and the reason of a failure. */
export function steps(events: readonly TurnEvent[]): string[] {
  return events.filter(isToolCall).map((event) => {
    const { status, toolCallId } = event;
    return event.status === "failed" ? `${status} ${toolCallId} ${event.reason}` : `${status} ${toolCallId}`;
  });
}

/** The last status of each call, with the reason of a failure. */
export function endsOf(events: readonly TurnEvent[]): ReadonlyMap<string, string> {
  const calls = events.filter(isToolCall);
  return new Map(calls.map((event) => [event.toolCallId, event.status === "failed" ? `failed ${event.reason}` : event.status]));
}
