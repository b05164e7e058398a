// An AgentTask that is aborted: by its own abort, its graph, its caller's signal or its timeout, at any moment.
import { AgentCancelledError, AgentTask, AgentTimeoutError, defineTool } from "@callwire/agent";
import type { Message } from "@callwire/wire";
import { assertHistory, manualClock } from "@callwire/wire/testing";
import {
  Dataflow,
  TaskAbortedError,
  TaskGraph,
  TaskGraphTimeoutError,
  type TaskStatus,
  TaskTimeoutError,
} from "@workglow/task-graph";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countedSignal } from "../../kit/signals.ts";
import { add, answering, hear, TWO_ROUNDS } from "./kit.ts";
import { Brackets } from "./tasks.ts";

const HANGS = [{ text: "par" }, { call: { id: "c1", name: "add", args: { a: 1 } } }, { hang: true }] as const;

function agent(
  script: Parameters<typeof answering>[0] = [HANGS],
  config: ConstructorParameters<typeof AgentTask>[0] = {},
): AgentTask {
  return new AgentTask({
    id: "agent",
    ...config,
    defaults: { prompt: "go", model: answering(script), tools: [add], ...config.defaults },
  });
}

function onTextDelta(task: AgentTask, act: () => void): void {
  task.on("stream_chunk", (chunk) => {
    if (chunk.type === "text-delta") queueMicrotask(act);
  });
}

