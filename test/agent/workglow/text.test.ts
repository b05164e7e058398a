// The settled `text` is exact whatever stands behind the agent; what leaves on a streaming edge is never withdrawn.
import { AgentTask, type AgentTaskOutput } from "@callwire/agent";
import type { ScriptRound, ScriptStep } from "@callwire/wire/testing";
import { Dataflow, GraphAsTask, type ITask, TaskGraph } from "@workglow/task-graph";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, answering, hear } from "./kit.ts";
import { Brackets, Upper } from "./tasks.ts";

type LiveText = "auto" | "settled" | "live";

const call = (id: string): ScriptStep => ({ call: { id, name: "add", args: { a: 1 } } });

/** Streamed in pieces, begun anew, silent, in one piece. */
const MIXED: readonly ScriptRound[] = [
  [{ text: "a" }, { text: "b" }, call("c1")],
  [{ text: "WRONG" }, call("c2"), { restart: true }, { text: "c" }, { text: "d" }, call("c3")],
  [call("c4")],
  [{ text: "e" }],
];

function agent(script: readonly ScriptRound[], liveText?: LiveText): AgentTask {
  return new AgentTask({ id: "agent", defaults: { prompt: "go", model: answering(script), tools: [add], liveText } });
}

function wire(source: AgentTask, targets: readonly ITask[], ports: readonly [string, string] = ["text", "text"]): TaskGraph {
  const graph = new TaskGraph();
  graph.addTask(source);
  for (const target of targets) {
    graph.addTask(target);
    graph.addDataflow(new Dataflow(source.id, ports[0], target.id, ports[1]));
  }
  return graph;
}

const deltasOf = (heard: ReturnType<typeof hear>) =>
  heard.events().flatMap((event) => (event.type === "text-delta" ? [event.textDelta] : []));

describe("the settled text", () => {
  it("is all accepted text, alone, live by default [T4a, T4d]", async () => {
    const task = agent(MIXED);
    const heard = hear(task);
    expect((await task.run()).text).toBe("abcde");
    expect(deltasOf(heard)).toEqual(["a", "b", "WRONG", "c", "d", "e"]);
  });

  it("reaches a task that needs it whole, while it streams live to hosts [T4d]", async () => {
    const source = agent(MIXED);
    const heard = hear(source);
    const [result] = await wire(source, [new Upper({ id: "upper" })]).run();
    expect(result?.data).toEqual({ upper: "ABCDE" });
    expect(deltasOf(heard)).toContain("WRONG");
  });

  it("reaches a streaming task per accepted attempt [T4e]", async () => {
    const source = agent(MIXED);
    const heard = hear(source);
    const [result] = await wire(source, [new Brackets({ id: "brackets" })]).run();
    expect(result?.data).toEqual({ out: "[ab][cd][e]" });
    expect(deltasOf(heard)).toEqual(["ab", "cd", "e"]);
    expect(source.runOutputData.text).toBe("abcde");
  });

  it("reaches a streaming and a materialising task at once [T4e]", async () => {
    const results = await wire(agent(MIXED), [new Brackets({ id: "brackets" }), new Upper({ id: "upper" })]).run();
    expect(results.map(({ data }) => data)).toEqual(expect.arrayContaining([{ out: "[ab][cd][e]" }, { upper: "ABCDE" }]));
  });

  it("is held by the option alone too [T4e]", async () => {
    const task = agent(MIXED, "settled");
    const heard = hear(task);
    expect((await task.run()).text).toBe("abcde");
    expect(deltasOf(heard)).toEqual(["ab", "cd", "e"]);
  });

  it("reaches a streaming task live when the host asks for it [T4e]", async () => {
    const source = agent(MIXED, "live");
    const [result] = await wire(source, [new Brackets({ id: "brackets" })]).run();
    expect(result?.data).toEqual({ out: "[a][b][WRONG][c][d][e]" });
    expect(source.runOutputData.text).toBe("abcde");
  });

  it("is held where an edge carries all ports into a streaming text port [T4e]", async () => {
    const source = agent(MIXED);
    const heard = hear(source);
    await wire(source, [new Brackets({ id: "brackets" })], ["*", "*"]).run();
    expect(deltasOf(heard)).toEqual(["ab", "cd", "e"]);
  });

  it("streams live past an edge that carries another port [T4d]", async () => {
    const source = agent(MIXED);
    const heard = hear(source);
    await wire(source, [new Brackets({ id: "brackets" })], ["stopReason", "text"]).run();
    expect(deltasOf(heard)).toContain("WRONG");
  });

  it("survives the accumulation of a group around the agent [T4e]", async () => {
    const group = new GraphAsTask({ id: "group", subGraph: wire(agent(MIXED), []) });
    const heard = hear(group);
    expect(await group.run({ prompt: "go" })).toMatchObject({ text: "abcde" });
    expect(deltasOf(heard)).toEqual(["ab", "cd", "e"]);
  });

  it("reaches a streaming task behind the group", async () => {
    const graph = new TaskGraph();
    graph.addTask(new GraphAsTask({ id: "group", subGraph: wire(agent(MIXED), []) }));
    graph.addTask(new Brackets({ id: "brackets" }));
    graph.addDataflow(new Dataflow("group", "text", "brackets", "text"));
    const [result] = await graph.run({ prompt: "go" });
    expect(result?.data).toEqual({ out: "[ab][cd][e]" });
  });

  it("keeps what a cut answer said, on every path [T4c]", async () => {
    const cut: readonly ScriptRound[] = [
      [{ text: "a" }, call("c1")],
      [{ text: "b" }, call("c2"), { stop: "length" }],
    ];
    const [streamed] = await wire(agent(cut), [new Brackets({ id: "brackets" })]).run();
    expect(streamed?.data).toEqual({ out: "[a][b]" });
    const [whole] = await wire(agent(cut), [new Upper({ id: "upper" })]).run();
    expect(whole?.data).toEqual({ upper: "AB" });
  });

  it("reaches a streaming task of a turn that never streamed", async () => {
    const source = agent([[call("c1")], [{ stop: "end" }]]);
    const [result] = await wire(source, [new Brackets({ id: "brackets" })]).run();
    expect(result?.data).toEqual({ out: "whole:" });
  });
});

