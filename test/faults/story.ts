// The turn that the faults are injected into: two rounds and three calls; one is async, one needs approval, one fails.
import { defineTool } from "@callwire/agent/turn";
import { type Approver, type Clock, type Model, type Tool, ToolCallError } from "@callwire/wire";
import { type Script, scriptedModel } from "@callwire/wire/testing";
import * as z from "zod";

/** Text, reasoning and the three calls; then the answer. */
export const STORY: Script = [
  [
    { reasoning: "Look first." },
    { text: "Let me " },
    { wait: 5 },
    { call: { id: "read-1", name: "read", args: { path: "a.txt" } } },
    { text: "see. " },
    { call: { id: "write-1", name: "write", args: { path: "b.txt" } } },
    { wait: 5 },
    { call: { id: "fail-1", name: "fail", args: { path: "c.txt" } } },
    { stop: "tool-calls", usage: { inputTokens: 10, outputTokens: 5 } },
  ],
  [{ reasoning: "That is all." }, { wait: 5 }, { text: "Done." }, { stop: "end", usage: { inputTokens: 20, outputTokens: 2 } }],
];

/** Where the story's ports ask whether something goes wrong. */
export interface Faults {
  /** A call of a port that returns at once. */
  port<T>(name: string, call: () => T): T;
  /** A call of a port that returns a promise. */
  promise<T>(name: string, call: () => Promise<T>): Promise<T>;
  /** A body begins. */
  started(toolCallId: string): void;
}

const never = new Promise<never>(() => undefined);

/** `read`, `write` and `fail`. Stubborn bodies do not end once their turn is aborted. */
export function storyTools(faults: Faults, clock: Clock, stubborn: boolean): Tool[] {
  const input = z.object({ path: z.string() });
  const work = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(10);
    if (stubborn && signal.aborted) await never;
  };
  return [
    defineTool({
      name: "read",
      description: "reads",
      input,
      timeoutMs: 500,
      title: ({ path }) => faults.port("read.title", () => `Read ${String(path)}`),
      locations: ({ path }) => faults.port("read.locations", () => [{ path: String(path) }]),
      execute(_input, { toolCallId, signal }) {
        faults.started(toolCallId);
        return faults.promise("read.execute", async () => {
          await work(signal);
          return { lines: 3 };
        });
      },
    }),
    defineTool({
      name: "write",
      description: "writes",
      input,
      requiresApproval: () => faults.port("write.requiresApproval", () => true),
      execute(_input, { toolCallId, signal }) {
        faults.started(toolCallId);
        return faults.promise("write.execute", async () => {
          await work(signal);
          return "written";
        });
      },
    }),
    defineTool({
      name: "fail",
      description: "fails",
      input,
      execute(_input, { toolCallId }) {
        faults.started(toolCallId);
        return faults.port("fail.execute", () => {
          throw new ToolCallError("No such file.");
        });
      },
    }),
  ];
}

export function storyModel(faults: Faults, clock: Clock, script: Script): Model {
  const inner = scriptedModel(script, { clock });
  return { name: "story", run: (request, sink, options) => faults.promise("model.run", () => inner.run(request, sink, options)) };
}

/** Allows after a while. */
export function storyApprover(faults: Faults, clock: Clock): Approver {
  return {
    ask: () =>
      faults.promise("approver.ask", async () => {
        await clock.sleep(20);
        return { answer: "allow" };
      }),
  };
}
