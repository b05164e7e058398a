// T1c: keys that reach into prototypes are dropped once, before anybody sees the arguments.
import { describe, expect, it } from "vitest";
import { playTurn } from "../../kit/turn.ts";
import { seen, tool } from "./cast.ts";

const POLLUTED = `{
  "path": "x",
  "__proto__": { "admin": true },
  "constructor": { "prototype": { "admin": true } },
  "deep": [{ "prototype": 1, "keep": { "__proto__": null, "value": 1 } }]
}`;
const CLEAN = { path: "x", deep: [{ keep: { value: 1 } }] };

describe("prototype keys", () => {
  it("are dropped at any depth, once: event, history and tool get the same [T1c]", async () => {
    const { told, stored, body } = await seen(undefined, POLLUTED);
    expect(JSON.stringify(told)).toBe(JSON.stringify(CLEAN));
    expect(stored).toEqual(CLEAN);
    expect(stored).toBe(told);
    expect(JSON.stringify(body)).toBe(JSON.stringify(CLEAN));
  });

  it("reach no prototype, of the input or of anything [T1c]", async () => {
    const { body } = await seen(undefined, POLLUTED);
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect((body as { readonly admin?: boolean }).admin).toBeUndefined();
    expect(({} as { readonly admin?: boolean }).admin).toBeUndefined();
  });

  it("are seen by no question, title or rule either [T1c]", async () => {
    const inputs: unknown[] = [];
    const note = (input: object) => void inputs.push(input);
    await seen(undefined, POLLUTED, {
      title: note as never,
      locations: note as never,
      requiresApproval: (input) => inputs.push(input) < 0,
    });
    expect(inputs).toHaveLength(3);
    for (const input of inputs) expect(JSON.stringify(input)).toBe(JSON.stringify(CLEAN));
  });

  it("are dropped a hundred levels deep too [T1c]", async () => {
    const text = `${'{"a":'.repeat(100)}{"__proto__":{"admin":true},"end":1}${"}".repeat(100)}`;
    const { told, ran } = await seen(undefined, text);
    expect(JSON.stringify(told)).toBe(text.replace('"__proto__":{"admin":true},', ""));
    expect(ran).toBe(true);
  });

  it("deeper than the stack end the turn in words [T1c, T8g]", async () => {
    let input: object = JSON.parse('{"__proto__": 1}');
    for (let level = 0; level < 100_000; level++) input = { a: input };
    const model = {
      name: "m",
      run: async () => ({ stop: "end" as const, calls: [{ slot: 0, id: "a", name: "t", input: input as never }] }),
    };
    const { result, calls } = await playTurn({ model, tools: [tool("t", () => "ok")] });
    expect(calls).toEqual({});
    expect(result).toMatchObject({ stopReason: "error", error: { code: "MALFORMED_RESPONSE" } });
  });

  it("are no reason to copy an input that has none [T1c]", async () => {
    const input = { path: "x" };
    const model = {
      name: "m",
      run: async ({ round }: { readonly round: number }) => ({
        stop: "end" as const,
        calls: round > 1 ? [] : [{ slot: 0, id: "a", name: "t", input }],
      }),
    };
    const { event } = await playTurn({ model, tools: [tool("t", () => "ok")] });
    expect(event("a", "pending").input).toBe(input);
  });
});
