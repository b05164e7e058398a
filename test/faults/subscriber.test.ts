// A subscriber that throws at any event changes nothing: the log and the result are those of the undisturbed turn.
import { describe, expect, it } from "vitest";
import { problemsOf } from "../properties/check.ts";
import { places } from "./enumerate.ts";
import { playStory } from "./harness.ts";

const undisturbed = await playStory();
const { events } = await places();

describe("the undisturbed turn", () => {
  it("is two rounds with three calls, text and reasoning", () => {
    expect(problemsOf(undisturbed)).toEqual([]);
    expect(undisturbed.result?.stopReason).toBe("answered");
    expect(undisturbed.result?.rounds).toBe(2);
    expect(undisturbed.result?.text).toBe("Let me see. Done.");
    const ends = undisturbed.events.flatMap((event) =>
      event.type === "tool-call" && "result" in event ? [`${event.status} ${event.toolCallId}`] : [],
    );
    expect(ends).toEqual(["completed read-1", "completed write-1", "failed fail-1"]);
    expect(undisturbed.reports).toEqual([]);
  });

  it("takes every step within the microtasks that are counted per move of the clock", async () => {
    expect((await playStory({ ticks: 400 })).events).toEqual(undisturbed.events);
  });
});

describe("a subscriber that throws [T13a]", () => {
  it.each(events)("changes nothing at event $index ($label)", async ({ index }) => {
    const run = await playStory({ fault: { at: "event", index, what: "throw" } });
    expect(run.events).toEqual(undisturbed.events);
    expect(run.result).toEqual(undisturbed.result);
    expect(run.reports).toEqual(["subscriber"]);
    expect(problemsOf(run)).toEqual([]);
  });

  it.each(["subscriber", "subscriber and hook"] as const)("changes nothing at all events at once (%s throws)", async (throws) => {
    const run = await playStory({ throws });
    expect(run.events).toEqual(undisturbed.events);
    expect(run.result).toEqual(undisturbed.result);
    expect(run.reports).toHaveLength(undisturbed.events.length);
  });
});
