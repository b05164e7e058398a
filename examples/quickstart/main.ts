// The README's example: an agent with one tool, its cards told as they live. No key, no network.
import assert from "node:assert/strict";
import { AgentTask, defineTool, onTurnEvent } from "@callwire/agent";
import { scriptedModel } from "@callwire/wire/testing";
import * as z from "zod";

const add = defineTool({
  name: "add",
  description: "Adds",
  input: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
});
const model = scriptedModel([
  [{ call: { id: "c1", name: "add", args: { a: 2, b: 3 } } }, { stop: "tool-calls" }],
  [{ text: "It is 5." }, { stop: "end" }],
]);
const agent = new AgentTask();
const seen: string[] = [];
onTurnEvent(agent, ({ event }) => {
  if (event.type === "tool-call") seen.push(event.status === "completed" ? `${event.status} ${event.result}` : event.status);
});
const { text } = await agent.run({ prompt: "What is 2 + 3?", model, tools: [add] });
console.log(seen.join(" -> "));
console.log(text);
assert.deepEqual(seen, ["preparing", "pending", "running", "completed 5"]);
assert.equal(text, "It is 5.");
