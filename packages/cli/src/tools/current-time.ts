// The current time as a tool.
import { defineTool } from "@callwire/agent/turn";
import type { Tool } from "@callwire/wire";

/** Tells the time in UTC and in the time zone of this machine. */
export function currentTimeTool(now: () => Date = () => new Date()): Tool {
  return defineTool({
    name: "current_time",
    description: "Tells the current date and time.",
    kind: "other",
    execute: () => {
      const time = now();
      const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "long", timeZone }).format(time);
      return { utc: time.toISOString(), local, timeZone };
    },
  });
}
