// The scripted model: what it pushes and when, how it ends, and what it refuses.
import type { ModelSink } from "@callwire/wire";
import { manualClock, type Script, scriptedModel } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { countedSignal } from "../kit/signals.ts";
import { ask, REQUEST, RecordingSink } from "./sink.ts";

const end = (...script: Script) => ask(scriptedModel(script)).end;

describe("a scripted model's answer", () => {
  it("pushes its steps in order, before anything is awaited", () => {
    const { sink } = ask(
      scriptedModel([[{ reasoning: "hm" }, { text: "a" }, { call: { id: "c", name: "n", args: { a: 1 } } }, { text: "b" }]]),
    );
    expect(sink.pushed).toEqual([
      ["reasoning", "hm"],
      ["text", "a"],
      ["call", 0, "c", "n"],
      ["fragment", 0, '{"a":1}'],
      ["text", "b"],
    ]);
  });

  it("ends by itself with the calls in order", async () => {
    expect(await end([{ text: "a" }])).toEqual({ stop: "end", calls: [] });
    expect(
      await end([{ call: { id: "a", name: "n", args: { x: [1] } } }, { call: { id: "b", name: "m", slot: "s", payload: 7 } }]),
    ).toEqual({
      stop: "tool-calls",
      calls: [
        { slot: 0, id: "a", name: "n", input: { x: [1] } },
        { slot: "s", id: "b", name: "m", input: {}, payload: 7 },
      ],
    });
  });

  it("ends as a stop step says", async () => {
    const usage = { inputTokens: 1 };
    expect(await end([{ stop: "length", native: "max_tokens", usage }])).toEqual({
      stop: "length",
      native: "max_tokens",
      usage,
      calls: [],
    });
  });

  it("cuts argument text into pieces of the given size", () => {
    const { sink } = ask(scriptedModel([[{ call: { id: "c", name: "n", argsText: '{"a":1}', fragment: 3 } }]]));
    expect(sink.pushed.slice(1)).toEqual([
      ["fragment", 0, '{"a'],
      ["fragment", 0, '":1'],
      ["fragment", 0, "}"],
    ]);
  });

  it("needs no sink that looks at argument text", async () => {
    const quiet: ModelSink = { text() {}, reasoning() {}, call() {}, providerCall() {}, restart() {} };
    const model = scriptedModel([[{ call: { id: "c", name: "n", args: {} } }]]);
    await expect(model.run(REQUEST, quiet, { signal: new AbortController().signal })).resolves.toMatchObject({
      stop: "tool-calls",
    });
  });

  it("shows a late, an unnamed and an id-less call only at its end", async () => {
    const model = scriptedModel([
      [{ call: { id: "a", name: "n", early: false } }, { call: { id: "b" } }, { call: { name: "n" } }],
    ]);
    const { sink, end } = ask(model);
    expect(sink.pushed).toEqual([]);
    expect((await end).calls).toEqual([
      { slot: 0, id: "a", name: "n", input: {} },
      { slot: 1, id: "b", input: {} },
      { slot: 2, name: "n", input: {} },
    ]);
  });

  it("decodes argument text strictly", async () => {
    const callOf = async (argsText: string) => (await end([{ call: { id: "c", name: "n", argsText } }])).calls[0];
    for (const empty of ["", "  ", "null"]) expect(await callOf(empty)).toMatchObject({ input: {} });
    expect(await callOf('"{\\"a\\":1}"')).toMatchObject({ input: { a: 1 } });
    expect(await callOf('{"a":1}  ')).toMatchObject({ input: { a: 1 } });
    for (const cut of ['{"a":', "{a:1}", '{"a":1}}', "undefined"]) {
      expect(await callOf(cut)).toMatchObject({ problem: { code: "invalid-json" } });
      expect(await callOf(cut)).not.toHaveProperty("input");
    }
    for (const root of ["[1]", "1", "true", '"text"'])
      expect(await callOf(root)).toMatchObject({ problem: { code: "not-an-object" } });
  });

  it("gives a call the problem that the script names", async () => {
    const problem = { code: "identity-conflict", message: "two ids in slot 0" } as const;
    expect((await end([{ call: { id: "c", name: "n", problem } }])).calls).toEqual([{ slot: 0, id: "c", name: "n", problem }]);
  });

  it("begins anew after a restart", async () => {
    const { sink, end } = ask(
      scriptedModel([[{ call: { id: "a", name: "n" } }, { restart: true }, { call: { id: "b", name: "n" } }]]),
    );
    expect(sink.pushed).toEqual([["call", 0, "a", "n"], ["restart"], ["call", 0, "b", "n"]]);
    expect((await end).calls).toEqual([{ slot: 0, id: "b", name: "n", input: {} }]);
  });

  it("plays calls that the provider runs, with their reports and results", async () => {
    const model = scriptedModel([
      [
        { providerCall: { id: "w", name: "web", args: { q: 1 }, result: "found" } },
        { providerProgress: { id: "w", progress: 1, message: "half" } },
        { providerCall: { id: "p", name: "web" } },
        { stop: "pause" },
      ],
    ]);
    const { sink, end } = ask(model);
    expect(sink.pushed).toEqual([
      ["providerCall", 0, "w", "web"],
      ["providerCall", 0, "w", "web", { progress: 1, message: "half" }],
      ["providerCall", 1, "p", "web"],
    ]);
    expect(await end).toEqual({
      stop: "pause",
      calls: [
        {
          slot: 0,
          id: "w",
          name: "web",
          input: { q: 1 },
          providerExecuted: true,
          result: { content: [{ type: "text", text: "found" }] },
        },
        { slot: 1, id: "p", name: "web", input: {}, providerExecuted: true },
      ],
    });
  });
});

