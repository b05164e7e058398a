// T1d, P2e: arguments meet their schema. Its defaults and transforms are for the body alone.
import { defineTool } from "@callwire/agent/turn";
import type { InputSchema } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { seen, tool } from "./cast.ts";

describe("a zod schema", () => {
  const schema = z.object({
    n: z.coerce.number().default(7),
    text: z.string().transform((value) => value.toUpperCase()),
  });

  it("gives its defaults and transforms to execute alone [T1d, P2e]", async () => {
    const { told, stored, body } = await seen(schema, '{"text": "hi", "extra": 1}');
    expect(told).toEqual({ text: "hi", extra: 1 });
    expect(stored).toEqual({ text: "hi", extra: 1 });
    expect(body).toEqual({ text: "HI", n: 7 });
  });

  it("is told to the model as what it takes, not as what it makes [T1d, P2e]", async () => {
    const { requests } = await playTurn({ tools: [tool("t", () => "ok", { input: schema })] });
    const spec = requests[0]?.tools[0];
    expect(spec).toMatchObject({ name: "t", description: "t", inputSchema: { type: "object", required: ["text"] } });
    expect(spec?.inputSchema).not.toHaveProperty("$schema");
    expect(spec?.inputSchema.properties).toHaveProperty("text", { type: "string" });
  });

  it("that throws while it checks refuses the call [fail-invalid-arguments]", async () => {
    const broken = z.object({}).refine(() => {
      throw new Error("the rule is broken");
    });
    const { event, ran } = await seen(broken, "{}");
    expect(ran).toBe(false);
    expect(event("a", "failed")).toMatchObject({
      reason: "invalid-arguments",
      result: "Invalid arguments for t: the rule is broken",
    });
  });

  it("may check asynchronously, and may fail so [T1e, fail-invalid-arguments]", async () => {
    const slowly = z.object({ n: z.number() }).refine(async ({ n }) => n > 1, "too small");
    expect((await seen(slowly, '{"n": 2}')).body).toEqual({ n: 2 });
    expect((await seen(slowly, '{"n": 1}')).event("a", "failed").result).toBe("Invalid arguments for t: too small");
  });

  it("types the body's input [P2e]", async () => {
    const t = defineTool({ name: "t", description: "", input: z.object({ n: z.number() }), execute: ({ n }) => n.toFixed(1) });
    const { event } = await playTurn({ script: oneRound(call("a", "t", { n: 2 })), tools: [t] });
    expect(event("a", "completed").result).toBe("2.0");
  });
});

