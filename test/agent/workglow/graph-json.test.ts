// AgentTask in graph documents: objects become names, names become objects again, and what is unbound says so.
import { AgentTask, bindApprover, bindClock, bindModel, bindTool, type ToolEntry } from "@callwire/agent";
import type { Approver, Model } from "@callwire/wire";
import { type ManualClock, manualClock } from "@callwire/wire/testing";
import {
  createGraphFromGraphJSON,
  GraphAsTask,
  MapTask,
  TaskGraph,
  type TaskGraphJson,
  TaskRegistry,
} from "@workglow/task-graph";
import { Container, ServiceRegistry } from "@workglow/util";
import { beforeAll, describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS, TWO_ROUNDS_TEXT } from "./kit.ts";
import { Upper } from "./tasks.ts";

const model = answering(TWO_ROUNDS, { name: "two-rounds" });
const allow: Approver = { ask: async () => ({ answer: "allow", by: "test" }) };

beforeAll(() => {
  TaskRegistry.registerTask(AgentTask);
  TaskRegistry.registerTask(Upper);
  TaskRegistry.registerTask(GraphAsTask);
  TaskRegistry.registerTask(MapTask);
});

function registryWith(parts: {
  readonly model?: Model;
  readonly clock?: ManualClock;
  readonly approver?: Approver;
}): ServiceRegistry {
  const registry = new ServiceRegistry(new Container());
  bindTool(add, registry);
  if (parts.model !== undefined) bindModel("bound-model", parts.model, registry);
  if (parts.clock !== undefined) bindClock("bound-clock", parts.clock, registry);
  if (parts.approver !== undefined) bindApprover("bound-approver", parts.approver, registry);
  return registry;
}

function graphOf(task: AgentTask | GraphAsTask): TaskGraph {
  const graph = new TaskGraph();
  graph.addTask(task);
  return graph;
}

/** As a store keeps it. */
function stored(graph: TaskGraph): TaskGraphJson {
  return JSON.parse(JSON.stringify(graph.toJSON())) as TaskGraphJson;
}

function defaultsOf(json: TaskGraphJson): Record<string, unknown> {
  return (json.tasks[0]?.defaults ?? {}) as Record<string, unknown>;
}

describe("a graph document", () => {
  it("holds names for objects and tools, and data for the rest [P6d]", () => {
    const clock = manualClock();
    const registry = registryWith({ model, clock, approver: allow });
    const tools: ToolEntry[] = [add, "Upper", { taskType: "Upper", name: "caps", requiresApproval: true, kind: "edit" }];
    const defaults = { prompt: "go", model, tools, clock, approver: allow, ids: () => "x", maxRounds: 3 };
    const json = stored(graphOf(new AgentTask({ id: "agent", title: "Adder", timeout: 5_000, defaults }, { registry })));
    expect(json.tasks).toEqual([
      {
        id: "agent",
        type: "CallwireAgentTask",
        config: { title: "Adder", timeout: 5_000 },
        defaults: {
          prompt: "go",
          messages: [],
          approval: "beyond-inference",
          onDenied: "continue",
          liveText: "auto",
          maxRounds: 3,
          model: "bound-model",
          tools: ["add", "Upper", { taskType: "Upper", name: "caps", requiresApproval: true, kind: "edit" }],
          clock: "bound-clock",
          approver: "bound-approver",
        },
        entitlements: { entitlements: [{ id: "ai:inference", reason: "Calls a model" }] },
      },
    ]);
  });

  it("finds the name of a plain object too, though Workglow would have cloned it", () => {
    const registry = registryWith({ approver: allow });
    const json = stored(graphOf(new AgentTask({ defaults: { approver: allow } }, { registry })));
    expect(defaultsOf(json).approver).toBe("bound-approver");
  });

  it("is the same after a second round trip [P6d]", () => {
    const registry = registryWith({ model });
    const json = stored(
      graphOf(new AgentTask({ id: "agent", defaults: { prompt: "go", model, tools: [add, "Upper"] } }, { registry })),
    );
    const again = stored(createGraphFromGraphJSON(json, registry));
    expect(again).toEqual(json);
    expect(stored(createGraphFromGraphJSON(again, registry))).toEqual(json);
  });

  it("is written for a task that cannot run, too", () => {
    const nonsense = { model: null, tools: [null, 7], approver: null } as unknown as { model: string };
    expect(new AgentTask({ defaults: nonsense }).toJSON().defaults).toMatchObject({ tools: [null, 7] });
    expect(new AgentTask({ defaults: { tools: "add" } as never }).toJSON().defaults).toMatchObject({ tools: "add" });
  });

  it("leaves the task as it was", () => {
    const task = new AgentTask({ defaults: { model, tools: [add] } });
    task.toJSON();
    expect(task.defaults).toMatchObject({ model, tools: [add] });
  });

  it("keeps that a tool asks, also where the bound one does not [T7h]", async () => {
    const registry = registryWith({ model });
    const strict = { ...add, requiresApproval: true };
    const json = stored(
      graphOf(new AgentTask({ id: "agent", defaults: { prompt: "go", model, tools: [strict] } }, { registry })),
    );
    expect(defaultsOf(json).tools).toEqual([{ name: "add", requiresApproval: true }]);
    const restored = createGraphFromGraphJSON(json, registry);
    const heard = hear(restored);
    await restored.run();
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", reason: "no-approver" }));
  });

  it("cannot make a bound tool laxer [T7h]", async () => {
    const registry = registryWith({ model });
    bindTool({ ...add, requiresApproval: true }, registry);
    const defaults = { prompt: "go", model: "bound-model", tools: [{ name: "add", requiresApproval: false }] };
    const restored = createGraphFromGraphJSON(
      { tasks: [{ id: "agent", type: AgentTask.type, defaults }], dataflows: [] },
      registry,
    );
    const heard = hear(restored);
    await restored.run();
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", reason: "no-approver" }));
  });
});

