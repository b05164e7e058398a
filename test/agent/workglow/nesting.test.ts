// AgentTask cloned, in groups and in loops: it runs there, and listeners of the outermost thing hear it.
import { AgentTask, type AgentTaskOutput } from "@callwire/agent";
import type { Message } from "@callwire/wire";
import {
  Dataflow,
  FallbackTask,
  GraphAsTask,
  type ITask,
  MapTask,
  ReduceTask,
  TaskGraph,
  type TaskInput,
  WhileTask,
  Workflow,
} from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";
import { Brackets, Upper } from "./tasks.ts";

const model = answering(TWO_ROUNDS);
/** What a loop's `run` takes beyond its own static ports. */
type Inputs = Partial<TaskInput>;

function agent(id: string, model_ = model): AgentTask {
  return new AgentTask({ id, defaults: { model: model_, tools: [add] } });
}

function graphOf(...tasks: readonly ITask[]): TaskGraph {
  const graph = new TaskGraph();
  for (const task of tasks) graph.addTask(task);
  return graph;
}

function mapOf(...tasks: readonly ITask[]): MapTask {
  return new MapTask({ id: "map", maxIterations: "unbounded", subGraph: graphOf(...tasks) });
}

const PROMPTS: Inputs = { prompt: ["a", "b", "c"] };
const TEXTS = [TWO_ROUNDS_TEXT, TWO_ROUNDS_TEXT, TWO_ROUNDS_TEXT];

describe("a cloned AgentTask", () => {
  it("runs like its original, with the same model and tools", async () => {
    const original = agent("original");
    const clone = new AgentTask({ ...original.config, id: "clone", defaults: original.defaults }, original.runConfig);
    expect(clone.defaults.model).toBe(model);
    expect(clone.defaults.tools[0]).toBe(add);
    const heard = hear(clone);
    expect((await clone.run({ prompt: "go" })).text).toBe(TWO_ROUNDS_TEXT);
    expect(heard.taskIds()).toEqual(["clone"]);
  });
});

describe("AgentTask in a group", () => {
  it("is heard through the group, under its own id, each event once [E4b]", async () => {
    const group = new GraphAsTask({ id: "group", subGraph: graphOf(agent("inner")) });
    const heard = hear(group);
    expect(await group.run({ prompt: "go" })).toMatchObject({ text: TWO_ROUNDS_TEXT, stopReason: "answered" });
    expect(heard.taskIds()).toEqual(["inner"]);
    expect(heard.kinds().filter((kind) => kind.startsWith("tool-call"))).toHaveLength(4);
  });

  it("is heard through a graph with a group in a group [E4b]", async () => {
    const inner = new GraphAsTask({ id: "inner-group", subGraph: graphOf(agent("inner")) });
    const graph = graphOf(new GraphAsTask({ id: "outer-group", subGraph: graphOf(inner) }));
    const heard = hear(graph);
    const [result] = await graph.run<AgentTaskOutput>({ prompt: "go" });
    expect(result?.data.text).toBe(TWO_ROUNDS_TEXT);
    expect(heard.taskIds()).toEqual(["inner"]);
  });

  it("is heard through a workflow's group that was listened to before it was filled [E4b]", async () => {
    const workflow = new Workflow();
    const heard = hear(workflow);
    workflow
      .group()
      .addTask(AgentTask, { model, tools: [add] })
      .endGroup();
    expect(await workflow.run({ prompt: "go" })).toMatchObject({ text: TWO_ROUNDS_TEXT });
    expect(heard.kinds()).toContain("tool-call:completed");
  });

  it("is heard when it is put into the group later, and no longer when it was taken out [E4b]", async () => {
    const subGraph = graphOf(agent("first"));
    const group = new GraphAsTask({ id: "group", subGraph });
    const heard = hear(group);
    subGraph.addTask(agent("second"));
    subGraph.removeTask("first");
    await group.run({ prompt: "go" });
    expect(heard.taskIds()).toEqual(["second"]);
  });

  it("may stand before other tasks of the group", async () => {
    const subGraph = graphOf(agent("inner"), new Upper({ id: "upper" }));
    subGraph.addDataflow(new Dataflow("inner", "text", "upper", "text"));
    const group = new GraphAsTask({ id: "group", subGraph });
    const heard = hear(group);
    expect(await group.run({ prompt: "go" })).toEqual({ upper: TWO_ROUNDS_TEXT.toUpperCase() });
    expect(heard.kinds().at(-1)).toBe("turn-end");
  });
});

describe("AgentTask that fails or is aborted in a group", () => {
  it("lets the graph end over the streaming edge that leaves the group [T8i]", { timeout: 5_000 }, async () => {
    for (const last of [{ error: { message: "down" } }, { hang: true }] as const) {
      const graph = graphOf(
        new GraphAsTask({ id: "group", subGraph: graphOf(agent("inner", answering([TWO_ROUNDS[0], [last]]))) }),
      );
      graph.addTask(new Brackets({ id: "brackets" }));
      graph.addDataflow(new Dataflow("group", "text", "brackets", "text"));
      const heard = hear(graph);
      const run = graph.run({ prompt: "go" });
      if ("hang" in last) graph.getTask("group")?.once("stream_chunk", () => graph.abort());
      await expect(run).rejects.toMatchObject({ turn: { text: "Let me add. " } });
      expect(heard.kinds().at(-1)).toBe("turn-end");
    }
  });
});

