// Who is asked before a task tool runs: whatever reaches past inference, unless the host itself says otherwise.
import { AgentTask, bindApprover, CALLWIRE_ALLOW_UNASKED, type ToolEntry } from "@callwire/agent";
import type { ApprovalRequest, Approver } from "@callwire/wire";
import type { ScriptStep } from "@callwire/wire/testing";
import { createGraphFromGraphJSON, type TaskGraphJson, TaskRegistry } from "@workglow/task-graph";
import { Container, getLogger, NullLogger, ServiceRegistry, setLogger } from "@workglow/util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, hear } from "./kit.ts";
import { Fetch, Summarize, Upper, WriteFile } from "./tasks.ts";

const TYPES = [Upper, WriteFile, Summarize, Fetch];

beforeAll(() => {
  for (const task of TYPES) TaskRegistry.registerTask(task);
});
afterAll(() => {
  for (const task of TYPES) TaskRegistry.unregisterTask(task.type);
});

const call = (name: string, text: string): ScriptStep => ({ call: { id: name, name, args: { text } } });

/** Runs one call and tells who was asked and how it ended. */
async function play(
  entry: ToolEntry,
  options: {
    readonly text?: string;
    readonly approver?: Approver | undefined;
    readonly approval?: "never";
    readonly registry?: ServiceRegistry;
  } = {},
): Promise<{
  readonly asked: readonly ApprovalRequest[];
  readonly statuses: readonly string[];
  readonly reason?: string;
  readonly pending: object;
}> {
  const asked: ApprovalRequest[] = [];
  const allowing: Approver = {
    async ask(request) {
      asked.push(request);
      return { answer: "allow" };
    },
  };
  const name =
    typeof entry === "string"
      ? entry
      : ((entry as { readonly name?: string }).name ?? (entry as { readonly taskType: string }).taskType);
  const model = answering([[call(name, options.text ?? "hi")], [{ text: "done" }]]);
  const approver = "approver" in options ? options.approver : allowing;
  const task = new AgentTask({ defaults: { prompt: "go", model, tools: [entry], approver, approval: options.approval } });
  const heard = hear(task);
  await task.run({}, options.registry === undefined ? {} : { registry: options.registry });
  const calls = heard.events().filter((event) => event.type === "tool-call");
  const last = calls.at(-1);
  return {
    asked,
    statuses: calls.map(({ status }) => status),
    pending: calls.find(({ status }) => status === "pending") ?? {},
    ...(last?.status === "failed" && { reason: last.reason }),
  };
}

function unaskedRegistry(): ServiceRegistry {
  const registry = new ServiceRegistry(new Container());
  registry.registerInstance(CALLWIRE_ALLOW_UNASKED, true);
  return registry;
}

describe("a task tool without reach, or with inference only,", () => {
  it.each(["Upper", "Summarize"])("runs unasked: %s", async (type) => {
    const { asked, statuses, pending } = await play(type);
    expect(asked).toEqual([]);
    expect(statuses.at(-1)).toBe("completed");
    expect(pending).not.toHaveProperty("needsApproval");
  });
});

describe("a task tool that reaches past inference", () => {
  it("is put to a person, who sees its reach [P3a]", async () => {
    const { asked, statuses, pending } = await play("WriteFile");
    expect(asked).toMatchObject([
      { name: "WriteFile", title: "Write file", input: { text: "hi" }, reach: ["filesystem:write", "ai:inference"] },
    ]);
    expect(pending).toMatchObject({ needsApproval: true });
    expect(statuses.at(-1)).toBe("completed");
  });

  it("does not run when there is nobody to ask [T7e, fail-no-approver]", async () => {
    expect(await play("WriteFile", { approver: undefined })).toMatchObject({ reason: "no-approver" });
  });

  it("asks when its input makes it reach out, and only then", async () => {
    expect((await play("Fetch", { text: "local words" })).asked).toEqual([]);
    expect((await play("Fetch", { text: "https://example.test" })).asked).toHaveLength(1);
  });

  it("asks when its reach cannot be told [T7e]", async () => {
    class Unsure extends Fetch {
      static override type = "Unsure";
      override entitlements(): never {
        throw new Error("cannot tell");
      }
    }
    TaskRegistry.registerTask(Unsure);
    const logger = getLogger();
    setLogger(new NullLogger());
    expect((await play("Unsure")).asked).toHaveLength(1);
    setLogger(logger);
    TaskRegistry.unregisterTask("Unsure");
  });
});

