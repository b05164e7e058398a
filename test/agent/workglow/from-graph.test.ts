// A graph with an agent in it, served as a source of turns.
import { AgentTask, fromGraph } from "@callwire/agent";
import type { TurnEvent } from "@callwire/wire";
import { assertEvents } from "@callwire/wire/testing";
import { Dataflow, TaskGraph } from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { countedSignal } from "../../kit/signals.ts";
import { add, answering, TWO_ROUNDS } from "./kit.ts";
import { Upper } from "./tasks.ts";

const model = answering(TWO_ROUNDS);

function graphOf(...ids: readonly string[]): TaskGraph {
  const graph = new TaskGraph();
  for (const id of ids) graph.addTask(new AgentTask({ id, defaults: { model, tools: [add] } }));
  return graph;
}

async function read(source: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of source) events.push(event);
  return events;
}

function agentOf(graph: TaskGraph, id = "agent"): AgentTask {
  return graph.getTask(id) as AgentTask;
}

describe("fromGraph", () => {
  it("gives the whole turn of its agent for each prompt, and leaves no listener", async () => {
    const graph = graphOf("agent");
    const source = fromGraph(graph);
    for (const prompt of ["one", "two"]) {
      const { signal, listeners } = countedSignal();
      const events = await read(source(prompt, { signal }));
      assertEvents(events);
      expect(events[1]).toMatchObject({ type: "message", message: { content: prompt } });
      expect(events.at(-1)).toMatchObject({ type: "turn-end", stopReason: "answered" });
      expect(listeners()).toBe(0);
    }
    expect(agentOf(graph).events.listenerCount("stream_chunk")).toBe(0);
  });

  it("runs the graph around the agent", async () => {
    const graph = graphOf("agent");
    graph.addTask(new Upper({ id: "upper" }));
    graph.addDataflow(new Dataflow("agent", "text", "upper", "text"));
    await read(fromGraph(graph)("go", {}));
    expect(graph.getTask("upper")?.runOutputData).toEqual({ upper: "LET ME ADD. IT IS FIVE." });
  });

  it("takes the agent that is named, and says which there are otherwise", async () => {
    const graph = graphOf("left", "right");
    agentOf(graph, "left").setDefaults({ model, prompt: "quiet" });
    const events = await read(fromGraph(graph, "right")("go", {}));
    expect(events.filter(({ type }) => type === "turn-start")).toHaveLength(1);
    expect(() => fromGraph(graph)("go", {})).toThrow(/Name the agent task; the graph has: left, right/);
    expect(() => fromGraph(graph, "middle")("go", {})).toThrow(/"middle" is no agent task/);
    expect(() => fromGraph(new TaskGraph())("go", {})).toThrow(/none/);
  });

  it("ends the turn when the caller aborts or the reader leaves", async () => {
    const graph = graphOf("agent");
    agentOf(graph).setDefaults({ model: answering([[{ text: "par" }, { hang: true }]]) });
    const { signal, abort, listeners } = countedSignal();
    const events: TurnEvent[] = [];
    for await (const event of fromGraph(graph)("go", { signal })) {
      events.push(event);
      if (event.type === "text-delta") abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "turn-end", stopReason: "cancelled" });
    expect(listeners()).toBe(0);
    for await (const event of fromGraph(graph)("go", {})) if (event.type === "text-delta") break;
    await agentOf(graph).waitOn("stream_end");
    expect(agentOf(graph).runOutputData).toMatchObject({ stopReason: "cancelled" });
  });

  it("ends after a failed turn, which has said why, and throws what failed before one", async () => {
    const graph = graphOf("agent");
    agentOf(graph).setDefaults({ model: answering([[{ error: { message: "down" } }]]) });
    expect((await read(fromGraph(graph)("go", {}))).at(-1)).toMatchObject({ stopReason: "error", error: { message: "down" } });
    agentOf(graph).setDefaults({ model: "nobody" });
    await expect(read(fromGraph(graph)("go", {}))).rejects.toMatchObject({ code: "MODEL_NOT_BOUND" });
  });

  it("refuses a second prompt while one is answered, and mixes nothing up", async () => {
    const source = fromGraph(graphOf("agent"));
    const first = source("one", {});
    expect(() => source("two", {})).toThrow(/one prompt at a time/);
    const events = await read(first);
    expect(events.filter(({ type }) => type === "turn-start")).toHaveLength(1);
    expect(events[1]).toMatchObject({ message: { content: "one" } });
  });
});