describe("a scripted model's time", () => {
  it("waits on the given clock", async () => {
    const clock = manualClock();
    const { sink, end } = ask(scriptedModel([[{ text: "a" }, { wait: 50 }, { text: "b" }]], { clock }));
    await clock.advance(49);
    expect(sink.pushed).toEqual([["text", "a"]]);
    await clock.advance(1);
    expect(sink.pushed).toEqual([
      ["text", "a"],
      ["text", "b"],
    ]);
    await end;
  });

  it("refuses a script that waits without a clock", () => {
    expect(() => scriptedModel([[{ wait: 1 }]])).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });

  for (const steps of [
    [{ wait: 50 }, { text: "late" }],
    [{ hang: true as const }, { text: "late" }],
  ]) {
    it(`stops when the request is aborted in ${JSON.stringify(steps[0])}, and leaves no listener`, async () => {
      const clock = manualClock();
      const { signal, abort, listeners } = countedSignal();
      const { sink, end } = ask(scriptedModel([steps], { clock }), {}, signal);
      abort(new Error("enough"));
      await expect(end).rejects.toMatchObject({ name: "ModelError", code: "TURN_CANCELLED", cause: new Error("enough") });
      expect(sink.pushed).toEqual([]);
      expect(listeners()).toBe(0);
    });
  }

  it("reads the signal only where it waits", async () => {
    const options = {
      get signal(): AbortSignal {
        throw new Error("read");
      },
    };
    const sink = new RecordingSink();
    await expect(scriptedModel([[{ text: "a" }, { stop: "end" }]]).run(REQUEST, sink, options)).resolves.toMatchObject({
      stop: "end",
    });
  });

  it("plays steps after its stop too late, and nobody hears of their errors", async () => {
    const { sink, end } = ask(scriptedModel([[{ text: "a" }, { stop: "end" }, { text: "late" }, { error: {} }]]));
    expect(await end).toMatchObject({ stop: "end" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sink.pushed).toEqual([
      ["text", "a"],
      ["text", "late"],
    ]);
  });
});

describe("a scripted model's failures", () => {
  it("breaks as the script says", async () => {
    const error = { code: "MODEL_RATE_LIMIT", message: "slow down", retryable: true, retryAfterMs: 5, status: 429 } as const;
    await expect(end([{ text: "a" }, { error }])).rejects.toMatchObject({ name: "ModelError", ...error });
    await expect(end([{ error: {} }])).rejects.toMatchObject({ code: "MODEL_SERVER", retryable: false });
    await expect(end([{ error: { plain: true, message: "boom" } }])).rejects.toMatchObject({ name: "Error", message: "boom" });
  });

  it("answers the n-th request with the n-th answer, attempts included, and says when there is none left", async () => {
    const model = scriptedModel([{ attempts: [[{ error: {} }], [{ text: "again" }]] }, [{ text: "last" }]]);
    await expect(ask(model).end).rejects.toMatchObject({ code: "MODEL_SERVER" });
    for (const text of ["again", "last"]) expect(ask(model).sink.pushed).toEqual([["text", text]]);
    expect(model.remaining).toBe(0);
    await expect(ask(model).end).rejects.toMatchObject({
      name: "ModelError",
      code: "MODEL_FAILED",
      message: expect.stringContaining("request 4"),
    });
  });

  const call = { type: "tool_use", id: "a", name: "n", input: {} } as const;
  const unanswered = [...REQUEST.messages, { id: "m", role: "assistant", content: [call] } as const];

  it("refuses a request that a provider would refuse, before it answers", async () => {
    const model = scriptedModel([[{ text: "a" }]]);
    const { sink, end } = ask(model, { messages: unanswered });
    await expect(end).rejects.toMatchObject({
      code: "MODEL_REQUEST",
      status: 400,
      retryable: false,
      message: expect.stringContaining("without a result: a"),
    });
    expect(sink.pushed).toEqual([]);
    expect(model.remaining).toBe(1);
    await expect(ask(model, { messages: [] }).end).rejects.toMatchObject({ code: "MODEL_REQUEST" });
    const tool = { name: "n", description: "", inputSchema: {} };
    await expect(ask(model, { tools: [tool, tool] }).end).rejects.toMatchObject({ code: "MODEL_REQUEST" });
    await expect(ask(scriptedModel([[]], { validate: false }), { messages: unanswered }).end).resolves.toMatchObject({
      stop: "end",
    });
  });

  it("takes a request with a call that the provider itself has open", async () => {
    const open = [...REQUEST.messages, { id: "m", role: "assistant", content: [{ ...call, providerExecuted: true }] } as const];
    await expect(ask(scriptedModel([[]]), { messages: open }).end).resolves.toMatchObject({ stop: "end" });
  });

  it("remembers facts of each request, not the transcript", async () => {
    const model = scriptedModel([[]], { name: "m" });
    await ask(model, { system: "s", round: 3, attempt: 2, tools: [{ name: "n", description: "", inputSchema: {} }] }).end;
    expect(model.name).toBe("m");
    expect(model.requests).toEqual([{ round: 3, attempt: 2, system: true, messages: 1, lastRole: "user", tools: ["n"] }]);
  });
});
