// AgentTask in task graphs and workflows: its events carry its own id, its text reaches the tasks behind it.
import { AgentTask, type AgentTaskInput, type AgentTaskOutput } from "@callwire/agent";
import { isTurnEvent } from "@callwire/wire";
import { CreateWorkflow, Dataflow, type TaskConfig, TaskGraph, Workflow } from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";
import { Upper } from "./tasks.ts";

const model = answering(TWO_ROUNDS);

declare module "@workglow/task-graph" {
  interface Workflow {
    testAgent: CreateWorkflow<AgentTaskInput, AgentTaskOutput, TaskConfig<AgentTaskInput>>;
  }
}
Workflow.prototype.testAgent = CreateWorkflow(AgentTask);

function graphOf(...tasks: ConstructorParameters<typeof AgentTask>[0][]): TaskGraph {
  const graph = new TaskGraph();
  for (const config of tasks) graph.addTask(new AgentTask(config));
  return graph;
}

describe("AgentTask in a task graph", () => {
  it("tells its events on the graph's task_stream_chunk, in order, under its own id", async () => {
    const graph = graphOf({ id: "agent", defaults: { prompt: "2 + 3?", model, tools: [add] } });
    const chunks: { readonly id: unknown; readonly chunk: unknown }[] = [];
    graph.subscribe("task_stream_chunk", (id, chunk) => chunks.push({ id, chunk }));
    const heard = hear(graph);
    await graph.run();
    expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(["agent"]));
    expect(chunks.map(({ chunk }) => chunk).filter(isTurnEvent)).toEqual(heard.events());
    expect(heard.kinds().at(-1)).toBe("turn-end");
  });

  it("takes its prompt from the graph's input and from an edge", async () => {
    const graph = graphOf(
      { id: "first", defaults: { model: answering([[{ text: "a question" }]]) } },
      { id: "second", defaults: { model: answering([[{ text: "an answer" }]]) } },
    );
    graph.addDataflow(new Dataflow("first", "text", "second", "prompt"));
    const heard = hear(graph);
    const [result] = await graph.run<AgentTaskOutput>({ prompt: "ask" });
    expect(result?.data.text).toBe("an answer");
    expect(result?.data.messages[0]).toMatchObject({ role: "user", content: "a question" });
    expect(heard.taskIds()).toEqual(["first", "second"]);
  });

  it("hands its conversation to the next agent over an edge", async () => {
    const graph = graphOf(
      { id: "first", defaults: { prompt: "2 + 3?", model, tools: [add] } },
      { id: "second", defaults: { prompt: "Sure?", model: answering([[{ text: "Yes." }]]) } },
    );
    graph.addDataflow(new Dataflow("first", "messages", "second", "messages"));
    const [result] = await graph.run<AgentTaskOutput>();
    expect(result?.data.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  it("is told apart from another agent of the graph by its id, while both run [E4b]", async () => {
    const graph = graphOf(
      { id: "left", defaults: { prompt: "go", model, tools: [add] } },
      { id: "right", defaults: { prompt: "go", model, tools: [add] } },
    );
    const heard = hear(graph);
    const results = await graph.run<AgentTaskOutput>();
    expect(results.map(({ data }) => data.text)).toEqual([TWO_ROUNDS_TEXT, TWO_ROUNDS_TEXT]);
    expect(heard.kinds("left")).toEqual(heard.kinds("right"));
    expect(heard.kinds("left")).toHaveLength(16);
    const starts = heard.all.findIndex((told) => told.taskId === "right");
    const ends = heard.all.findLastIndex((told) => told.taskId === "left");
    expect(starts).toBeLessThan(ends);
  });

  it("runs again with the graph", async () => {
    const graph = graphOf({ id: "agent", defaults: { prompt: "go", model, tools: [add] } });
    const heard = hear(graph);
    await graph.run();
    const [second] = await graph.run<AgentTaskOutput>();
    expect(second?.data.messages).toHaveLength(4);
    expect(heard.kinds().filter((kind) => kind === "turn-end")).toHaveLength(2);
  });
});

describe("AgentTask through a workflow", () => {
  it("is added with addTask, and its events are heard on the workflow [E4a]", async () => {
    const workflow = new Workflow().addTask(AgentTask, { model, tools: [add] });
    const heard = hear(workflow);
    const output = await workflow.run({ prompt: "2 + 3?" });
    expect(output).toMatchObject({ text: TWO_ROUNDS_TEXT, stopReason: "answered" });
    expect(heard.kinds().at(-1)).toBe("turn-end");
  });

  it("gets its text carried to the next task by auto-connection", async () => {
    const workflow = new Workflow().addTask(AgentTask, { model, tools: [add], prompt: "2 + 3?" }).addTask(Upper);
    expect(workflow.error).toBe("");
    expect(await workflow.run()).toEqual({ upper: TWO_ROUNDS_TEXT.toUpperCase() });
  });

  it("serves as a helper on Workflow's prototype, typed, and in chains", async () => {
    const workflow = new Workflow()
      .testAgent({ model, tools: [add], prompt: "2 + 3?" })
      .testAgent({ model: answering([[{ text: "Yes." }]]), prompt: "Sure?" });
    expect(workflow.error).toBe("");
    const heard = hear(workflow);
    const output = await workflow.run();
    expect(output.text).toBe("Yes.");
    expect(output.messages).toHaveLength(6);
    expect(heard.taskIds()).toHaveLength(2);
  });

  it("is heard after the workflow was reset and built anew", async () => {
    const workflow = new Workflow().testAgent({ model, tools: [add], prompt: "go" });
    const heard = hear(workflow);
    workflow.reset();
    workflow.addTask(AgentTask, { model, tools: [add], prompt: "go" });
    await workflow.run();
    expect(heard.kinds()).toHaveLength(16);
  });

  it("ends with the workflow's abort", async () => {
    const workflow = new Workflow().testAgent({ model: answering([[{ text: "par" }, { hang: true }]]), prompt: "go" });
    const heard = hear(workflow);
    const run = workflow.run();
    const streaming = new Promise<void>((resolve) =>
      workflow.on("stream_chunk", (_id, chunk) => chunk.type === "text-delta" && resolve()),
    );
    await streaming;
    await workflow.abort();
    await expect(run).rejects.toMatchObject({ code: "TURN_CANCELLED", turn: { text: "par" } });
    expect(heard.events().at(-1)).toMatchObject({ type: "turn-end", stopReason: "cancelled" });
  });
});
