// onTurnEvent and turnEvents: typed events of tasks, graphs and workflows, without a trace once the listener has left.
import { AgentTask, onTurnEvent, type TaskTurnEvent, turnEvents } from "@callwire/agent";
import type { TurnEvent } from "@callwire/wire";
import {
  GraphAsTask,
  type IExecuteContext,
  type ITask,
  MapTask,
  type StreamEvent,
  Task,
  TaskGraph,
  type TaskInput,
  type TaskOutput,
  Workflow,
} from "@workglow/task-graph";
import { getLogger, type ILogger, NullLogger, setLogger } from "@workglow/util";
import type { DataPortSchema } from "@workglow/util/schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";
import { ports, text } from "./tasks.ts";

const model = answering(TWO_ROUNDS);
const agent = (id: string) => new AgentTask({ id, defaults: { prompt: "go", model, tools: [add] } });

function graphOf(...tasks: readonly ITask[]): TaskGraph {
  const graph = new TaskGraph();
  for (const task of tasks) graph.addTask(task);
  return graph;
}

const reports: string[] = [];
let logger: ILogger;

beforeEach(() => {
  logger = getLogger();
  reports.length = 0;
  setLogger(Object.assign(new NullLogger(), { warn: (message: string) => void reports.push(message) }));
});
afterEach(() => setLogger(logger));

function thrower(): never {
  throw new Error("a listener's own trouble");
}

describe("turnEvents", () => {
  it("is the same as an async iterable; it ends when the reader leaves, and its listener with it [E4a]", async () => {
    const task = agent("agent");
    const heard = hear(task);
    const before = task.events.listenerCount("stream_chunk");
    const events = turnEvents(task);
    const run = task.run();
    const read: TaskTurnEvent[] = [];
    for await (const told of events) {
      read.push(told);
      if (told.event.type === "turn-end") break;
    }
    await run;
    expect(read).toEqual(heard.all);
    expect(task.events.listenerCount("stream_chunk")).toBe(before);
  });

  it("queues what nobody has read yet", async () => {
    const graph = graphOf(agent("agent"));
    const events = turnEvents(graph);
    await graph.run();
    const first = await events.next();
    expect(first.value).toMatchObject({ taskId: "agent", event: { type: "turn-start" } });
    await events.return?.();
    expect(await events.next()).toEqual({ done: true, value: undefined });
  });
});

describe("a listener", () => {
  it("hears nothing of Workglow's own chunks, and nothing foreign [E4a]", async () => {
    class Chatty extends Task<TaskInput, TaskOutput> {
      static override type = "Chatty";
      static override inputSchema = (): DataPortSchema => ports({});
      static override outputSchema = (): DataPortSchema => ports({ text: { ...text, "x-stream": "append" } });
      async *executeStream(): AsyncIterable<StreamEvent<TaskOutput>> {
        yield { type: "text-delta", port: "text", textDelta: "not a turn" };
        this.emit("stream_chunk", { type: "tool-call", name: "foreign" } as unknown as StreamEvent);
        yield { type: "finish", data: {} };
      }
    }
    const task = new Chatty();
    const heard = hear(task);
    await task.run();
    expect(heard.all).toEqual([]);
  });

  it("is told of tasks that are added later, and no more of ones that were removed [E4b]", async () => {
    const graph = graphOf(agent("first"));
    const heard = hear(graph);
    graph.addTask(agent("second"));
    const first = graph.getTask("first") as AgentTask;
    graph.removeTask("first");
    await graph.run();
    await first.run();
    expect(heard.taskIds()).toEqual(["second"]);
  });

  it("hears an agent that another task owns while it runs [E4b]", async () => {
    class Wrapper extends Task<TaskInput, TaskOutput> {
      static override type = "Wrapper";
      override async execute(_input: TaskInput, context: IExecuteContext): Promise<TaskOutput> {
        return { text: (await context.own(agent("owned")).run()).text };
      }
    }
    const graph = graphOf(new Wrapper({ id: "wrapper" }));
    const heard = hear(graph);
    for (let runs = 1; runs <= 2; runs++) {
      await graph.run();
      expect(heard.taskIds()).toEqual(["owned"]);
      expect(heard.kinds()).toHaveLength(16 * runs);
    }
  });

  it("leaves no listener behind on anything", () => {
    const inner = agent("inner");
    const mapped = agent("mapped");
    const group = new GraphAsTask({ id: "group", subGraph: graphOf(inner) });
    const map = new MapTask({ id: "map", maxIterations: 3, subGraph: graphOf(mapped) });
    const graph = graphOf(agent("outer"), group, map);
    const workflow = new Workflow();
    workflow.graph = graph;
    const count = () => [
      ...[...graph.getTasks(), inner, mapped].map((task) =>
        task.events.eventNames().map((name) => task.events.listenerCount(name)),
      ),
      workflow.events.listenerCount("reset"),
      ...[graph, group.subGraph, map.subGraph].map((each) =>
        JSON.stringify((each as unknown as { _dag: { events: object } })._dag.events),
      ),
    ];
    const before = JSON.stringify(count());
    for (const target of [graph, workflow, group, map, inner]) {
      const stop = onTurnEvent(target, () => undefined);
      expect(JSON.stringify(count())).not.toBe(before);
      stop();
      expect(JSON.stringify(count())).toBe(before);
      stop();
    }
  });

  it("may leave from inside an event", async () => {
    const task = agent("agent");
    const got: TurnEvent[] = [];
    const stop = onTurnEvent(task, ({ event }) => {
      got.push(event);
      if (event.type === "message") stop();
    });
    const heard = hear(task);
    await task.run();
    expect(got.map(({ type }) => type)).toEqual(["turn-start", "message"]);
    expect(heard.kinds()).toHaveLength(16);
  });
});

