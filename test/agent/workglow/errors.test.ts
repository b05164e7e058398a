// What AgentTask throws: coded errors that are Workglow's own, for bad input, unbound names and turns that failed.
import {
  AgentConfigurationError,
  AgentFailedError,
  AgentInputError,
  AgentTask,
  type AgentTaskInput,
  defineTool,
  type ToolEntry,
} from "@callwire/agent";
import { ModelError } from "@callwire/wire";
import { assertHistory } from "@callwire/wire/testing";
import {
  Dataflow,
  TaskConfigurationError,
  TaskError,
  TaskFailedError,
  TaskGraph,
  TaskInvalidInputError,
} from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { add, answering, hear, TWO_ROUNDS } from "./kit.ts";
import { Brackets } from "./tasks.ts";

const model = answering(TWO_ROUNDS);
const broken = answering([
  [{ text: "par" }, { call: { id: "c1", name: "add" } }, { error: { code: "MODEL_SERVER", message: "500 down" } }],
]);

interface Caught extends TaskError {
  readonly code: string;
  readonly turn?: AgentFailedError["turn"];
}

async function caught(task: AgentTask, input: object): Promise<Caught> {
  const error: unknown = await task.run(input as Partial<AgentTaskInput>).then(
    () => "no error",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TaskError);
  return error as Caught;
}

describe("a turn that failed", () => {
  it("throws Workglow's failure with code, turn and cause; the output stands before the throw [T8h, T8j, P6b]", async () => {
    const task = new AgentTask({ id: "agent", defaults: { model: broken, tools: [add] } });
    const heard = hear(task);
    let outputAtError: unknown;
    task.on("error", () => {
      outputAtError = task.runOutputData;
    });
    const error = await caught(task, { prompt: "go" });
    expect(error).toBeInstanceOf(TaskFailedError);
    expect(error).toMatchObject({ name: "AgentFailedError", code: "MODEL_SERVER", message: "500 down", taskId: "agent" });
    expect((error as AgentFailedError).cause).toBeInstanceOf(ModelError);
    expect(error.turn).toMatchObject({ stopReason: "error", text: "", error: { code: "MODEL_SERVER" } });
    assertHistory(error.turn?.messages ?? []);
    expect(task.status).toBe("FAILED");
    expect(task.error).toBe(error);
    expect(outputAtError).toMatchObject({ stopReason: "error", messages: error.turn?.messages });
    expect(heard.kinds().slice(-4)).toEqual(["tool-call:discarded", "attempt-discarded", "round-usage", "turn-end"]);
  });

  it("lets the graph end over an open streaming edge, its stream closed before the error [T8i]", { timeout: 5_000 }, async () => {
    const graph = new TaskGraph();
    const task = new AgentTask({ id: "agent", defaults: { prompt: "go", model: broken, liveText: "live" } });
    graph.addTask(task);
    graph.addTask(new Brackets({ id: "brackets" }));
    graph.addDataflow(new Dataflow("agent", "text", "brackets", "text"));
    const order: string[] = [];
    for (const name of ["stream_start", "stream_end", "error"] as const) task.on(name, () => order.push(name));
    await expect(graph.run()).rejects.toMatchObject({ code: "MODEL_SERVER", turn: { stopReason: "error" } });
    expect(order).toEqual(["stream_start", "stream_end", "error"]);
  });

  it("is forgotten by the next run", async () => {
    const task = new AgentTask({ defaults: { model: broken, tools: [add] } });
    await caught(task, { prompt: "go" });
    await task.run({ prompt: "go", model });
    expect(task.error).toBeUndefined();
    expect(task.runOutputData.stopReason).toBe("answered");
  });

  it("goes down the graph's error edge", async () => {
    const graph = new TaskGraph();
    graph.addTask(new AgentTask({ id: "agent", defaults: { prompt: "go", model: broken } }));
    graph.addTask(new AgentTask({ id: "helper", defaults: { prompt: "help", model: answering([[{ text: "helped" }]]) } }));
    graph.addDataflow(new Dataflow("agent", "[error]", "helper", "[error]"));
    const results = await graph.run();
    expect(results.map(({ data }) => data.text)).toEqual(["helped"]);
  });

  it("does not throw for any other ending [P6b]", async () => {
    const endings = {
      answered: [[{ text: "hi" }]],
      length: [[{ text: "hi" }, { stop: "length" }]],
      refusal: [[{ stop: "refusal" }]],
      "max-rounds": [[{ call: { id: "c1", name: "add", args: { a: 1 } } }]],
    } as const;
    for (const [stopReason, script] of Object.entries(endings)) {
      const task = new AgentTask({ defaults: { model: answering(script), tools: [add], maxRounds: 1 } });
      expect((await task.run({ prompt: "go" })).stopReason).toBe(stopReason);
    }
    const approver = { ask: async () => ({ answer: "cancel" as const }) };
    const gated = { ...add, requiresApproval: true };
    expect((await new AgentTask({ defaults: { model, tools: [gated], approver } }).run({ prompt: "go" })).stopReason).toBe(
      "stopped",
    );
  });
});

