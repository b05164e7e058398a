// The schemas take every event as it is, refuse what the contract refuses, and read events of newer versions.
import { CALL_STATUSES, EVENT_TYPES, isDurable, isToolCall, type TurnEvent } from "@callwire/wire";
import {
  approvalResponseSchema,
  durableEventSchema,
  jsonValueSchema,
  messageSchema,
  toolCallEventSchema,
  transientEventSchema,
  turnEventSchema,
} from "@callwire/wire/schemas";
import { describe, expect, it } from "vitest";
import { everyEvent } from "./every-event.ts";
import { callSteps, MESSAGES, toLog } from "./story.ts";

const kindOf = (event: TurnEvent) => (event.type === "tool-call" ? event.status : event.type);
const clone = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const call = callSteps("a", { name: "n", round: 1, attempt: 1 });

/** The first event of that kind, with members changed or, where `undefined`, taken away. */
function broken(kind: string, members: object): unknown {
  return clone({ ...everyEvent().find((event) => kindOf(event) === kind), ...members });
}

describe("turnEventSchema", () => {
  it("covers every type and status", () => {
    const kinds = new Set(everyEvent().map(kindOf));
    expect(kinds).toEqual(new Set([...EVENT_TYPES.filter((type) => type !== "tool-call"), ...CALL_STATUSES]));
  });

  for (const kind of new Set(everyEvent().map(kindOf))) {
    it(`gives back a ${kind} as it went over the wire`, () => {
      for (const event of everyEvent().filter((each) => kindOf(each) === kind)) {
        expect(turnEventSchema.parse(clone(event))).toEqual(clone(event));
      }
    });
  }

  it("drops members that it does not know, at any depth, and refuses nothing for them", () => {
    const event = { ...MESSAGES[1], content: [{ type: "text", text: "x", later: 1 }], later: { a: 1 } };
    expect(messageSchema.parse(event)).toEqual({ id: "m1", role: "assistant", content: [{ type: "text", text: "x" }] });
    expect(turnEventSchema.parse(broken("preparing", { input: { half: "js" } }))).not.toHaveProperty("input");
  });

  const refused: readonly (readonly [why: string, event: unknown])[] = [
    ["no type", broken("turn-start", { type: undefined })],
    ["an unknown type", broken("turn-start", { type: "finish" })],
    ["an unknown status", broken("pending", { status: "done" })],
    ["no turnId", broken("text-delta", { turnId: undefined })],
    ["a time that is no number", broken("text-delta", { at: "now" })],
    ["a durable event without seq", broken("running", { seq: undefined })],
    ["seq 0", broken("running", { seq: 0 })],
    ["a seq between two numbers", broken("running", { seq: 1.5 })],
    ["another version", broken("turn-start", { v: 2 })],
    ["an unknown stop reason", broken("turn-end", { stopReason: "done" })],
    ["an error without a code", broken("turn-end", { error: { message: "x" } })],
    ["pending without input", broken("pending", { input: undefined })],
    ["an input that is an array", broken("pending", { input: [] })],
    ["needsApproval false", broken("pending", { needsApproval: false })],
    ["completed without a result", broken("completed", { result: undefined })],
    ["a discarded without a reason", broken("discarded", { reason: undefined })],
    ["a discard reason on failed", broken("failed", { reason: "retry" })],
    ["a fail reason on discarded", broken("discarded", { reason: "denied" })],
    ["failed without executed", broken("failed", { executed: undefined })],
    ["round 0", broken("preparing", { round: 0 })],
    ["an empty toolCallId", broken("preparing", { toolCallId: "" })],
    ["another port", broken("text-delta", { port: "message" })],
    ["an attempt-discarded for a single call's reason", broken("attempt-discarded", { reason: "coalesced" })],
    ["a live call that is completed", broken("live-state", { calls: [{ ...call.completed(""), at: 1 }] })],
    ["an answer that nobody can give", broken("approval-answered", { answer: "maybe" })],
    ["a message of an unknown role", broken("message", { message: { id: "x", role: "developer", content: "" } })],
    ["a message without an id", broken("message", { message: { id: "", role: "user", content: "x" } })],
    ["a call in a user message", broken("message", { message: { ...MESSAGES[3], role: "user" } })],
    ["text in a tool message", broken("message", { message: { id: "x", role: "tool", content: [{ type: "text", text: "" }] } })],
  ];
  for (const [why, event] of refused) {
    it(`refuses ${why}`, () => {
      expect(turnEventSchema.safeParse(event).success).toBe(false);
    });
  }
});

describe("the narrower schemas", () => {
  it("divide the events as the guards do", () => {
    for (const event of everyEvent()) {
      expect(durableEventSchema.safeParse(event).success).toBe(isDurable(event));
      expect(transientEventSchema.safeParse(event).success).toBe(!isDurable(event));
      expect(toolCallEventSchema.safeParse(event).success).toBe(isToolCall(event));
    }
  });

  it("read an approval as a host sends it", () => {
    expect(approvalResponseSchema.parse({ answer: "allow", input: { a: 1 }, by: "me" })).toEqual({
      answer: "allow",
      input: { a: 1 },
      by: "me",
    });
    expect(approvalResponseSchema.safeParse({ answer: "yes" }).success).toBe(false);
  });
});

describe("jsonValueSchema", () => {
  it("takes what survives JSON and refuses the rest", () => {
    for (const value of [null, "", 0, false, [], {}, { a: [{ b: null }] }]) expect(jsonValueSchema.parse(value)).toEqual(value);
    for (const value of [undefined, Number.NaN, 1n, () => 1, new Date(), { a: [undefined] }]) {
      expect(jsonValueSchema.safeParse(value).success).toBe(false);
    }
  });

  it("takes values of any depth", () => {
    const depth = 200_000;
    const deep: unknown = JSON.parse(`${"[".repeat(1_000)}${"]".repeat(1_000)}`);
    let value = deep;
    for (let i = 0; i < depth; i++) value = [value];
    expect(jsonValueSchema.safeParse(value).success).toBe(true);
    const [event] = toLog([call.completed("x", { output: value })]);
    expect(turnEventSchema.safeParse(event).success).toBe(true);
  });
});
