// The ports of AgentTask: safe defaults, host objects that stay what they are, and a result that is never replayed.
import { AgentTask, bindModel, bindTool, defineTool } from "@callwire/agent";
import type { Message, Model } from "@callwire/wire";
import { GraphAsTask, TaskGraph, type TaskInput, type TaskOutput, TaskOutputRepository } from "@workglow/task-graph";
import { Container, globalServiceRegistry, ServiceRegistry } from "@workglow/util";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";

const model = answering(TWO_ROUNDS);
const properties = (AgentTask.inputSchema() as { readonly properties: Record<string, { readonly enum?: readonly string[] }> })
  .properties;

describe("the input ports", () => {
  it("take the safest choice where none is made [P7a]", () => {
    expect(new AgentTask().defaults).toEqual({
      messages: [],
      tools: [],
      approval: "beyond-inference",
      onDenied: "continue",
      liveText: "auto",
    });
    const enums = Object.entries(properties).flatMap(([port, { enum: choices }]) =>
      choices === undefined ? [] : [[port, choices[0]]],
    );
    expect(Object.fromEntries(enums)).toEqual({ approval: "beyond-inference", onDenied: "continue", liveText: "auto" });
  });

  it("take absent lists as empty ones: no conversation, no tools [P7b]", async () => {
    const task = new AgentTask();
    const output = await task.run({ prompt: "go", model: answering([[{ text: "hi" }]]) });
    expect(task.runInputData).toMatchObject({ messages: [], tools: [] });
    expect(output.messages).toHaveLength(2);
  });

  it("leave the turn's own defaults to the turn [P8a]", async () => {
    const greedy = answering(Array.from({ length: 9 }, (_, i) => [{ call: { id: `c${i}`, name: "add", args: { a: 1 } } }]));
    const output = await new AgentTask().run({ prompt: "go", model: greedy, tools: [add] });
    expect(output).toMatchObject({ rounds: 8, stopReason: "max-rounds" });
  });

  it("pass limits and choices on to the turn [P8b]", async () => {
    const long = defineTool({ name: "add", description: "", execute: () => "x".repeat(500) });
    const task = new AgentTask({
      defaults: { prompt: "go", model, tools: [long], maxToolResultChars: 100, system: "Be brief.", argumentDeltas: true },
    });
    const heard = hear(task);
    const output = await task.run();
    expect(output.messages[2]).toMatchObject({
      content: [{ content: [{ text: expect.stringMatching(/… \[truncated, 500 chars total\]$/) }] }],
    });
    expect(heard.kinds()).toContain("tool-call-delta");
  });
});

describe("host objects in the ports", () => {
  /** As careless as they come: state in a plain object, a client that points back at it. */
  const careless = () => {
    const client: Record<string, unknown> = { retries: 10n };
    const made: Model & { requests: number } = {
      name: "careless",
      requests: 0,
      run(request, sink, options) {
        this.requests++;
        return model.run(request, sink, options);
      },
    };
    client.owner = Object.assign(made, { client });
    return made;
  };

  it("stay the same objects as defaults, over runs, graphs and clones", async () => {
    const plain = careless();
    const tool = { name: "add", description: "", execute: () => "5" };
    const task = new AgentTask({ id: "agent", defaults: { prompt: "go", model: plain, tools: [tool] } });
    await task.run();
    const graph = new TaskGraph();
    graph.addTask(task);
    await graph.run();
    await new AgentTask({ ...task.config, defaults: task.defaults }).run();
    expect(plain.requests).toBe(6);
    expect(task.defaults.tools[0]).toBe(tool);
    const tools = [tool];
    task.setDefaults({ prompt: "go", model: plain, tools });
    tools.pop();
    expect(task.defaults.tools).toEqual([tool]);
    expect(task.defaults.model).toBe(plain);
  });

  it("may hold clients with cycles, as input too", async () => {
    const cyclicTool: Record<string, unknown> = { name: "add", description: "", execute: () => "5" };
    cyclicTool.self = cyclicTool;
    const output = await new AgentTask().run({ prompt: "go", model: careless(), tools: [cyclicTool as never] });
    expect(output.text).toBe(TWO_ROUNDS_TEXT);
  });

  it("may come through a group, which checks its input by the agent's own schema", async () => {
    const subGraph = new TaskGraph();
    subGraph.addTask(new AgentTask({ defaults: { tools: [add] } }));
    const output = await new GraphAsTask({ subGraph }).run({ prompt: "go", model: careless() } as Partial<TaskInput>);
    expect(output).toMatchObject({ text: TWO_ROUNDS_TEXT });
  });

  it("keep a compiled tool compiled: the schema is read once", async () => {
    let read = 0;
    const schema = z.object({ a: z.number() });
    const counting = new Proxy(schema, {
      get(target, key, self) {
        if (key === "~standard") read++;
        return Reflect.get(target, key, self);
      },
    });
    const tool = defineTool({ name: "add", description: "", input: counting, execute: () => "5" });
    const task = new AgentTask({ defaults: { prompt: "go", model, tools: [tool] } });
    await task.run();
    const once = read;
    await task.run();
    expect(read).toBe(once);
  });

  it("do not appear in errors, and neither does the conversation", async () => {
    const messages = [
      ...Array.from({ length: 500 }, (_, i) => ({ id: `m${i}`, role: "user", content: "secret words" })),
      "broken",
    ];
    const error = (await new AgentTask()
      .run({ prompt: "go", model, messages: messages as never })
      .catch((thrown: unknown) => thrown)) as Error;
    expect(error).toMatchObject({ code: "INVALID_OPTIONS" });
    expect(error.message.length).toBeLessThan(600);
    expect(error.message).not.toContain("secret");
  });
});