describe("a subscriber that throws", () => {
  const quiet = async (run: (task: AgentTask) => Promise<unknown>) => {
    const task = agent("agent");
    const heard = hear(task);
    await run(task);
    expect(heard.kinds()).toHaveLength(16);
    expect(task.runOutputData.text).toBe(TWO_ROUNDS_TEXT);
    expect(task.status).toBe("COMPLETED");
    expect(reports.length).toBeGreaterThan(0);
    expect(reports[0]).toContain("CallwireAgentTask agent");
  };

  it("changes nothing for the turn or for other listeners, and is reported: on turn events [T13a, T13b]", async () => {
    await quiet((task) => {
      onTurnEvent(task, thrower);
      return task.run();
    });
  });

  it.each(["start", "status", "stream_start", "stream_chunk", "stream_end", "progress", "complete"] as const)(
    "changes nothing on the task's %s [T13b]",
    async (name) => {
      await quiet((task) => {
        task.on(name, thrower);
        return task.run();
      });
    },
  );

  it.each(["task_stream_start", "task_stream_chunk", "task_stream_end", "graph_progress"] as const)(
    "changes nothing on the graph's %s [T13b]",
    async (name) => {
      await quiet((task) => {
        const graph = graphOf(task);
        graph.on(name, thrower);
        return graph.run();
      });
    },
  );

  it("changes nothing for the clones of a map, and others still hear them [T13b]", async () => {
    const map = new MapTask({ id: "map", maxIterations: 3, subGraph: graphOf(agent("template")) });
    onTurnEvent(map, thrower);
    const heard = hear(map);
    const output = await map.run({ prompt: ["a", "b"] } as Partial<TaskInput>);
    expect(output).toMatchObject({ text: [TWO_ROUNDS_TEXT, TWO_ROUNDS_TEXT] });
    expect(heard.kinds()).toHaveLength(32);
    expect(reports).toHaveLength(32);
  });

  it("changes nothing when the turn fails or is aborted [T13b]", async () => {
    const broken = new AgentTask({ defaults: { prompt: "go", model: answering([[{ error: { message: "down" } }]]) } });
    for (const name of ["stream_chunk", "stream_end", "error", "status"] as const) broken.on(name, thrower);
    await expect(broken.run()).rejects.toMatchObject({ code: "MODEL_SERVER" });
    const hanging = new AgentTask({ defaults: { prompt: "go", model: answering([[{ text: "x" }, { hang: true }]]) } });
    for (const name of ["stream_chunk", "stream_end", "abort", "status"] as const) hanging.on(name, thrower);
    hanging.once("stream_chunk", () => hanging.abort());
    await expect(hanging.run()).rejects.toMatchObject({ code: "TURN_CANCELLED" });
  });
});
