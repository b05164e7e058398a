// T5 without retry: what becomes of an answer that is cut, refused or malformed. Nothing is repaired into something executable.
import type { CallProblem, ModelStop } from "@callwire/wire";
import type { ScriptStep } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

const good = call("g", "echo", { say: "fine" });
const raw = (id: string, argsText: string, more: object = {}) => call(id, "t", {}, { args: undefined, argsText, ...more });
const problem = (code: CallProblem["code"], message: string) => ({ args: undefined, problem: { code, message } });
const identityConflict = call("x", "t", {}, problem("identity-conflict", "One tool call came with two ids."));
const nameless = {
  call: { id: "n", args: { a: 1 }, problem: { code: "nameless", message: "A tool call came without a name." } },
} as const;

/** Plays one answer and counts the bodies that ran. */
async function play(...steps: readonly ScriptStep[]) {
  const bodies: unknown[] = [];
  const t = tool("t", (input) => bodies.push(input));
  const turn = await playTurn({ script: oneRound(...steps), tools: [t, echo] });
  return { ...turn, bodies };
}

describe.each<[ModelStop, string, string]>([
  ["length", "length", "truncated"],
  ["refusal", "refusal", "refused"],
])("an answer that stops with %s", (stop, stopReason, reason) => {
  it("discards the whole batch, complete calls included [T5a, T5b, row-9]", async () => {
    const { calls, bodies, result, requests, event } = await play(good, raw("b", '{"half'), raw("c", "{}", { early: false }), {
      stop,
    });
    expect(calls).toEqual({ g: "preparing discarded", b: "preparing discarded" });
    expect(event("g", "discarded").reason).toBe(reason);
    expect(bodies).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({ stopReason, rounds: 0 });
    expect(result.error).toBeUndefined();
  });

  it("ends the turn so even without calls, with its text kept [T5a, T5b, T12a]", async () => {
    const { result, added } = await play({ text: "Once upon a" }, { stop });
    expect(result).toMatchObject({ stopReason, text: "Once upon a" });
    expect(added.at(-1)).toMatchObject({ partial: true });
  });

  it("wins over malformed calls [T5a, T5b]", async () => {
    const { result, calls } = await play(nameless, identityConflict, { stop });
    expect(result.stopReason).toBe(stopReason);
    expect(calls).toEqual({ x: "preparing discarded" });
  });

  it("counts what it used [E0c]", async () => {
    const { result, ofType } = await playTurn({
      script: [[good, { stop, usage: { inputTokens: 3, outputTokens: 4 } }]],
      tools: [echo],
    });
    expect(result.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
    expect(ofType("round-usage")[0]?.attempts).toEqual([{ n: 1, ms: 0, prepared: ["echo"], reason }]);
  });
});

describe("a named call whose arguments cannot be used", () => {
  it.each([
    ["text that is cut", '{"path": "/etc', /not valid JSON/],
    ["text that is no JSON", "path=/etc", /not valid JSON/],
    ["JSON with more behind it", "{} {}", /not valid JSON/],
    ["a list", "[1]", /array/],
    ["a number", "5", /number/],
    ["a string that holds no object", '"rm"', /string/],
  ])("is announced with the problem and fails with it: %s [T5c, T5h, row-11]", async (_, text, says) => {
    const { calls, event, bodies } = await play(raw("a", text));
    expect(calls).toEqual({ a: "preparing pending running failed" });
    expect(event("a", "pending")).toMatchObject({ input: {}, inputProblem: expect.stringMatching(says) });
    expect(event("a", "failed")).toMatchObject({ reason: "invalid-arguments", executed: "no" });
    expect(event("a", "failed").result).toBe(`Invalid arguments for t: ${event("a", "pending").inputProblem}`);
    expect(bodies).toEqual([]);
  });

  it("does not keep its good siblings from running, in the model's order [T5c, row-11]", async () => {
    const { words, event, added } = await play(good, raw("b", "{"), call("c", "t", { n: 1 }));
    const life = words.filter((word) => /^(pending|running|completed|failed)/.test(word));
    const run = ["running g", "completed g", "running b", "failed b", "running c", "completed c"];
    expect(life).toEqual(["pending g", "pending b", "pending c", ...run]);
    expect(event("g", "completed").result).toBe("fine");
    expect(added[2]).toMatchObject({ content: [{ tool_use_id: "g" }, { tool_use_id: "b" }, { tool_use_id: "c" }] });
  });

  it("lets the model try again in the next round [T5c]", async () => {
    const { result, requests } = await play(raw("a", "{"));
    expect(result).toMatchObject({ stopReason: "answered", text: "Done." });
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: [{ tool_use_id: "a", is_error: true }] });
  });

  it("of an unknown tool is told of its arguments first [T5c]", async () => {
    const { event } = await playTurn({ script: oneRound(raw("a", "{")) });
    expect(event("a", "failed").reason).toBe("invalid-arguments");
  });
});

