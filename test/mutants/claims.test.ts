// The promises in their shortest form, each by its own test; `npm run mutants` breaks the product under them.
import { AgentTask, defineTool, onTurnEvent } from "@callwire/agent";
import { resultText, type ToolCallEvent, type ToolResultBlock } from "@callwire/wire";
import { type Script, scriptedModel } from "@callwire/wire/testing";
import { expect, it } from "vitest";
import * as z from "zod";

const LONG = "x".repeat(100);

const tools = [
  defineTool({ name: "echo", description: "Says it back", input: z.object({ say: z.string() }), execute: ({ say }) => say }),
  defineTool({
    name: "fail",
    description: "Fails",
    execute: () => {
      throw new Error("no luck");
    },
  }),
];

const call = (id: string, name: string, args: object = {}) => ({ call: { id, name, args } });

/** Runs one round with the given calls on the real Workglow and returns what its subscribers saw. */
async function play(calls: readonly { readonly call: object }[], limits: { readonly maxToolResultChars?: number } = {}) {
  const script = [
    [...calls, { stop: "tool-calls" }],
    [{ text: "done" }, { stop: "end" }],
  ] as unknown as Script;
  const task = new AgentTask();
  const events: ToolCallEvent[] = [];
  onTurnEvent(task, ({ event }) => {
    if (event.type === "tool-call") events.push(event);
  });
  const { messages } = await task.run({ prompt: "go", model: scriptedModel(script), tools, ...limits });
  const blocks = messages.flatMap((message) => (message.role === "tool" ? message.content : []));
  return {
    events,
    words: events.map(({ toolCallId, status }) => `${toolCallId} ${status}`),
    blocks: blocks as readonly ToolResultBlock[],
  };
}

it("delivers every status of a call to the subscribers of stream_chunk", async () => {
  const { words } = await play([call("a", "echo", { say: "hi" })]);
  expect(words).toEqual(["a preparing", "a pending", "a running", "a completed"]);
});

it("reports a call that did not end well as failed, with its reason [E2f]", async () => {
  const { events } = await play([call("a", "fail")]);
  expect(events.at(-1)).toMatchObject({
    status: "failed",
    reason: "tool-error",
    executed: "yes",
    result: "fail failed: no luck",
  });
});

it("announces every call of a round before any runs [T1a]", async () => {
  const { words } = await play([call("a", "echo", { say: "1" }), call("b", "echo", { say: "2" })]);
  const ran = words.filter((word) => !word.endsWith("preparing"));
  expect(ran).toEqual(["a pending", "b pending", "a running", "a completed", "b running", "b completed"]);
});

it("shows the text that the model reads, clamp included [T2a]", async () => {
  const { events, blocks } = await play([call("a", "echo", { say: LONG })], { maxToolResultChars: 60 });
  const settled = events.at(-1) as Extract<ToolCallEvent, { status: "completed" }>;
  expect(settled.result).toBe(resultText(blocks[0] as ToolResultBlock));
  expect(settled.result).toMatch(/^x+… \[truncated, 100 chars total\]$/);
});

it("runs a call that was never prepared", async () => {
  const { words } = await play([{ call: { id: "a", name: "echo", args: { say: "hi" }, early: false } }]);
  expect(words).toEqual(["a pending", "a running", "a completed"]);
});

it("tells the model of a tool that does not exist", async () => {
  const { events } = await play([call("a", "nope")]);
  expect(["completed", "failed"]).toContain(events.at(-1)?.status);
});
