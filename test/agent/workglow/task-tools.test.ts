// Task types as tools: a fresh owned task per call, its progress as the call's, its failures in the call's words.
import { AgentTask, type ToolEntry } from "@callwire/agent";
import type { Model, ToolSpec } from "@callwire/wire";
import { manualClock, type ScriptStep } from "@callwire/wire/testing";
import {
  type IExecuteContext,
  type ITask,
  TaskAbortedError,
  TaskGraph,
  type TaskOutput,
  TaskRegistry,
} from "@workglow/task-graph";
import { globalServiceRegistry, ServiceRegistry } from "@workglow/util";
import type { DataPortSchema } from "@workglow/util/schema";
import { beforeAll, describe, expect, it } from "vitest";
import { countedSignal } from "../../kit/signals.ts";
import { answering, hear } from "./kit.ts";
import { ports, Summarize, text, Upper } from "./tasks.ts";

const ran: { readonly task: ITask; readonly context: IExecuteContext }[] = [];
const clock = manualClock();

/** Tells its progress, waits as long as its text says, and ends with its signal. */
class Slow extends Upper {
  static override type = "Slow";

  override async execute(input: { readonly text: string }, context?: IExecuteContext): Promise<TaskOutput> {
    if (context === undefined) return {};
    ran.push({ task: this, context });
    await context.updateProgress(25, "a quarter");
    await context.updateProgress(undefined, "no idea");
    await clock.sleep(Number(input.text), context.signal);
    if (context.signal.aborted) throw new TaskAbortedError("gave in");
    return { upper: "slept" };
  }
}

class Fails extends Upper {
  static override type = "Fails";

  override async execute(): Promise<TaskOutput> {
    throw new Error("disk is full");
  }
}

class Counted extends Upper {
  static override type = "Counted";

  override async execute(input: { readonly text: string }, context?: IExecuteContext): Promise<TaskOutput> {
    if (context !== undefined) ran.push({ task: this, context });
    return { upper: input.text };
  }
}

class Strict extends Upper {
  static override type = "Strict";
  static override inputSchema(): DataPortSchema {
    return ports({ text, times: { type: "integer", minimum: 1, default: 2 } }, ["text"]);
  }
}

beforeAll(() => {
  for (const task of [Upper, Slow, Fails, Counted, Strict, Summarize]) TaskRegistry.registerTask(task);
  return () => {
    for (const task of [Upper, Slow, Fails, Counted, Strict, Summarize]) TaskRegistry.unregisterTask(task.type);
  };
});

const call = (name: string, args: Record<string, unknown>, id = "c1"): ScriptStep => ({
  call: { id, name, args: args as never },
});

function agent(tools: readonly ToolEntry[], calls: readonly ScriptStep[]): AgentTask {
  const model = answering([calls, [{ text: "done" }]]);
  return new AgentTask({ id: "agent", defaults: { prompt: "go", model, tools, clock, graceMs: 100 } });
}

