// What a script plays after the end of an answer.
import { scriptedModel } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";

describe("steps after the end", () => {
  it("come too late: behind the caller's own reaction to the end, and not into the end that was given", async () => {
    const told: string[] = [];
    const sink = { text: (text: string) => told.push(text), reasoning() {}, call() {}, providerCall() {}, restart() {} };
    const steps = [{ stop: "end" as const }, { text: "late" }, { call: { id: "c", name: "n", args: {} } }];
    const request = { messages: [{ id: "m", role: "user" as const, content: "go" }], tools: [], round: 1, attempt: 1 };
    const end = await scriptedModel([steps]).run(request, sink, new AbortController());
    told.push(`end with ${end.calls.length} calls`);
    for (let hop = 0; hop < 20; hop++) await undefined;
    expect(told).toEqual(["end with 0 calls", "late"]);
    expect(end.calls).toEqual([]);
  });
});
