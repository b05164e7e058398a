// Numbered places for `it.each`, so that a failing test names the place of its fault.
import { playStory, type Setting } from "./harness.ts";

/** A place with its name. */
export interface Place {
  readonly index: number;
  readonly label: string;
}

/** The events, port calls and microtasks of an undisturbed run. */
export async function places(
  setting: Setting = {},
): Promise<{ readonly events: Place[]; readonly ports: Place[]; readonly ticks: Place[] }> {
  const run = await playStory(setting);
  const events = run.events.map((event, index) => {
    const label = event.type === "tool-call" ? `${event.status} ${event.toolCallId}` : event.type;
    return { index, label };
  });
  const ticks = Array.from({ length: run.ticks }, (_, index) => ({ index, label: "" }));
  return { events, ports: run.ports.map((label, index) => ({ index, label })), ticks };
}
