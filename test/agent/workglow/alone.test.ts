// AgentTask run by itself: what it tells, what it returns, and that it runs one turn at a time.
import { AgentTask } from "@callwire/agent";
import type { Message } from "@callwire/wire";
import { assertEvents, assertHistory, manualClock } from "@callwire/wire/testing";
import type { StreamEvent, TaskStatus } from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";

const model = answering(TWO_ROUNDS);

describe("AgentTask alone", () => {
  it("is of type CallwireAgentTask and returns the members of a turn's result [P6a]", async () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    const output = await task.run({ prompt: "2 + 3?" });
    expect(task.type).toBe("CallwireAgentTask");
    expect(Object.keys(output).sort()).toEqual(["messages", "rounds", "stopReason", "text", "usage"]);
    expect(output).toMatchObject({ text: TWO_ROUNDS_TEXT, rounds: 2, stopReason: "answered", usage: {} });
    expect(output.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    assertHistory(output.messages);
    expect(task.runOutputData).toEqual(output);
  });

  it("tells every event on stream_chunk, in the order of the turn, and the messages give the output [T11a, T15b]", async () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    const chunks: StreamEvent[] = [];
    task.on("stream_chunk", (chunk) => chunks.push(chunk));
    const heard = hear(task);
    const before: Message[] = [{ id: "m0", role: "system", content: "Be brief." }];
    const output = await task.run({ prompt: "2 + 3?", messages: before });
    expect(heard.kinds()).toEqual([
      "turn-start",
      "message",
      "text-delta",
      "text-delta",
      "tool-call:preparing",
      "round-usage",
      "message",
      "tool-call:pending",
      "tool-call:running",
      "tool-call:completed",
      "message",
      "text-delta",
      "text-delta",
      "round-usage",
      "message",
      "turn-end",
    ]);
    assertEvents(heard.events(), { input: before, output: output.messages, text: output.text });
    expect(heard.taskIds()).toEqual([task.id]);
    expect(chunks.slice(0, -1)).toEqual(heard.events());
  });

  it("ends its stream with exactly one finish, which carries the settled ports, and emits no snapshot [T15b, T11b]", async () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    const chunks: StreamEvent[] = [];
    task.on("stream_chunk", (chunk) => chunks.push(chunk));
    const output = await task.run({ prompt: "2 + 3?" });
    const types = chunks.map(({ type }) => type);
    expect(types.filter((type) => type === "finish")).toHaveLength(1);
    expect(chunks.at(-1)).toEqual({ type: "finish", data: output });
    expect(types).not.toContain("snapshot");
  });

  it("flips to STREAMING at the first text delta, never by a call [T15a]", async () => {
    const silent = answering([[{ call: { id: "c1", name: "add", args: { a: 1 } } }], [{ text: "done" }]]);
    const task = new AgentTask({ defaults: { model: silent, tools: [add] } });
    const told: string[] = [];
    task.on("status", (status: TaskStatus) => told.push(status));
    task.on("stream_chunk", (chunk: { readonly type: string }) => told.push(chunk.type));
    await task.run({ prompt: "go" });
    const flip = told.indexOf("STREAMING");
    expect(told[flip + 1]).toBe("text-delta");
    expect(told.slice(0, flip)).toContain("tool-call");
    expect(told.filter((entry) => entry === "STREAMING")).toHaveLength(1);
    expect(told.at(-1)).toBe("COMPLETED");
  });

  it("stays PROCESSING in a turn without text", async () => {
    const mute = answering([[{ call: { id: "c1", name: "add", args: { a: 1 } } }]]);
    const task = new AgentTask({ defaults: { model: mute, tools: [add], maxRounds: 1 } });
    const statuses: string[] = [];
    task.on("status", (status: TaskStatus) => statuses.push(status));
    expect((await task.run({ prompt: "go" })).stopReason).toBe("max-rounds");
    expect(statuses).toEqual(["PROCESSING", "COMPLETED"]);
  });

  it("takes its time and ids from its ports: equal runs give equal logs [P4]", async () => {
    const logOf = async () => {
      let next = 0;
      const clock = manualClock(1_000);
      const slow = answering([[{ wait: 5 }, ...TWO_ROUNDS[0]], TWO_ROUNDS[1]], { clock });
      const task = new AgentTask({ defaults: { model: slow, tools: [add], clock, ids: () => `id${++next}` } });
      const heard = hear(task);
      await clock.runUntil(task.run({ prompt: "2 + 3?" }));
      return heard.events();
    };
    const log = await logOf();
    expect(log[0]).toMatchObject({ type: "turn-start", at: 1_000, turnId: "id1" });
    expect(log.at(-1)).toMatchObject({ type: "turn-end", at: 1_005 });
    expect(await logOf()).toEqual(log);
  });

  it("gives a further turn the conversation that it is handed, and changes none that it was given", async () => {
    const first = await new AgentTask({ defaults: { model, tools: [add] } }).run({ prompt: "2 + 3?" });
    const given = structuredClone(first.messages);
    const task = new AgentTask({ defaults: { model: answering([[{ text: "Yes." }]]), tools: [add] } });
    const heard = hear(task);
    const second = await task.run({ prompt: "Sure?", messages: first.messages });
    expect(first.messages).toEqual(given);
    expect(second.messages).toHaveLength(given.length + 2);
    assertEvents(heard.events(), { input: given, output: second.messages, text: "Yes." });
  });

  it("takes a prompt of text and image blocks", async () => {
    const prompt = [
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: "AAAA" },
    ] as const;
    const output = await new AgentTask({ defaults: { model: answering([[{ text: "A dot." }]]) } }).run({ prompt });
    expect(output.messages[0]).toMatchObject({ role: "user", content: prompt });
  });
});