describe("the conversation that a task is given", () => {
  it("is never changed, whether by default or as input", async () => {
    const messages: readonly Message[] = Object.freeze([Object.freeze({ id: "m1", role: "user" as const, content: "earlier" })]);
    const byDefault = new AgentTask({ defaults: { prompt: "go", model, tools: [add], messages } });
    for (const run of [
      byDefault.run(),
      byDefault.run.bind(byDefault),
      new AgentTask().run({ prompt: "go", model, tools: [add], messages }),
    ]) {
      const output = await (typeof run === "function" ? run() : run);
      expect(output.messages).toHaveLength(5);
      expect(output.messages[0]).toEqual(messages[0]);
    }
    expect(messages).toHaveLength(1);
    expect(byDefault.defaults.messages).toEqual(messages);
  });
});

describe("a cache", () => {
  class Memory extends TaskOutputRepository {
    reads = 0;
    writes = 0;
    constructor() {
      super({ outputCompression: false });
    }
    override async saveOutput(): Promise<void> {
      this.writes++;
    }
    override async getOutput(): Promise<TaskOutput> {
      this.reads++;
      return { text: "from the cache" };
    }
    override async clear(): Promise<void> {}
    override async size(): Promise<number> {
      return 0;
    }
    override async clearOlderThan(): Promise<void> {}
  }

  it("is never asked and never filled, whatever a configuration says", async () => {
    const cache = new Memory();
    const config = { id: "agent", cacheable: true, defaults: { prompt: "go", model, tools: [add] } };
    expect((await new AgentTask(config, { cacheable: true, outputCache: cache }).run()).text).toBe(TWO_ROUNDS_TEXT);
    const graph = new TaskGraph({ outputCache: cache });
    graph.addTask(new AgentTask(config, { cacheable: true }));
    const [result] = await graph.run<TaskInput>();
    expect(result?.data.text).toBe(TWO_ROUNDS_TEXT);
    expect([cache.reads, cache.writes]).toEqual([0, 0]);
  });
});

describe("bound names", () => {
  it("are found in the run's registry first, then in the global one; binding again replaces [P6c]", async () => {
    const named = (name: string) => answering([[{ text: name }]]);
    const registry = new ServiceRegistry(new Container());
    bindModel("ports-test", named("local"), registry);
    bindModel("ports-test", named("global"));
    bindModel("ports-test-2", named("global 2"));
    const run = async (model_: string, where: ServiceRegistry) =>
      (await new AgentTask().run({ prompt: "go", model: model_ }, { registry: where })).text;
    expect(await run("ports-test", registry)).toBe("local");
    expect(await run("ports-test", globalServiceRegistry)).toBe("global");
    expect(await run("ports-test-2", registry)).toBe("global 2");
    bindModel("ports-test", named("newer"), registry);
    expect(await run("ports-test", registry)).toBe("newer");
  });

  it("stand for tools too, before task types of the same name [P6d]", async () => {
    const registry = new ServiceRegistry(new Container());
    bindTool(add, registry);
    const task = new AgentTask({ defaults: { prompt: "go", model, tools: ["add"] } }, { registry });
    const heard = hear(task);
    await task.run();
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "completed", result: '{"sum":5}' }));
  });
});
