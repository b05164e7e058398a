// A reader of the stream leaves after any event: the turn is cancelled, settled and quiet, as if its caller had aborted.
import { streamTurn } from "@callwire/agent/turn";
import type { TurnEvent } from "@callwire/wire";
import { assertEvents, manualClock } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { countedSignal } from "../kit/signals.ts";
import { places } from "./enumerate.ts";
import { type Faults, STORY, storyApprover, storyModel, storyTools } from "./story.ts";

const { events } = await places();
const lastText = events.findLastIndex(({ label }) => label === "text-delta");
const none: Faults = { port: (_name, call) => call(), promise: (_name, call) => call(), started: () => undefined };

/** Streams the story; the reader leaves after so many events. */
async function leaveAfter(count: number) {
  const clock = manualClock();
  const caller = countedSignal();
  const told: TurnEvent[] = [];
  const stream = streamTurn({
    model: storyModel(none, clock, STORY),
    prompt: "Look at a.txt.",
    tools: storyTools(none, clock, true),
    approver: storyApprover(none, clock),
    signal: caller.signal,
    clock,
    emit: (event) => told.push(event),
  });
  const read = async () => {
    let left = count;
    for await (const _ of stream) if (--left === 0) return;
  };
  await clock.runUntil(read());
  const result = await clock.runUntil(stream.result);
  return { told, result, listeners: caller.listeners() };
}

describe("a reader that leaves [T8d, T8f, T10a, I5]", () => {
  it.each(events)("cancels the turn after event $index ($label)", async ({ index }) => {
    const { told, result, listeners } = await leaveAfter(index + 1);
    assertEvents(told, { output: result.messages, text: result.text });
    // After the last text the turn may be over before its reader hears of it.
    if (index <= lastText) expect(result.stopReason).toBe("cancelled");
    expect(listeners).toBe(0);
  });
});
