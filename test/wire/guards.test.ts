// Guards tell our events from whatever else travels on the same channel.
import {
  CALL_STATUSES,
  EVENT_TYPES,
  isDurable,
  isToolCall,
  isToolOutput,
  isTurnEvent,
  resultText,
  toolOutput,
} from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { everyEvent } from "./every-event.ts";
import { resultOf } from "./story.ts";

/** Types of the released Workglow that we must not take for our own, with Workglow's own shapes. */
const FOREIGN: readonly unknown[] = [
  { type: "text-delta", port: "text", textDelta: "x" },
  { type: "object-delta", port: "o", objectDelta: {} },
  { type: "snapshot", data: {} },
  { type: "finish", data: {} },
  { type: "error", error: new Error("x") },
  { type: "phase", message: "x" },
  { type: "tool-call", toolCallId: "a", status: "pending" },
];

describe("isTurnEvent", () => {
  it("knows every event of the vocabulary", () => {
    expect(new Set(everyEvent().map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
    for (const event of everyEvent()) expect(isTurnEvent(event)).toBe(true);
  });

  it("refuses Workglow's own chunks, those of the same name included", () => {
    for (const chunk of FOREIGN) expect(isTurnEvent(chunk)).toBe(false);
  });

  it("refuses what is no object, and types that nobody knows", () => {
    for (const chunk of [undefined, null, 1, "turn-start", [], {}, { type: "toString", turnId: "t", at: 1 }]) {
      expect(isTurnEvent(chunk)).toBe(false);
    }
  });
});

describe("isDurable", () => {
  it("holds for the events with a seq, which are those that the contract stores", () => {
    const durable = everyEvent().filter(isDurable);
    const names = durable.map((event) => (event.type === "tool-call" ? event.status : event.type));
    expect(new Set(names)).toEqual(
      new Set([
        "turn-start",
        "turn-end",
        "message",
        "pending",
        "running",
        "completed",
        "failed",
        "approval-requested",
        "approval-answered",
        "input-requested",
        "input-answered",
        "round-usage",
      ]),
    );
  });
});

describe("isToolCall", () => {
  it("narrows to the six steps of a call", () => {
    const statuses = everyEvent()
      .filter(isToolCall)
      .map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set(CALL_STATUSES));
  });
});

describe("resultText", () => {
  it("joins the text blocks without a separator", () => {
    const image = { type: "image", mediaType: "image/png", data: "" } as const;
    const text = (part: string) => ({ type: "text", text: part }) as const;
    expect(resultText(resultOf("a", "one"))).toBe("one");
    expect(resultText(resultOf("a", "", { content: [text("one "), image, text("two")] }))).toBe("one two");
    expect(resultText(resultOf("a", "", { content: [image] }))).toBe("");
    expect(resultText(resultOf("a", "", { content: [] }))).toBe("");
  });
});

describe("toolOutput", () => {
  it("is told from plain values, also by another copy of the package", () => {
    expect(isToolOutput(toolOutput({ text: "x" }))).toBe(true);
    expect(isToolOutput({ kind: Symbol.for("callwire.tool-output"), text: "", images: [] })).toBe(true);
    for (const value of [null, "x", { kind: "callwire.tool-output" }, { text: "x" }]) expect(isToolOutput(value)).toBe(false);
  });
});