describe("what a document says about asking", () => {
  it("tightens: requiresApproval asks for any task type [T7h]", async () => {
    expect((await play({ taskType: "Upper", requiresApproval: true })).asked).toHaveLength(1);
    expect((await play({ name: "Upper", requiresApproval: true })).asked).toHaveLength(1);
  });

  it("does not relax: requiresApproval false is not heard [T7h]", async () => {
    const entry = { taskType: "WriteFile", requiresApproval: false };
    expect((await play(entry)).asked).toHaveLength(1);
    expect((await play({ ...entry, taskType: "WriteFile", name: "innocent" })).asked).toHaveLength(1);
  });

  it("does not relax: approval never counts only where the host bound it [T7h]", async () => {
    expect((await play("WriteFile", { approval: "never" })).asked).toHaveLength(1);
    const registry = unaskedRegistry();
    expect((await play("WriteFile", { approval: "never", registry })).asked).toEqual([]);
    expect((await play("WriteFile", { registry })).asked).toHaveLength(1);
    const strict = { taskType: "WriteFile", requiresApproval: true };
    expect((await play(strict, { approval: "never", registry })).asked).toHaveLength(1);
  });

  it("does not relax in a restored graph either [T7h]", async () => {
    TaskRegistry.registerTask(AgentTask);
    const registry = new ServiceRegistry(new Container());
    const defaults = {
      prompt: "go",
      model: answering([[call("WriteFile", "hi")], [{ text: "done" }]]),
      tools: ["WriteFile"],
      approval: "never",
    };
    const json: TaskGraphJson = { tasks: [{ id: "agent", type: AgentTask.type, defaults }], dataflows: [] };
    const graph = createGraphFromGraphJSON(json, registry);
    const heard = hear(graph);
    await graph.run();
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", reason: "no-approver" }));
  });
});

describe("the approver", () => {
  it("bound as default is asked where the agent names none [P6c]", async () => {
    const registry = new ServiceRegistry(new Container());
    bindApprover("default", { ask: async () => ({ answer: "deny" }) }, registry);
    expect(await play("WriteFile", { approver: undefined, registry })).toMatchObject({ reason: "denied" });
  });
});

describe("the entitlements of an agent", () => {
  const reachOf = (task: AgentTask) => task.entitlements().entitlements.map(({ id }) => id);

  it("are its own and those of the task types among its tools, wherever these are given", () => {
    expect(reachOf(new AgentTask())).toEqual(["ai:inference"]);
    const tools = ["Upper", { taskType: "WriteFile" }, { name: "Summarize" }, "nobody"];
    expect(reachOf(new AgentTask({ defaults: { tools } })).sort()).toEqual(["ai:inference", "ai:model", "filesystem:write"]);
    const task = new AgentTask();
    task.setDefaults({ tools: ["WriteFile"] });
    expect(reachOf(task)).toContain("filesystem:write");
  });

  it("are what a subclass says, and more", () => {
    class Remote extends AgentTask {
      static override entitlements = () => ({ entitlements: [{ id: "network:http" }] });
    }
    expect(reachOf(new Remote({ defaults: { tools: ["WriteFile"] } })).sort()).toEqual([
      "ai:inference",
      "filesystem:write",
      "network:http",
    ]);
  });

  it("are told in peace when what stands among its tools is nonsense", () => {
    const tools = [null, 7, {}, { name: 3 }] as unknown as ToolEntry[];
    expect(reachOf(new AgentTask({ defaults: { tools } }))).toEqual(["ai:inference"]);
    expect(reachOf(new AgentTask({ defaults: { tools: "WriteFile" as unknown as ToolEntry[] } }))).toEqual(["ai:inference"]);
  });
});
