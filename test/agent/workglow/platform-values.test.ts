// Pins what the released Workglow does where AgentTask works around it. A test that fails here says: look at that guard again.
import { AgentTask } from "@callwire/agent";
import { GraphAsTask, MapTask, TaskGraph, type TaskInput, type TaskOutput } from "@workglow/task-graph";
import { Container, ServiceRegistry } from "@workglow/util";
import type { DataPortSchema } from "@workglow/util/schema";
import { describe, expect, it, vi } from "vitest";
import { add, answering, TWO_ROUNDS } from "./kit.ts";
import { type Body, Streamer } from "./streamer.ts";
import { ports, Upper } from "./tasks.ts";

describe("Workglow 0.2.37, groups and loops:", () => {
  it("a group drops tool-call events from its own chunks", async () => {
    const subGraph = new TaskGraph();
    subGraph.addTask(new AgentTask({ defaults: { model: answering(TWO_ROUNDS), tools: [add] } }));
    const group = new GraphAsTask({ subGraph });
    const types = new Set<string>();
    group.on("stream_chunk", (chunk) => types.add(chunk.type));
    await group.run({ prompt: "go" });
    expect([...types].sort()).toEqual(["finish", "text-delta"]);
  });

  it("a group calls Promise.withResolvers, which the agent adds where the runtime has none", async () => {
    const withResolvers = vi.spyOn(Promise as unknown as { withResolvers(): unknown }, "withResolvers");
    const subGraph = new TaskGraph();
    subGraph.addTask(
      new Streamer(async function* () {
        yield { type: "finish", data: {} };
      }),
    );
    await new GraphAsTask({ subGraph }).run();
    expect(withResolvers).toHaveBeenCalled();
    withResolvers.mockRestore();
  });

  it("a streaming group hands its registry to nobody", async () => {
    let inner: ServiceRegistry | undefined;
    const subGraph = new TaskGraph();
    subGraph.addTask(
      new Streamer(async function* (_task, context) {
        inner = context.registry;
        yield { type: "finish", data: {} };
      }),
    );
    const registry = new ServiceRegistry(new Container());
    await new GraphAsTask({ subGraph }).run({}, { registry });
    expect(inner).not.toBe(registry);
  });

  it("a map demands a list for a port whose type is array, given or not", async () => {
    class Lists extends Upper {
      static override type = "Lists";
      static override inputSchema = (): DataPortSchema => ports({ text: { type: "string" }, list: { type: "array", items: {} } });
    }
    const subGraph = new TaskGraph();
    subGraph.addTask(new Lists());
    const map = new MapTask({ maxIterations: 3, subGraph });
    await expect(map.run({ text: ["a"] } as TaskInput)).rejects.toThrow(/'list' is configured for iteration/);
  });

  it("a clone is given its template's run configuration, with members that only we know", async () => {
    const mark = Symbol("mark");
    const seen: unknown[] = [];
    class Marked extends Upper {
      static override type = "Marked";
      override async execute(): Promise<TaskOutput> {
        seen.push((this.runConfig as { readonly [mark]?: unknown })[mark]);
        return {};
      }
    }
    const subGraph = new TaskGraph();
    const template = new Marked({}, { [mark]: "mine" } as object);
    subGraph.addTask(template);
    await new MapTask({ maxIterations: 3, subGraph }).run({ text: ["a", "b"] } as TaskInput);
    expect(seen).toEqual(["mine", "mine"]);
  });
});

describe("Workglow 0.2.37, values:", () => {
  const finishes: Body = async function* () {
    yield { type: "finish", data: {} };
  };

  it("invents the empty list and an enum's first member for absent ports", () => {
    expect(new Streamer(finishes).defaults).toEqual({ list: [], choice: "first" });
  });

  it("clones plain objects in defaults, and hands run inputs on as they are", async () => {
    const plain = { name: "t", run: () => undefined };
    const task = new Streamer(finishes, { defaults: { tools: plain } });
    expect(task.defaults.tools).not.toBe(plain);
    await task.run({ tools: plain });
    expect(task.runInputData.tools).toBe(plain);
  });

  it("writes a function tool as its bare name into a document, without a warning", () => {
    const task = new Streamer(finishes, { defaults: { tools: [{ name: "t", execute: () => "" }] } });
    expect(JSON.parse(JSON.stringify(task.toJSON().defaults))).toMatchObject({ tools: [{ name: "t" }] });
  });

  it("turns a value into JSON to try an anyOf, which a client with a cycle does not survive", async () => {
    class Picky extends Upper {
      static override type = "Picky";
      static override inputSchema = (): DataPortSchema => ports({ text: { anyOf: [{ type: "string" }, { type: "object" }] } });
    }
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    await expect(new Picky().run({ text: cyclic as never })).rejects.toThrow(/circular|cyclic/);
  });
});