describe("input that fits no port", () => {
  const cases: Record<string, readonly [object, RegExp]> = {
    "no model": [{ prompt: "go" }, /No model: .*bindModel/],
    "no prompt": [{ model }, /No prompt: /],
    "a prompt that is neither text nor blocks": [{ prompt: 7, model }, /prompt/],
    "a model that is neither object nor name": [{ prompt: "go", model: 7 }, /model/],
    "messages that are no list": [{ prompt: "go", model, messages: {} }, /messages/],
    "a message that is no object": [{ prompt: "go", model, messages: ["hello"] }, /messages/],
    "a tool that is neither object nor name": [{ prompt: "go", model, tools: [7] }, /tools/],
    "an unknown choice": [{ prompt: "go", model, approval: "always" }, /approval/],
    "a limit that is no number": [{ prompt: "go", model, maxRounds: "8" }, /maxRounds/],
  };

  it.each(Object.entries(cases))("%s is a coded input error before anything runs", async (_what, [input, message]) => {
    const task = new AgentTask();
    const heard = hear(task);
    const error = await caught(task, input);
    expect(error).toBeInstanceOf(AgentInputError);
    expect(error).toBeInstanceOf(TaskInvalidInputError);
    expect(error.code).toBe("INVALID_OPTIONS");
    expect(error.message).toMatch(message);
    expect(heard.all).toEqual([]);
    expect(task.runOutputData).toEqual({});
  });
});

describe("input that the turn refuses", () => {
  const tool = (name: string, input?: unknown) => ({ name, description: "", input, execute: () => "" }) as ToolEntry;
  const cases: Record<string, readonly [object, string, RegExp]> = {
    "maxRounds 0": [{ maxRounds: 0 }, "INVALID_OPTIONS", /maxRounds is 0; .*at least 1/],
    "a broken limit": [{ graceMs: -1 }, "INVALID_OPTIONS", /graceMs is -1/],
    "an empty prompt list": [{ prompt: [] }, "INVALID_OPTIONS", /No prompt/],
    "a model that cannot run": [{ model: { name: "x" } }, "INVALID_OPTIONS", /`run` function/],
    "two tools of one name": [{ tools: [add, tool("add")] }, "DUPLICATE_TOOL", /Two tools are named "add"/],
    "an illegal tool name": [{ tools: [tool("no good")] }, "INVALID_TOOL", /"no good".*1 to 64 letters/],
    "a schema that is no object": [{ tools: [tool("t", { type: "string" })] }, "INVALID_TOOL", /"t".*object/],
    "a message without id": [{ messages: [{ role: "user", content: "x" }] }, "INVALID_HISTORY", /messages\[0\]/],
    "a call without result": [
      { messages: [{ id: "m", role: "assistant", content: [{ type: "tool_use", id: "c9", name: "add", input: {} }] }] },
      "INVALID_HISTORY",
      /c9/,
    ],
  };

  it.each(Object.entries(cases))(
    "%s is a coded, settled turn that names what is wrong",
    async (_what, [input, code, message]) => {
      const error = await caught(new AgentTask(), { prompt: "go", model, ...input });
      expect(error).toBeInstanceOf(AgentFailedError);
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
      expect(error.turn?.stopReason).toBe("error");
    },
  );
});

describe("a name that stands for nothing", () => {
  const cases: Record<string, readonly [object, string, RegExp]> = {
    "a model": [{ model: "nobody" }, "MODEL_NOT_BOUND", /"nobody" is not bound: call bindModel/],
    "a tool": [{ tools: ["nobody"] }, "TOOL_NOT_BOUND", /"nobody" is neither a bound tool nor a registered task type/],
    "a named tool": [{ tools: [{ name: "nobody" }] }, "TOOL_NOT_BOUND", /"nobody"/],
    "a task type": [{ tools: [{ taskType: "Nobody", name: "n" }] }, "TOOL_NOT_BOUND", /"Nobody"/],
    "a tool without a name": [{ tools: [{}] }, "INVALID_TOOL", /has no name/],
    "an approver": [{ approver: "nobody" }, "APPROVER_NOT_BOUND", /bindApprover/],
    "a clock": [{ clock: "nobody" }, "INVALID_OPTIONS", /bindClock/],
  };

  it.each(Object.entries(cases))(
    "%s is a coded configuration error, and its stream has an end [P6c]",
    async (_what, [input, code, message]) => {
      const task = new AgentTask();
      const streams: string[] = [];
      for (const name of ["stream_start", "stream_end"] as const) task.on(name, () => streams.push(name));
      const error = await caught(task, { prompt: "go", model, ...input });
      expect(error).toBeInstanceOf(AgentConfigurationError);
      expect(error).toBeInstanceOf(TaskConfigurationError);
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);
      expect(streams).toEqual(["stream_start", "stream_end"]);
    },
  );
});

describe("a tool that fails", () => {
  it("is the call's own outcome: the task ends well [P6b]", async () => {
    const fails = defineTool({
      name: "add",
      description: "",
      execute: () => {
        throw new Error("no disk");
      },
    });
    const task = new AgentTask({ defaults: { model, tools: [fails] } });
    const heard = hear(task);
    expect((await task.run({ prompt: "go" })).stopReason).toBe("answered");
    expect(heard.events()).toContainEqual(expect.objectContaining({ status: "failed", result: "add failed: no disk" }));
  });
});
