// The fold of one live attempt: what somebody who joins now is told.
import { LiveFold, type TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { callSteps, type StepName, Story, toLog } from "./story.ts";

/** The fold of the good log up to and including the named event. */
function foldTo(name: StepName | undefined, story = new Story()) {
  const fold = new LiveFold();
  for (const event of name === undefined ? [] : toLog(story.upTo(name))) fold.push(event);
  return fold.snapshot();
}
const ids = (name: StepName) => foldTo(name).calls.map(({ toolCallId, status }) => `${toolCallId} ${status}`);

describe("the live fold", () => {
  it("is empty and without a turn before anything happened", () => {
    expect(foldTo(undefined)).toEqual({
      type: "live-state",
      turnId: "",
      at: 0,
      round: 0,
      attempt: 0,
      text: "",
      reasoning: "",
      calls: [],
    });
  });

  it("holds text, reasoning and cards of the running attempt [E0d]", () => {
    expect(foldTo("web preparing")).toEqual({
      type: "live-state",
      turnId: "t1",
      at: 100,
      round: 1,
      attempt: 2,
      text: "Look: ",
      reasoning: "hm",
      calls: [
        { toolCallId: "b", name: "read", status: "preparing", at: 80, round: 1, attempt: 2 },
        { toolCallId: "w", name: "web", status: "preparing", at: 100, round: 1, attempt: 2 },
      ],
    });
  });

  it("forgets a withdrawn attempt", () => {
    expect(foldTo("withdrawn")).toMatchObject({ turnId: "t1", round: 0, attempt: 0, text: "", reasoning: "", calls: [] });
  });

  it("forgets text once it stands in a message, and keeps the calls", () => {
    expect(foldTo("answer")).toMatchObject({ round: 0, attempt: 0, text: "", reasoning: "" });
    expect(ids("answer")).toEqual(["b preparing", "w preparing", "g preparing"]);
  });

  it("follows each call to its end", () => {
    expect(ids("orphan preparing")).toContain("o preparing");
    expect(ids("orphan discarded")).not.toContain("o preparing");
    expect(ids("unknown pending")).toEqual(["b pending", "w pending", "g pending", "u pending"]);
    expect(ids("read running")).toEqual(["b running", "g running", "u pending"]);
    expect(ids("results")).toEqual([]);
  });

  it("keeps a call that the provider has not finished through the next answer", () => {
    expect(ids("last text")).toEqual(["p running"]);
    expect(ids("paused completed")).toEqual([]);
  });

  it("includes forwarded calls of sub-agents, which do not change the attempt", () => {
    const child = callSteps("k", { name: "n", round: 7, attempt: 3, parentToolCallId: "b" });
    const state = foldTo("read progress", new Story().insert("read progress", child.preparing));
    expect(state).toMatchObject({ round: 0, attempt: 0 });
    expect(state.calls).toContainEqual(expect.objectContaining({ toolCallId: "k", parentToolCallId: "b", round: 7 }));
  });

  it("is empty and without a turn after turn-end", () => {
    expect(foldTo("end")).toEqual({
      type: "live-state",
      turnId: "",
      at: 430,
      round: 0,
      attempt: 0,
      text: "",
      reasoning: "",
      calls: [],
    });
  });

  it("starts anew from a live-state", () => {
    const fold = new LiveFold();
    const state = foldTo("web preparing");
    fold.push({ type: "text-delta", turnId: "t0", at: 1, port: "text", textDelta: "old", round: 9, attempt: 9 });
    fold.push(state);
    expect(fold.snapshot()).toEqual(state);
    fold.push({ type: "text-delta", turnId: "t1", at: 110, port: "text", textDelta: "more", round: 1, attempt: 2 });
    expect(fold.snapshot()).toMatchObject({ text: "Look: more", at: 110 });
  });

  it("gives equal states whether it saw the whole attempt or joined in the middle", () => {
    const events = toLog(new Story().steps);
    const whole = new LiveFold();
    for (const [i, event] of events.entries()) {
      whole.push(event);
      const joined = new LiveFold();
      joined.push(whole.snapshot());
      const rest: readonly TurnEvent[] = events.slice(i + 1);
      const reference = new LiveFold();
      for (const earlier of events.slice(0, i + 1)) reference.push(earlier);
      for (const next of rest) {
        joined.push(next);
        reference.push(next);
        expect(joined.snapshot()).toEqual(reference.snapshot());
      }
    }
  });
});