async function caught(run: Promise<unknown>): Promise<AgentCancelledError> {
  const error: unknown = await run.then(
    () => "no error",
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AgentCancelledError);
  return error as AgentCancelledError;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("an aborted AgentTask", () => {
  it("throws Workglow's own abort error, coded, with the turn as far as it came [T8h, T8j]", async () => {
    const task = agent();
    const heard = hear(task);
    onTextDelta(task, () => task.abort());
    const error = await caught(task.run());
    expect(error).toBeInstanceOf(TaskAbortedError);
    expect(error).toMatchObject({ code: "TURN_CANCELLED", name: "AgentCancelledError", cause: { name: "AbortError" } });
    expect(error.turn).toMatchObject({ text: "par", stopReason: "cancelled", rounds: 0 });
    expect(task.runOutputData).toEqual({
      text: "par",
      messages: error.turn.messages,
      rounds: 0,
      stopReason: "cancelled",
      usage: {},
    });
    assertHistory(error.turn.messages);
    expect(heard.kinds().slice(-4)).toEqual(["tool-call:discarded", "round-usage", "message", "turn-end"]);
  });

  it("takes no step back to STREAMING, though its held text is told after the abort", async () => {
    const task = agent([HANGS], { defaults: { liveText: "settled" } });
    const statuses: TaskStatus[] = [];
    task.on("status", (status) => statuses.push(status));
    const heard = hear(task);
    task.on("stream_chunk", (chunk) => (chunk as { readonly type: string }).type === "tool-call" && task.abort());
    await caught(task.run());
    expect(heard.kinds()).toContain("text-delta");
    expect(statuses).toEqual(["PROCESSING", "ABORTING"]);
  });

  it("tells the caller's own reason as its cause", async () => {
    const { signal, abort, listeners } = countedSignal();
    const task = agent();
    onTextDelta(task, () => abort("enough"));
    expect((await caught(task.run({}, { signal }))).cause).toBe("enough");
    expect(listeners()).toBe(0);
  });

  it("leaves no listener on the caller's signal when it ends well [T8g]", async () => {
    const { signal, listeners } = countedSignal();
    const task = new AgentTask({ defaults: { model: answering(TWO_ROUNDS), tools: [add] } }, { signal });
    await task.run({ prompt: "go" });
    expect(listeners()).toBe(0);
  });

  it("ends coded, with the conversation untouched, when it was aborted before it began", async () => {
    const { signal, abort, listeners } = countedSignal();
    abort("too late");
    const messages: Message[] = [{ id: "m1", role: "user", content: "earlier" }];
    const task = agent();
    const heard = hear(task);
    const error = await caught(task.run({ messages }, { signal }));
    expect(error).toMatchObject({
      code: "TURN_CANCELLED",
      cause: "too late",
      turn: { text: "", messages, stopReason: "cancelled" },
    });
    expect(task.runOutputData).toMatchObject({ messages, stopReason: "cancelled" });
    expect(task.error).toBe(error);
    expect(heard.all).toEqual([]);
    expect(listeners()).toBe(0);
  });

  it("ends coded when it is aborted in the very call that runs it", async () => {
    const task = agent();
    const run = task.run();
    task.abort();
    expect((await caught(run)).turn.stopReason).toBe("cancelled");
  });

  it("can be run again", async () => {
    const task = agent();
    task.once("stream_chunk", () => task.abort());
    await caught(task.run());
    expect(await task.run({ model: answering(TWO_ROUNDS) })).toMatchObject({ stopReason: "answered" });
    expect(task.status).toBe("COMPLETED");
  });

  it("lets a started body finish with its true result within the grace [T8e]", async () => {
    const clock = manualClock();
    const slow = defineTool({ name: "add", description: "", execute: () => clock.sleep(100).then(() => "done after all") });
    const task = agent(TWO_ROUNDS, { defaults: { clock, tools: [slow] } });
    const heard = hear(task);
    const run = caught(task.run());
    await clock.advance(50);
    task.abort();
    await clock.runAll();
    expect((await run).turn.messages.at(-1)).toMatchObject({
      role: "tool",
      content: [{ content: [{ text: "done after all" }] }],
    });
    expect(heard.kinds()).toContain("tool-call:completed");
  });
});

describe("an aborted AgentTask in a graph", () => {
  function graphOf(task: AgentTask): TaskGraph {
    const graph = new TaskGraph();
    graph.addTask(task);
    graph.addTask(new Brackets({ id: "brackets" }));
    graph.addDataflow(new Dataflow(task.id, "text", "brackets", "text"));
    return graph;
  }

  it("lets the graph end over an open streaming edge [T8i]", { timeout: 5_000 }, async () => {
    for (const stop of ["task", "graph", "signal"] as const) {
      const controller = new AbortController();
      const task = agent([HANGS], { defaults: { liveText: "live" } });
      const graph = graphOf(task);
      onTextDelta(task, () => (stop === "task" ? task.abort() : stop === "graph" ? graph.abort() : controller.abort()));
      const error = await caught(graph.run({}, { parentSignal: controller.signal }));
      expect(error.turn.text).toBe("par");
    }
  });

  it("lets the graph end when it is aborted from inside any event, its last chunk included [T8a, T8b, T8i]", {
    timeout: 15_000,
  }, async () => {
    const counting = agent(TWO_ROUNDS, { defaults: { liveText: "live" } });
    let total = 0;
    counting.on("stream_chunk", () => total++);
    await graphOf(counting).run();
    expect(total).toBeGreaterThan(15);
    for (let at = 1; at <= total; at++) {
      const task = agent(TWO_ROUNDS, { defaults: { liveText: "live" } });
      const heard = hear(task);
      let seen = 0;
      task.on("stream_chunk", () => {
        seen++;
        if (seen === at) task.abort();
      });
      const error = await caught(graphOf(task).run());
      expect(error.code).toBe("TURN_CANCELLED");
      const end = heard.events().at(-1);
      expect(end).toMatchObject({ type: "turn-end", stopReason: at < total - 1 ? "cancelled" : "answered" });
      expect(error.turn.stopReason).toBe(end?.type === "turn-end" && end.stopReason);
      assertHistory(error.turn.messages);
    }
  });

  it("keeps its turn when the time of the whole graph is over", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const task = agent([HANGS], { defaults: { liveText: "live" } });
    const graph = graphOf(task);
    onTextDelta(task, () => vi.advanceTimersByTime(50));
    const run = graph.run({}, { timeout: 50 });
    await expect(run).rejects.toBeInstanceOf(TaskGraphTimeoutError);
    expect(task.runOutputData).toMatchObject({ text: "par", stopReason: "cancelled" });
  });
});

describe("an AgentTask with a timeout", () => {
  it("throws Workglow's timeout error with the turn as far as it came [T8j]", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const task = agent([HANGS], { timeout: 50 });
    const heard = hear(task);
    onTextDelta(task, () => vi.advanceTimersByTime(50));
    const error: unknown = await task.run().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgentTimeoutError);
    expect(error).toBeInstanceOf(TaskTimeoutError);
    expect(error).toMatchObject({ code: "TURN_CANCELLED", message: "Task timed out after 50ms", turn: { text: "par" } });
    expect(task.error).toBe(error);
    expect(heard.events().at(-1)).toMatchObject({ stopReason: "cancelled" });
  });

  it("is not said to be out of time when somebody aborts it before that", async () => {
    for (const stop of ["task", "signal"] as const) {
      const controller = new AbortController();
      const task = agent([HANGS], { timeout: 60_000 });
      onTextDelta(task, () => (stop === "task" ? task.abort() : controller.abort("enough")));
      const error = await caught(task.run({}, { signal: controller.signal }));
      expect(error).not.toBeInstanceOf(TaskTimeoutError);
      expect(error.turn.text).toBe("par");
    }
  });
});
