// The turn as an async iterable: the same events, and a reader that leaves ends the turn.
import { fromAgent, streamTurn } from "@callwire/agent/turn";
import { isToolCall, type TurnEvent } from "@callwire/wire";
import { assertEvents, manualClock, scriptedModel } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { countedSignal } from "../../kit/signals.ts";
import { call, oneRound, playTurn, wordOf } from "../../kit/turn.ts";
import { echo, slow, tool } from "./cast.ts";

const script = oneRound({ text: "Hm." }, call("a", "echo", { say: "x" }));
const counted = () => {
  let ids = 0;
  return () => `m${++ids}`;
};

async function all(stream: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("streamTurn", () => {
  it("gives the events that emit hears, and the result beside them [E0a, T11a]", async () => {
    const heard: TurnEvent[] = [];
    const options = { prompt: "go", turnId: "turn", tools: [echo], ids: counted(), clock: manualClock() };
    const stream = streamTurn({ ...options, model: scriptedModel(script), emit: (event) => heard.push(event) });
    const events = await all(stream);
    const { events: expected, result } = await playTurn({ script, tools: [echo] });
    expect(events).toEqual(expected);
    expect(heard).toEqual(events);
    expect(await stream.result).toEqual(result);
    assertEvents(events, { output: result.messages, text: result.text });
  });

  it("runs whether or not anybody reads; what is read late is all there [T8g]", async () => {
    const stream = streamTurn({ prompt: "go", model: scriptedModel(script), tools: [echo] });
    expect((await stream.result).stopReason).toBe("answered");
    expect((await all(stream)).map(wordOf).at(-1)).toBe("turn-end");
  });

  it("is cancelled when its reader leaves, and settles what it began [T8d]", async () => {
    const heard: TurnEvent[] = [];
    const clock = manualClock();
    const stage = { clock, events: heard, abort: () => undefined };
    const options = { prompt: "go", clock, emit: (event: TurnEvent) => heard.push(event) };
    const stream = streamTurn({
      ...options,
      model: scriptedModel(oneRound(call("a", "slow"), call("b", "echo", { say: "x" }))),
      tools: [slow(stage, "slow", 9_000), echo],
    });
    for await (const event of stream) if (wordOf(event) === "running a") break;
    const result = await clock.runUntil(stream.result);
    expect(result.stopReason).toBe("cancelled");
    assertEvents(heard, { output: result.messages, text: result.text });
    expect(heard.filter(isToolCall).map(wordOf).slice(-3)).toEqual(["running b", "failed b", "failed a"]);
  });

  it("hears the caller's signal, and leaves no listener on it [T8d]", async () => {
    const { signal, abort, listeners } = countedSignal();
    const clock = manualClock();
    const stream = streamTurn({ prompt: "go", model: scriptedModel([[{ hang: true }]]), clock, signal });
    expect(listeners()).toBe(1);
    abort();
    expect((await stream.result).stopReason).toBe("cancelled");
    expect(listeners()).toBe(0);
  });

  it("leaves no listener when it ends by itself, or when its reader leaves [T8d]", async () => {
    const { signal, listeners } = countedSignal();
    await streamTurn({ prompt: "go", model: scriptedModel(script), tools: [echo], signal }).result;
    expect(listeners()).toBe(0);
    const left = streamTurn({ prompt: "go", model: scriptedModel([[{ hang: true }]]), signal });
    for await (const _ of left) break;
    expect((await left.result).stopReason).toBe("cancelled");
    expect(listeners()).toBe(0);
  });

  it("that is aborted before it starts asks no model [T8a]", async () => {
    const { signal, abort, listeners } = countedSignal();
    abort();
    const model = scriptedModel(script);
    const stream = streamTurn({ prompt: "go", model, signal });
    expect((await all(stream)).map(wordOf)).toEqual(["turn-start", "message", "turn-end"]);
    expect(model.requests).toEqual([]);
    expect(listeners()).toBe(0);
  });

  it("gives its events even where emit throws [T13a]", async () => {
    const emit = () => {
      throw new Error("broken");
    };
    const stream = streamTurn({ prompt: "go", model: scriptedModel(script), tools: [echo], emit });
    expect((await all(stream)).map(wordOf).at(-1)).toBe("turn-end");
  });
});

describe("fromAgent", () => {
  it("serves a turn per prompt [E0a]", async () => {
    const seen: unknown[] = [];
    const source = fromAgent({ model: scriptedModel([[{ text: "One." }], [{ text: "Two." }]]), tools: [tool("t", () => "ok")] });
    for (const prompt of ["first", "second"]) {
      const events = await all(source(prompt, {}));
      assertEvents(events);
      seen.push(events.flatMap((event) => (event.type === "message" ? [event.message.content] : [])));
    }
    expect(seen).toEqual([
      ["first", [{ type: "text", text: "One." }]],
      ["second", [{ type: "text", text: "Two." }]],
    ]);
  });

  it("ends a turn when its context's signal aborts [T8d]", async () => {
    const { signal, abort, listeners } = countedSignal();
    const words: string[] = [];
    for await (const event of fromAgent({ model: scriptedModel([[{ text: "Hm." }, { hang: true }]]) })("go", { signal })) {
      words.push(wordOf(event));
      if (event.type === "text-delta") abort();
    }
    expect(words.at(-1)).toBe("turn-end");
    expect(listeners()).toBe(0);
  });
});