describe("a schema of another library", () => {
  const standard = (validate: (value: unknown) => unknown) =>
    ({
      "~standard": {
        version: 1,
        vendor: "test",
        validate,
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    }) as InputSchema;

  it("may answer with a promise of its own kind [T1e, P2e]", async () => {
    // biome-ignore lint/suspicious/noThenProperty: that is what is tested
    const later = (result: object) => ({ then: (resolve: (value: object) => void) => resolve(result) });
    const refused = await seen(
      standard(() => later({ issues: [{ message: "no", path: [{ key: "a" }, 0] }] })),
      '{"a": [1]}',
    );
    expect(refused.ran).toBe(false);
    expect(refused.event("a", "failed").result).toBe("Invalid arguments for t: a.0: no");
    expect(
      (
        await seen(
          standard(() => later({ value: { made: 1 } })),
          "{}",
        )
      ).body,
    ).toEqual({ made: 1 });
  });

  it("that rejects refuses the call [fail-invalid-arguments]", async () => {
    const { event, ran } = await seen(
      standard(() => Promise.reject(new Error("the rule is broken"))),
      "{}",
    );
    expect(ran).toBe(false);
    expect(event("a", "failed").result).toBe("Invalid arguments for t: the rule is broken");
  });

  it("that answers nonsense refuses the call [fail-invalid-arguments]", async () => {
    for (const nonsense of [undefined, null]) {
      const { event, ran } = await seen(
        standard(() => nonsense),
        "{}",
      );
      expect(ran).toBe(false);
      expect(event("a", "failed").reason).toBe("invalid-arguments");
    }
  });
});

describe("a JSON Schema", () => {
  const schema = {
    type: "object",
    properties: {
      mode: { enum: ["read", "write"] },
      where: { $ref: "#/$defs/place" },
      tags: { type: "array", items: { type: "string" } },
      level: { type: "integer", minimum: 1, default: 3 },
    },
    required: ["mode", "where"],
    $defs: { place: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
  };

  it("lets through what fits, undeclared members included; its defaults are for the body alone [P2e, T1d]", async () => {
    const { body, told } = await seen(schema, '{"mode": "read", "where": {"path": "x", "also": 1}, "more": [1]}');
    expect(body).toEqual({ mode: "read", where: { path: "x", also: 1 }, more: [1], level: 3 });
    expect(told).toEqual({ mode: "read", where: { path: "x", also: 1 }, more: [1] });
  });

  it.each([
    ["a missing member", '{"mode": "read"}', "where"],
    ["a word that is not in the list", '{"mode": "run", "where": {"path": "x"}}', "mode"],
    ["a member behind a reference", '{"mode": "read", "where": {}}', "where.path"],
    ["an item of a list", '{"mode": "read", "where": {"path": "x"}, "tags": ["a", 1]}', "tags.1"],
    ["a number that is too small", '{"mode": "read", "where": {"path": "x"}, "level": 0}', "level"],
  ])("refuses %s, with its place [P2e, fail-invalid-arguments]", async (_, text, place) => {
    const { event, ran } = await seen(schema, text);
    expect(ran).toBe(false);
    expect(event("a", "failed").result).toMatch(new RegExp(`^Invalid arguments for t: ${place.replace(".", "\\.")}: `));
  });

  it("refuses a missing member that it requires without declaring it [P2e]", async () => {
    const { ran } = await seen({ type: "object", required: ["path"] }, "{}");
    expect(ran).toBe(false);
    expect((await seen({ type: "object", required: ["path"] }, '{"path": 1}')).body).toEqual({ path: 1 });
  });

  it("may forbid what it does not declare [P2e]", async () => {
    const closed = { type: "object", properties: { a: {} }, additionalProperties: false };
    expect((await seen(closed, '{"b": 1}')).ran).toBe(false);
    expect((await seen(closed, '{"a": 1}')).ran).toBe(true);
  });

  it.each(["definitions", "$defs"])("may keep its parts under %s, whatever draft it says it is [P2e]", async (parts) => {
    for (const draft of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", undefined]) {
      const properties = { n: { $ref: `#/${parts}/n` } };
      const schema = { $schema: draft, type: "object", properties, [parts]: { n: { type: "number" } } };
      expect((await seen(schema, '{"n": "x"}')).ran).toBe(false);
      expect((await seen(schema, '{"n": 1}')).ran).toBe(true);
    }
  });

  it("may refer to itself [P2e]", async () => {
    const tree = { type: "object", properties: { v: { type: "number" }, next: { $ref: "#" } } };
    expect((await seen(tree, '{"v": 1, "next": {"v": 2}}')).ran).toBe(true);
    expect((await seen(tree, '{"v": 1, "next": {"v": "x"}}')).ran).toBe(false);
  });

  it("is told to the model as it was written, with properties [P2e]", async () => {
    const { requests } = await playTurn({
      tools: [tool("t", () => "ok", { input: schema }), tool("u", () => "ok", { input: { type: "object" } })],
    });
    expect(requests[0]?.tools.map(({ inputSchema }) => inputSchema)).toEqual([schema, { type: "object", properties: {} }]);
  });

  it("may be absent: any object is fine then [P2e]", async () => {
    const { body, requests } = await seen(undefined, '{"anything": [1]}');
    expect(body).toEqual({ anything: [1] });
    expect(requests[0]?.tools[0]?.inputSchema).toMatchObject({ type: "object", properties: {} });
  });
});