describe("an answer that nobody can trust", () => {
  it.each([
    ["a nameless call", [good, nameless], /without a name/],
    ["a nameless call without a stated problem", [good, { call: { id: "n", args: {} } }], /without a name/],
    ["a call with an empty name", [good, call("e", "")], /without a name/],
    ["an identity conflict", [good, identityConflict], /two ids/],
    [
      "a malformed stop",
      [good, { stop: "malformed" as const, native: "MALFORMED_FUNCTION_CALL" }],
      /malformed \(MALFORMED_FUNCTION_CALL\)/,
    ],
    ["a malformed stop that quotes a call's problem", [raw("b", "["), { stop: "malformed" as const }], /not valid JSON/],
  ])("runs nothing: %s [T5d, T5e, row-10]", async (_, steps, says) => {
    const { calls, bodies, result, added, requests } = await play({ text: "So: " }, ...(steps as readonly ScriptStep[]));
    for (const life of Object.values(calls)) expect(life).toBe("preparing discarded");
    expect(bodies).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(result).toMatchObject({
      stopReason: "error",
      text: "",
      error: { code: "MALFORMED_RESPONSE", message: expect.stringMatching(says) },
    });
    expect(added.map(({ role }) => role)).toEqual(["user"]);
  });

  it("may also be one that is no answer at all [T5d, T8g]", async () => {
    for (const calls of [[null], ["a"], [5]] as never[]) {
      const odd = { name: "odd", run: async () => ({ stop: "tool-calls" as const, calls }) };
      const { result } = await playTurn({ model: odd });
      expect(result).toMatchObject({ stopReason: "error", error: { code: "MALFORMED_RESPONSE" } });
    }
  });
});

describe("decoding is no repair", () => {
  it.each([
    ["empty text", ""],
    ["blank text", "  \n"],
    ["null", "null"],
  ])("%s is {} [T5f]", async (_, text) => {
    const { bodies, event } = await play(raw("a", text));
    expect(bodies).toEqual([{}]);
    expect(event("a", "pending")).not.toHaveProperty("inputProblem");
  });

  it("a JSON string whose whole text is an object is that object [T5g]", async () => {
    const { bodies } = await play(raw("a", JSON.stringify('{"n": 1}')));
    expect(bodies).toEqual([{ n: 1 }]);
  });

  it("a value that an adapter lets through as arguments must be an object [T5c]", async () => {
    for (const input of [[1], "x", 5, null, undefined]) {
      const odd = {
        name: "odd",
        run: async ({ round }: { readonly round: number }) => ({
          stop: "end" as const,
          calls: round > 1 ? [] : [{ slot: 0, id: "a", name: "t", input: input as never }],
        }),
      };
      const { event } = await playTurn({ model: odd, tools: [tool("t", () => "ran")] });
      expect(event("a", "pending")).toMatchObject({ input: {}, inputProblem: "The arguments are not a JSON object." });
      expect(event("a", "failed").executed).toBe("no");
    }
  });
});
