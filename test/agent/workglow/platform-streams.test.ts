// Pins what the released Workglow does where AgentTask works around it. A test that fails here says: look at that guard again.
import { AgentTask } from "@callwire/agent";
import {
  Dataflow,
  type StreamEvent,
  type Task,
  TaskGraph,
  type TaskOutput,
  type TaskStatus,
  TaskTimeoutError,
} from "@workglow/task-graph";
import { describe, expect, it } from "vitest";
import { answering, hear, TWO_ROUNDS } from "./kit.ts";
import { delta, Streamer } from "./streamer.ts";
import { Brackets, Upper } from "./tasks.ts";

function wire(target: Task, source: Task): TaskGraph {
  const graph = new TaskGraph();
  graph.addTasks([source, target]);
  graph.addDataflow(new Dataflow(source.id, "text", target.id, "text"));
  return graph;
}

/** Whether a promise settles within a hundred turns of the event loop. */
async function settles(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  for (let i = 0; i < 100 && !settled; i++) await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe("Workglow 0.2.37, streaming:", () => {
  it("a throw over an open streaming edge hangs the graph, unless stream_end was emitted", async () => {
    async function* throws(task: Streamer, closing: boolean): AsyncIterable<StreamEvent<TaskOutput>> {
      yield delta("a");
      if (closing) task.emit("stream_end", {});
      throw new Error("broken");
    }
    const run = (closing: boolean) => wire(new Brackets({ id: "target" }), new Streamer((task) => throws(task, closing))).run();
    expect(await settles(run(false))).toBe(false);
    expect(await settles(run(true))).toBe(true);
  });

  it("the last snapshot beats finish on an edge", async () => {
    const source = new Streamer(async function* () {
      yield { type: "snapshot", data: { messages: [] } };
      yield { type: "finish", data: { text: "whole" } };
    });
    await expect(wire(new Upper({ id: "target" }), source).run()).rejects.toThrow(/text/);
  });

  it("yielded deltas override what finish says", async () => {
    const source = new Streamer(async function* () {
      yield delta("streamed");
      yield { type: "finish", data: { text: "settled" } };
    });
    expect(await source.run()).toEqual({ text: "streamed" });
  });

  it("a subscriber's error fails the run", async () => {
    const task = new Streamer(async function* () {
      yield { type: "finish", data: {} };
    });
    task.on("stream_chunk", () => {
      throw new Error("not mine");
    });
    await expect(task.run()).rejects.toThrow("not mine");
  });

  it("a second run is not refused while the first one streams", async () => {
    let bodies = 0;
    const task = new Streamer(async function* () {
      bodies++;
      yield delta("a");
      yield { type: "finish", data: {} };
    });
    let second: Promise<unknown> | undefined;
    task.on("stream_chunk", () => {
      second ??= task.run();
    });
    await task.run();
    await second;
    expect(bodies).toBe(2);
  });

  it("a yield after the abort flips ABORTING back to STREAMING", async () => {
    const statuses: TaskStatus[] = [];
    const task = new Streamer(async function* () {
      task.abort();
      yield delta("late");
      yield { type: "finish", data: {} };
    });
    task.on("status", (status) => statuses.push(status));
    await task.run().catch(() => undefined);
    expect(statuses).toEqual(["PROCESSING", "ABORTING", "STREAMING", "ABORTING"]);
  });

  it("a pre-aborted signal never reaches executeStream", async () => {
    let reached = false;
    const task = new Streamer(async function* () {
      reached = true;
      yield { type: "finish", data: {} };
    });
    await task.run({}, { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(reached).toBe(false);
  });

  it("the run's context is cleared at the abort, while executeStream still runs: what it owns then has no signal", async () => {
    const owned = new Upper();
    const task = new Streamer(async function* (_task, context) {
      task.abort();
      await new Promise((resolve) => setImmediate(resolve));
      context.own(owned);
      yield { type: "finish", data: {} };
    });
    await task.run().catch(() => undefined);
    expect(owned.runConfig.signal).toBeUndefined();
  });

  it("with a timeout set, an abort by anybody is called a timeout", async () => {
    const task = new Streamer(
      async function* () {
        task.abort();
        yield { type: "finish", data: {} };
      },
      { timeout: 60_000 },
    );
    await expect(task.run()).rejects.toBeInstanceOf(TaskTimeoutError);
  });

  it("a streaming edge carries every event that is emitted, foreign ones too", async () => {
    const target = new Brackets({ id: "brackets" });
    const source = new AgentTask({
      id: "agent",
      defaults: { prompt: "go", model: answering([TWO_ROUNDS[1], []]), liveText: "live" },
    });
    const heard = hear(source);
    await wire(target, source).run();
    const flip = heard.kinds().indexOf("text-delta");
    expect(target.chunks.slice(0, -1)).toEqual(heard.events().slice(flip));
    expect(target.runOutputData).toEqual({ out: "[It is ][five.]" });
  });
});