/** A round: pieces, perhaps withdrawn by a restart, then the accepted pieces; all but the last round make a call. */
const rounds = fc.array(
  fc.record({
    withdrawn: fc.option(fc.array(fc.constantFrom("x", "yy"), { minLength: 1, maxLength: 2 })),
    pieces: fc.array(fc.constantFrom("", "a", "bc", "ü"), { maxLength: 3 }),
    callFirst: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

describe("the settled text in any mix of rounds", () => {
  it("is the concatenation of what was accepted, on every path [T4a, T4e]", async () => {
    const paths: readonly ((source: AgentTask) => Promise<string>)[] = [
      async (source) => (await source.run()).text,
      async (source) => String((await wire(source, [new Upper({ id: "u" })]).run())[0]?.data.upper).toLowerCase(),
      async (source) =>
        String((await wire(source, [new Brackets({ id: "b" })]).run())[0]?.data.out).replace(/\[|\]|^whole:/g, ""),
      async (source) => ((await new GraphAsTask({ subGraph: wire(source, []) }).run({ prompt: "go" })) as AgentTaskOutput).text,
    ];
    await fc.assert(
      fc.asyncProperty(rounds, async (plan) => {
        const script = plan.map(({ withdrawn, pieces, callFirst }, round): ScriptRound => {
          const texts = pieces.map((text) => ({ text }));
          const calls = round < plan.length - 1 ? [call(`c${round}`)] : [];
          const dropped = withdrawn === null ? [] : [...withdrawn.map((text) => ({ text })), { restart: true as const }];
          return [...dropped, ...(callFirst ? [...calls, ...texts] : [...texts, ...calls])];
        });
        const accepted = plan.flatMap(({ pieces }) => pieces).join("");
        for (const path of paths) {
          const source = agent(script);
          hear(source);
          expect(await path(source)).toBe(accepted);
          expect(source.runOutputData.text).toBe(accepted);
        }
      }),
      { numRuns: 30 },
    );
  });
});