describe("AgentTask in a map", () => {
  it("runs once per prompt, and every clone is heard under an id of its own [E4b]", async () => {
    const map = mapOf(agent("template"));
    const heard = hear(map);
    const output = await map.run(PROMPTS);
    expect(output).toMatchObject({ text: TEXTS, rounds: [2, 2, 2] });
    expect(heard.taskIds()).toHaveLength(3);
    expect(heard.taskIds()).not.toContain("template");
    for (const id of heard.taskIds()) expect(heard.kinds(id)).toHaveLength(16);
  });

  it("is heard through the graph around the map, in every run [E4b]", async () => {
    const graph = graphOf(mapOf(agent("template")));
    const heard = hear(graph);
    for (const runs of [1, 2]) {
      await graph.run(PROMPTS);
      expect(heard.taskIds()).toHaveLength(3 * runs);
    }
  });

  it("is heard in a group in a map in a group [E4b]", async () => {
    const inner = new GraphAsTask({ id: "inner-group", subGraph: graphOf(agent("template")) });
    const outer = new GraphAsTask({ id: "outer-group", subGraph: graphOf(mapOf(inner)) });
    const heard = hear(outer);
    expect(await outer.run(PROMPTS)).toMatchObject({ text: TEXTS });
    expect(heard.taskIds()).toHaveLength(3);
  });

  it("takes a conversation per prompt, and leaves absent lists alone [P7b]", async () => {
    const told: Message[] = [{ id: "m1", role: "user", content: "earlier" }];
    const messages = [told, [], [...told, { id: "m2", role: "assistant", content: [{ type: "text", text: "so" }] }]];
    const output = (await mapOf(agent("template")).run({ ...PROMPTS, messages })) as { readonly messages: readonly Message[][] };
    expect(output.messages.map(({ length }) => length)).toEqual([5, 4, 6]);
  });

  it("refuses one list of tools for all rather than share it out", async () => {
    await expect(mapOf(agent("template")).run({ ...PROMPTS, tools: [add] })).rejects.toThrow(/same length/);
    await expect(mapOf(agent("template")).run({ ...PROMPTS, tools: [add, add, add] })).rejects.toMatchObject({
      code: "INVALID_OPTIONS",
    });
  });

  it("serves as a loop of a workflow", async () => {
    const workflow = new Workflow()
      .map({ maxIterations: 10 })
      .addTask(AgentTask, { model, tools: [add] })
      .endMap();
    const heard = hear(workflow);
    expect(await workflow.run({ prompt: ["a", "b"] } as Inputs)).toMatchObject({ text: TEXTS.slice(1) });
    expect(heard.taskIds()).toHaveLength(2);
  });

  it("is heard once when the template itself is run", async () => {
    const template = agent("template");
    const heard = hear(mapOf(template));
    await template.run({ prompt: "go" });
    expect(heard.kinds("template")).toHaveLength(16);
  });

  it("tells nobody any more once the listener has left", async () => {
    const map = mapOf(agent("template"));
    const heard = hear(map);
    heard.stop();
    await map.run(PROMPTS);
    expect(heard.all).toEqual([]);
  });
});

describe("AgentTask in other loops", () => {
  it("runs in a reduce before a task that needs its text, one prompt after the other [E4b]", async () => {
    const subGraph = graphOf(agent("template"), new Upper({ id: "upper" }));
    subGraph.addDataflow(new Dataflow("template", "text", "upper", "text"));
    const reduce = new ReduceTask({ id: "reduce", maxIterations: "unbounded", subGraph });
    const heard = hear(reduce);
    expect(await reduce.run(PROMPTS)).toEqual({ upper: TWO_ROUNDS_TEXT.toUpperCase() });
    expect(heard.taskIds()).toHaveLength(3);
  });

  it("cannot be the last task of a reduce: 0.2.37 iterates over no streaming task there", async () => {
    const reduce = new ReduceTask({ id: "reduce", maxIterations: "unbounded", subGraph: graphOf(agent("template")) });
    const heard = hear(reduce);
    expect(await reduce.run(PROMPTS)).toEqual(PROMPTS);
    expect(heard.all).toEqual([]);
  });

  it("carries its conversation on through a while loop", async () => {
    const subGraph = graphOf(agent("inner"));
    const loop = new WhileTask({
      id: "while",
      maxIterations: 5,
      condition: (_output: unknown, iteration: number) => iteration < 2,
      subGraph,
    });
    const heard = hear(loop);
    const output = (await loop.run({ prompt: "go on" } as Inputs)) as AgentTaskOutput;
    expect(output.messages).toHaveLength(12);
    expect(heard.kinds().filter((kind) => kind === "turn-end")).toHaveLength(3);
  });

  it("gives way to the next alternative of a fallback whose first one does not stream", async () => {
    class Down extends Upper {
      static override type = "Down";
      override async execute(): Promise<never> {
        throw new Error("down");
      }
    }
    const fallback = new FallbackTask({ id: "fallback", subGraph: graphOf(new Down({ id: "down" }), agent("whole")) });
    const heard = hear(fallback);
    expect(await fallback.run({ prompt: "go", text: "" } as Inputs)).toMatchObject({ text: TWO_ROUNDS_TEXT });
    expect(heard.taskIds()).toEqual(["whole"]);
  });

  it("cannot be the first alternative of a fallback: 0.2.37 runs all at once where that one streams", async () => {
    const broken = answering([[{ text: "par" }, { error: { message: "down" } }]]);
    const fallback = new FallbackTask({ id: "fallback", subGraph: graphOf(agent("broken", broken), agent("whole")) });
    const heard = hear(fallback);
    await expect(fallback.run({ prompt: "go" } as Inputs)).rejects.toMatchObject({ code: "MODEL_SERVER" });
    expect(heard.taskIds()).toEqual(["broken", "whole"]);
  });
});