describe("a second run", () => {
  it("is refused while the first one streams, and does not disturb it [T15c]", async () => {
    const clock = manualClock();
    const slow = answering([[{ text: "one " }, { wait: 10 }, { text: "two" }]], { clock });
    const task = new AgentTask({ defaults: { model: slow } });
    const heard = hear(task);
    const first = task.run({ prompt: "go" });
    await clock.advance(5);
    expect(task.status).toBe("STREAMING");
    await expect(task.run({ prompt: "again" })).rejects.toMatchObject({
      code: "ALREADY_RUNNING",
      name: "AgentConfigurationError",
    });
    expect((await clock.runUntil(first)).text).toBe("one two");
    expect(heard.kinds().filter((kind) => kind === "turn-start")).toHaveLength(1);
  });

  it("is refused from the first moment on [T15c]", async () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    const first = task.run({ prompt: "go" });
    await expect(task.run({ prompt: "again" })).rejects.toMatchObject({ code: "ALREADY_RUNNING" });
    expect((await first).text).toBe(TWO_ROUNDS_TEXT);
  });

  it("runs after the first one has ended, from fresh input and output", async () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    const first = await task.run({ prompt: "go" });
    await expect(task.run({ prompt: "go", model: "nobody" })).rejects.toMatchObject({ code: "MODEL_NOT_BOUND" });
    expect(task.runOutputData).toEqual({});
    task.resetInputData();
    expect((await task.run({ prompt: "go" })).messages).toHaveLength(first.messages.length);
  });

  it("leaves a preview alone: it neither runs a turn nor disturbs one", async () => {
    const clock = manualClock();
    const slow = answering([[{ text: "one " }, { wait: 10 }, { text: "two" }]], { clock });
    const task = new AgentTask({ defaults: { model: slow, prompt: "go" } });
    expect(await task.runPreview()).toEqual({});
    const run = task.run();
    await clock.advance(5);
    await task.runPreview({ prompt: "other" });
    expect(await clock.runUntil(run)).toMatchObject({ text: "one two" });
    expect(task.runOutputData.messages[0]).toMatchObject({ content: "go" });
  });
});
