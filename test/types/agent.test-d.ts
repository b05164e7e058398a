// What users of AgentTask write compiles without a cast, and what is wrong does not.
import {
  AgentCancelledError,
  AgentFailedError,
  AgentTask,
  type AgentTaskInput,
  type AgentTaskOutput,
  AgentTimeoutError,
  onTurnEvent,
  type TaskTurnEvent,
  type TurnResult,
  turnEvents,
} from "@callwire/agent";
import {
  isToolCall,
  isTurnEvent,
  type Message,
  type Model,
  type StopReason,
  type ToolCallEvent,
  type TurnEvent,
} from "@callwire/wire";
import {
  CreateWorkflow,
  type GraphAsTask,
  type ITask,
  type MapTask,
  TaskGraph,
  TaskRegistry,
  Workflow,
} from "@workglow/task-graph";
import type { IHumanRequest } from "@workglow/util";
import { describe, expectTypeOf, it } from "vitest";

declare const model: Model;
declare const task: AgentTask;
declare const graph: TaskGraph;

describe("events", () => {
  it("are read without a cast, from tasks, graphs, groups and workflows [E4a]", () => {
    const stop = onTurnEvent(task, ({ taskId, event }) => {
      expectTypeOf(taskId).toBeUnknown();
      expectTypeOf(event).toEqualTypeOf<TurnEvent>();
      if (event.type === "text-delta") expectTypeOf(event.textDelta).toBeString();
      if (event.type === "message") expectTypeOf(event.message).toEqualTypeOf<Message>();
      if (event.type === "turn-end") expectTypeOf(event.stopReason).toEqualTypeOf<StopReason>();
      if (!isToolCall(event)) return;
      expectTypeOf(event).toEqualTypeOf<ToolCallEvent>();
      switch (event.status) {
        case "pending":
          expectTypeOf(event.input).toEqualTypeOf<{ readonly [key: string]: unknown }>();
          break;
        case "completed":
          expectTypeOf(event.result).toBeString();
          break;
        case "failed":
          expectTypeOf(event.executed).toEqualTypeOf<"no" | "yes" | "unknown">();
          break;
        case "discarded":
          expectTypeOf(event).not.toHaveProperty("input");
          break;
        case "preparing":
        case "running":
          break;
        default:
          expectTypeOf(event).toBeNever();
      }
    });
    expectTypeOf(stop).toEqualTypeOf<() => void>();
    onTurnEvent(graph, () => undefined);
    onTurnEvent(new Workflow(), () => undefined);
    expectTypeOf(onTurnEvent).toBeCallableWith({} as GraphAsTask, () => undefined);
    expectTypeOf(onTurnEvent).toBeCallableWith({} as MapTask, () => undefined);
    expectTypeOf(onTurnEvent).toBeCallableWith({} as ITask, () => undefined);
    // @ts-expect-error: a signal is nothing to listen to
    onTurnEvent(new AbortController().signal, () => undefined);
  });

  it("come as an async iterable too [E4a]", () => {
    expectTypeOf(turnEvents(graph)).toEqualTypeOf<AsyncIterableIterator<TaskTurnEvent>>();
  });

  it("are told from Workglow's own chunks by a guard [E4a]", () => {
    task.on("stream_chunk", (chunk: unknown) => {
      if (isTurnEvent(chunk)) expectTypeOf(chunk).toEqualTypeOf<TurnEvent>();
    });
    graph.on("task_stream_chunk", (_id, chunk: unknown) => {
      if (isTurnEvent(chunk) && chunk.type === "tool-call") expectTypeOf(chunk).toEqualTypeOf<ToolCallEvent>();
    });
  });

  it("have exactly one member per status [E2a]", () => {
    type Completed = Extract<ToolCallEvent, { readonly status: "completed" }>;
    expectTypeOf<Completed["status"]>().toEqualTypeOf<"completed">();
    expectTypeOf<Completed["result"]>().toBeString();
    expectTypeOf<Extract<ToolCallEvent, { readonly status: "failed" }>["status"]>().toEqualTypeOf<"failed">();
    type Statuses = "preparing" | "discarded" | "pending" | "running" | "completed" | "failed";
    expectTypeOf<ToolCallEvent["status"]>().toEqualTypeOf<Statuses>();
  });
});

describe("the task", () => {
  it("has typed ports and a typed result [P6a]", async () => {
    const output = await new AgentTask({ id: "agent", title: "Adder", defaults: { model, prompt: "go" } }).run({
      prompt: "go",
      maxRounds: 3,
    });
    expectTypeOf(output).toEqualTypeOf<AgentTaskOutput>();
    expectTypeOf(output.text).toBeString();
    expectTypeOf(output.messages).toEqualTypeOf<readonly Message[]>();
    expectTypeOf(output.stopReason).toEqualTypeOf<StopReason>();
    expectTypeOf<Exclude<keyof TurnResult, "error">>().toEqualTypeOf<"text" | "messages" | "rounds" | "stopReason" | "usage">();
    const next: Partial<AgentTaskInput> = {
      model: "bound-name",
      prompt: [{ type: "text", text: "go" }],
      messages: output.messages,
    };
    await task.run(next, { signal: new AbortController().signal });
  });

  it("refuses what fits no port", () => {
    // @ts-expect-error: a choice that does not exist
    new AgentTask({ defaults: { model, approval: "always" } });
    // @ts-expect-error: a prompt is a text or blocks
    void task.run({ prompt: 7 });
    // @ts-expect-error: a model has a name
    void task.run({ prompt: "go", model: { run: model.run } });
    // @ts-expect-error: a tool has a name
    void task.run({ prompt: "go", tools: [{ description: "nameless" }] });
    // @ts-expect-error: a message has an id
    void task.run({ messages: [{ role: "user", content: "x" }] });
  });

  it("goes into registries, graphs and workflows as it is", () => {
    TaskRegistry.registerTask(AgentTask);
    new TaskGraph().addTask(task);
    new Workflow().addTask(AgentTask, { model, prompt: "go" });
    expectTypeOf(CreateWorkflow(AgentTask)).parameter(0).toEqualTypeOf<Partial<AgentTaskInput> | undefined>();
  });

  it("throws errors that carry the turn [T8j]", () => {
    expectTypeOf<AgentFailedError["turn"]>().toEqualTypeOf<TurnResult>();
    const caught: unknown = undefined;
    if (caught instanceof AgentFailedError || caught instanceof AgentCancelledError || caught instanceof AgentTimeoutError) {
      expectTypeOf(caught.turn.messages).toEqualTypeOf<readonly Message[]>();
      expectTypeOf(caught.code).toBeString();
      expectTypeOf(caught.cause).toBeUnknown();
    }
  });
});

describe("Workglow 0.2.37", () => {
  it("knows no kind of human request that confirms", () => {
    expectTypeOf<IHumanRequest["kind"]>().toEqualTypeOf<"notify" | "display" | "elicit">();
  });
});
