// The caller aborts inside every event and at every microtask: each time the turn ends cancelled, settled and quiet.
import { describe, expect, it } from "vitest";
import { problemsOf } from "../properties/check.ts";
import { endsOf } from "./calls.ts";
import { places } from "./enumerate.ts";
import { type FaultyRun, playStory } from "./harness.ts";

const { events, ports, ticks } = await places();
const PATIENCE = [
  { bodies: "bodies that finish in the grace", stubborn: false },
  { bodies: "bodies that never end", stubborn: true },
];

const TRUE_ENDS: { readonly [toolCallId: string]: string } = {
  "read-1": "completed",
  "write-1": "completed",
  "fail-1": "failed tool-error",
};

function expectSettled(run: FaultyRun, stubborn: boolean): void {
  expect(problemsOf(run)).toEqual([]);
  expect(run.reports).toEqual([]);
  const ends = endsOf(run.events);
  for (const { toolCallId } of run.bodies) {
    const end = ends.get(toolCallId);
    if (stubborn && end === "failed cancelled") continue;
    expect(end, toolCallId).toBe(TRUE_ENDS[toolCallId]);
  }
}

function expectCancelled(run: FaultyRun, stubborn: boolean): void {
  expectSettled(run, stubborn);
  expect(run.result?.stopReason).toBe("cancelled");
}

describe.each(PATIENCE)("an abort, with $bodies [T8a, T8b, T8d, T8e, T8f, T10a, I5]", ({ stubborn }) => {
  it.each(events.slice(0, -1))("ends the turn inside event $index ($label)", async ({ index }) => {
    expectCancelled(await playStory({ stubborn, fault: { at: "event", index, what: "abort" } }), stubborn);
  });

  it("comes too late inside turn-end [T8c]", async () => {
    const run = await playStory({ stubborn, fault: { at: "event", index: events.length - 1, what: "abort" } });
    expect(problemsOf(run)).toEqual([]);
    expect(run.result?.stopReason).toBe("answered");
  });

  it.each(ports)("ends the turn inside port call $index ($label)", async ({ index }) => {
    expectCancelled(await playStory({ stubborn, fault: { at: "port", index, what: "abort" } }), stubborn);
  });

  it.each(ticks)("ends the turn at microtask $index", async ({ index }) => {
    const run = await playStory({ stubborn, fault: { at: "tick", index, what: "abort" } });
    expectSettled(run, stubborn);
    // Between turn-end and the resolution of the result there are a few microtasks.
    if (index < ticks.length - 5) expect(run.result?.stopReason).toBe("cancelled");
  });
});