describe("a task tool", () => {
  it("fills its whole card when the host only names the task type [P2f, P2d]", async () => {
    const specs: ToolSpec[] = [];
    const inner = answering([[call("Upper", { text: "hi" })], [{ text: "done" }]]);
    const model: Model = {
      name: "spy",
      run(request, sink, options) {
        specs.push(...request.tools);
        return inner.run(request, sink, options);
      },
    };
    const task = new AgentTask({ defaults: { prompt: "go", model, tools: ["Upper"] } });
    const heard = hear(task);
    await task.run();
    expect(specs[0]).toMatchObject({ name: "Upper", description: "Turns a text into capitals" });
    expect(specs[0]?.inputSchema).toMatchObject({ type: "object", properties: { text: { type: "string" } }, required: ["text"] });
    const events = heard.events();
    expect(events).toContainEqual(expect.objectContaining({ status: "pending", title: "Upper case", input: { text: "hi" } }));
    expect(events).toContainEqual(
      expect.objectContaining({ status: "completed", result: '{"upper":"HI"}', output: { upper: "HI" } }),
    );
    const pending = events.find((event) => event.type === "tool-call" && event.status === "pending");
    expect(pending).not.toHaveProperty("needsApproval");
  });

  it("may be renamed, described and titled by the host [P2d]", async () => {
    const entry = { taskType: "Upper", name: "shout", description: "Shouts", title: "Shouting", kind: "edit" };
    const task = agent([entry], [call("shout", { text: "hi" })]);
    const told = hear(task);
    await task.run();
    expect(told.events()).toContainEqual(
      expect.objectContaining({ status: "pending", name: "shout", title: "Shouting", kind: "edit" }),
    );
    expect(told.events()).toContainEqual(expect.objectContaining({ status: "completed", name: "shout" }));
  });

  it("has no title rather than an empty one", async () => {
    const task = agent(["Summarize"], [call("Summarize", { text: "hi" })]);
    const heard = hear(task);
    await task.run();
    const pending = heard.events().find((event) => event.type === "tool-call" && event.status === "pending");
    expect(pending).not.toHaveProperty("title");
  });

  it("refuses arguments that its ports do not take, in words that a model can act on [row-14]", async () => {
    const task = agent(
      ["Strict"],
      [call("Strict", {}, "c1"), call("Strict", { text: "a", times: 0 }, "c2"), call("Strict", { text: "a" }, "c3")],
    );
    const heard = hear(task);
    await task.run();
    const failed = heard.events().filter((event) => event.type === "tool-call" && event.status === "failed");
    expect(failed).toMatchObject([
      { toolCallId: "c1", reason: "invalid-arguments", executed: "no", result: expect.stringContaining("`text`") },
      { toolCallId: "c2", reason: "invalid-arguments", executed: "no", result: expect.stringContaining("times") },
    ]);
  });

  it("reports its progress while it runs, and nothing at its end [P2f]", async () => {
    const task = agent(["Slow"], [call("Slow", { text: "50" })]);
    const heard = hear(task);
    await clock.runUntil(task.run());
    const progress = heard.events().filter((event) => event.type === "tool-call-progress");
    expect(progress).toMatchObject([
      { toolCallId: "c1", progress: 25, total: 100, message: "a quarter" },
      { toolCallId: "c1", total: 100, message: "no idea" },
    ]);
  });

  it("fails in the words of its task [P2b, fail-tool-error]", async () => {
    const task = agent(["Fails"], [call("Fails", { text: "x" })]);
    const heard = hear(task);
    expect((await task.run()).stopReason).toBe("answered");
    expect(heard.events()).toContainEqual(
      expect.objectContaining({ status: "failed", reason: "tool-error", executed: "yes", result: "Fails failed: disk is full" }),
    );
  });

  it("is cancelled with the turn: its signal fires and its giving in counts as such [T8e, T8f, fail-cancelled]", async () => {
    const task = agent(["Slow"], [call("Slow", { text: "5000" })]);
    const heard = hear(task);
    const run = task.run().catch((error: unknown) => error);
    await clock.advance(1);
    task.abort();
    expect(await run).toMatchObject({ code: "TURN_CANCELLED" });
    expect(heard.events()).toContainEqual(
      expect.objectContaining({ status: "failed", reason: "cancelled", executed: "unknown" }),
    );
    expect(ran.at(-1)?.context.signal.aborted).toBe(true);
    expect(heard.events().filter((event) => event.type === "tool-call-progress" && event.progress === 100)).toEqual([]);
    expect(task.subGraph.getTasks()).toEqual([]);
  });

  it("has a timeout of its own [T9a, fail-timeout]", async () => {
    const task = agent([{ taskType: "Slow", timeoutMs: 30 }], [call("Slow", { text: "5000" })]);
    const heard = hear(task);
    expect((await clock.runUntil(task.run())).stopReason).toBe("answered");
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", reason: "timeout", executed: "unknown" }));
  });

  it("may itself be an agent, whose events stay inside, and which is cancelled as one call [P2f, T8f]", async () => {
    let answer: readonly ScriptStep[] = [{ text: "inner text" }];
    class Researcher extends AgentTask {
      static override type = "Researcher";
      static override inputSchema(): DataPortSchema {
        return { type: "object", properties: { prompt: text }, required: ["prompt"], additionalProperties: true };
      }
      constructor(config: ConstructorParameters<typeof AgentTask>[0] = {}) {
        super({ ...config, defaults: { model: answering([answer]), ...config.defaults } });
      }
    }
    TaskRegistry.registerTask(Researcher);
    const task = agent(["Researcher"], [call("Researcher", { prompt: "look" })]);
    const heard = hear(task);
    await task.run();
    expect(heard.events()).toContainEqual(
      expect.objectContaining({ status: "completed", output: expect.objectContaining({ text: "inner text" }) }),
    );
    expect(heard.taskIds()).toEqual(["agent"]);
    answer = [{ text: "inner" }, { hang: true }];
    const run = task.run().catch((error: unknown) => error);
    await clock.advance(1);
    task.abort();
    await run;
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", reason: "cancelled" }));
    TaskRegistry.unregisterTask("Researcher");
  });
});

describe("the tasks of a task tool", () => {
  it("are fresh for each call, owned while they run, and released with all listeners: nothing grows [P2f]", async () => {
    ran.length = 0;
    const calls = Array.from({ length: 1_000 }, (_, i) => call("Counted", { text: String(i) }, `c${i}`));
    const task = agent(["Counted"], calls);
    const { signal, listeners } = countedSignal();
    let most = 0;
    task.subGraph.subscribe("task_added", () => {
      most = Math.max(most, task.subGraph.getTasks().length);
    });
    await task.run({}, { signal });
    expect(ran).toHaveLength(1_000);
    expect(new Set(ran.map((entry) => entry.task)).size).toBe(1_000);
    expect(new Set(ran.map((entry) => entry.task.id)).size).toBe(1_000);
    expect(most).toBe(1);
    expect(task.subGraph.getTasks()).toEqual([]);
    for (const { task: child } of ran) expect(child.events.listenerCount("progress")).toBe(0);
    expect(listeners()).toBe(0);
  });

  it("share the registry of the agent's run", async () => {
    ran.length = 0;
    const graph = new TaskGraph();
    graph.addTask(agent(["Counted"], [call("Counted", { text: "x" })]));
    const registry = new ServiceRegistry(globalServiceRegistry.container.createChildContainer());
    await graph.run({}, { registry });
    const own = agent(["Counted"], [call("Counted", { text: "x" })]);
    own.runConfig.registry = registry;
    const without = new TaskGraph();
    without.addTask(own);
    await without.run();
    expect(ran.map((entry) => entry.context.registry === registry)).toEqual([true, true]);
  });
});
