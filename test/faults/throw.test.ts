// Every call of every port throws, rejects or never comes back: each time the turn ends settled, with the end that fits.
// What a crash of the process leaves behind belongs to the issue on durability: it needs a journal to come back to.
import { describe, expect, it } from "vitest";
import { problemsOf } from "../properties/check.ts";
import { endsOf } from "./calls.ts";
import { places } from "./enumerate.ts";
import { type FaultyRun, playStory } from "./harness.ts";
import { STORY } from "./story.ts";

const { ports } = await places();
const PROMISES: ReadonlySet<string> = new Set(["model.run", "approver.ask", "read.execute", "write.execute", "clock.sleep"]);

/** How the call of a failing port ends. */
const CALL_ENDS: { readonly [port: string]: readonly [toolCallId: string, end: string] } = {
  "approver.ask": ["write-1", "failed approval-failed"],
  "read.execute": ["read-1", "failed tool-error"],
  "write.execute": ["write-1", "failed tool-error"],
  "fail.execute": ["fail-1", "failed tool-error"],
};

function expectSettled(run: FaultyRun, port: string): void {
  expect(problemsOf(run)).toEqual([]);
  expect(run.result?.stopReason).toBe(port === "model.run" ? "error" : "answered");
  const end = CALL_ENDS[port];
  if (end !== undefined) expect(endsOf(run.events).get(end[0])).toBe(end[1]);
}

describe("a port that throws [T8g, T10a, I5]", () => {
  it.each(ports)("leaves nothing open at port call $index ($label)", async ({ index, label }) => {
    expectSettled(await playStory({ fault: { at: "port", index, what: "throw" } }), label);
  });

  it("is asked for approval when the rule itself throws [T7h]", async () => {
    const index = ports.find(({ label }) => label === "write.requiresApproval")?.index ?? -1;
    const run = await playStory({ fault: { at: "port", index, what: "throw" } });
    expect(run.events.some((event) => event.type === "approval-requested" && event.toolCallId === "write-1")).toBe(true);
    expect(run.reports).toEqual(["write.requiresApproval"]);
  });
});

const promises = ports.filter(({ label }) => PROMISES.has(label));

describe("a port that rejects [T8g, T10a, I5]", () => {
  it.each(promises)("leaves nothing open at port call $index ($label)", async ({ index, label }) => {
    expectSettled(await playStory({ fault: { at: "port", index, what: "reject" } }), label);
  });
});

describe("a port that never comes back [T8b, T8f, T10a, I5]", () => {
  it.each(promises)("leaves nothing open once the caller gives up, at port call $index ($label)", async ({ index }) => {
    const run = await playStory({ fault: { at: "port", index, what: "never" } });
    expect(problemsOf(run)).toEqual([]);
  });
});

describe("a model that breaks in the middle of its answer [row-8, I5]", () => {
  const steps = STORY.flatMap((answer, round) => (Array.isArray(answer) ? answer.map((_, step) => ({ round, step })) : []));

  it.each(steps)("leaves nothing open in answer $round before step $step", async ({ round, step }) => {
    const script = STORY.map((answer, i) =>
      i === round && Array.isArray(answer) ? answer.toSpliced(step, 0, { error: { plain: true } }) : answer,
    );
    const run = await playStory({ script });
    expect(problemsOf(run)).toEqual([]);
    expect(run.result?.stopReason).toBe("error");
    expect(run.result?.error?.code).toBe("MODEL_FAILED");
  });

  it.each(steps)(
    "leaves nothing open when it hangs in answer $round before step $step and the caller aborts [row-23]",
    async ({ round, step }) => {
      const script = STORY.map((answer, i) =>
        i === round && Array.isArray(answer) ? answer.toSpliced(step, 0, { hang: true }) : answer,
      );
      const run = await playStory({ script });
      expect(problemsOf(run)).toEqual([]);
      expect(run.result?.stopReason).toBe("cancelled");
    },
  );
});