describe("a restored graph", () => {
  it("gives the event log that the original gives [P6d]", async () => {
    const log = async (restore: boolean) => {
      const clock = manualClock(1_000);
      const slow = answering([[{ wait: 7 }, ...TWO_ROUNDS[0]], TWO_ROUNDS[1]], { clock, name: "slow" });
      const registry = registryWith({ model: slow, clock });
      const original = graphOf(
        new AgentTask({ id: "agent", defaults: { prompt: "go", model: slow, tools: [add], clock } }, { registry }),
      );
      const graph = restore ? createGraphFromGraphJSON(stored(original), registry) : original;
      const heard = hear(graph);
      await clock.runUntil(graph.run());
      const ids = new Map<string, string>();
      // Ids are minted anew in each run: named by the order of their first appearance.
      return JSON.parse(
        JSON.stringify(heard.all).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => ids.get(id) ?? nameFor(ids, id)),
      ) as unknown[];
    };
    const original = await log(false);
    expect(original).toHaveLength(16);
    expect(await log(true)).toEqual(original);
  });

  it("finds what is bound in the registry that it was restored with, in the run's and in the global one [P6c]", async () => {
    const registry = registryWith({ model });
    const json = stored(graphOf(new AgentTask({ id: "agent", defaults: { prompt: "go", model, tools: [add] } }, { registry })));
    const texts = await Promise.all([
      createGraphFromGraphJSON(json, registry).run(),
      createGraphFromGraphJSON(json).run({}, { registry }),
    ]);
    for (const [result] of texts) expect(result?.data.text).toBe(TWO_ROUNDS_TEXT);
    bindModel("global-model", model);
    bindTool(add);
    const byGlobal = JSON.parse(JSON.stringify(json).replace("bound-model", "global-model")) as TaskGraphJson;
    expect((await createGraphFromGraphJSON(byGlobal, new ServiceRegistry(new Container())).run())[0]?.data.text).toBe(
      TWO_ROUNDS_TEXT,
    );
  });

  it("works in groups and maps of the document", async () => {
    const registry = registryWith({ model });
    const inner = () => graphOf(new AgentTask({ id: "agent", defaults: { model, tools: [add] } }, { registry }));
    for (const outer of [
      new GraphAsTask({ id: "group", subGraph: inner() }),
      new MapTask({ id: "map", maxIterations: 5, subGraph: inner() }),
    ]) {
      const restored = createGraphFromGraphJSON(stored(graphOf(outer)), registry);
      const [result] = await restored.run({ prompt: outer instanceof MapTask ? ["a"] : "a" });
      expect([result?.data.text].flat()).toEqual([TWO_ROUNDS_TEXT]);
    }
  });

  it("says clearly what is not bound [P6c, P6d]", async () => {
    const cases = [
      [{ model: answering([], { name: "unknown-model" }) }, "MODEL_NOT_BOUND", '"unknown-model" is not bound'],
      [{ tools: [{ ...add, name: "unknown_tool" }] }, "TOOL_NOT_BOUND", '"unknown_tool" is neither'],
      [{ approver: { ask: allow.ask } }, "APPROVER_NOT_BOUND", '"unbound" is not bound'],
      [{ clock: manualClock() }, "INVALID_OPTIONS", '"unbound" is not bound'],
    ] as const;
    for (const [defaults, code, message] of cases) {
      const registry = registryWith({ model });
      const graph = graphOf(new AgentTask({ id: "agent", defaults: { prompt: "go", model, ...defaults } }, { registry }));
      const error: unknown = await createGraphFromGraphJSON(stored(graph), registry)
        .run()
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    }
  });
});

function nameFor(ids: Map<string, string>, id: string): string {
  const name = `id-${ids.size + 1}`;
  ids.set(id, name);
  return name;
}
