// The types of tools: execute is typed from the schema, and what does not fit it does not compile.
import { AgentTask, bindTool, defineTool, type ToolEntry } from "@callwire/agent";
import { type Tool, type ToolContext, toolOutput } from "@callwire/wire";
import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";

describe("a function tool", () => {
  it("has the arguments that its zod schema parses to: defaults and transforms applied [P2e, T1d]", () => {
    const tool = defineTool({
      name: "search",
      description: "Searches",
      input: z.object({
        query: z.string(),
        limit: z.number().default(10),
        tag: z.string().optional(),
        since: z.iso.date().transform((date) => new Date(date)),
      }),
      execute: (input, context) => {
        expectTypeOf(input).toEqualTypeOf<{ query: string; limit: number; since: Date; tag?: string | undefined }>();
        expectTypeOf(context).toEqualTypeOf<ToolContext>();
        expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
        return toolOutput({ text: input.query, output: { limit: input.limit } });
      },
    });
    expectTypeOf(tool).toExtend<Tool>();
    expectTypeOf(tool).toExtend<ToolEntry>();
    bindTool(tool);
    new AgentTask({ defaults: { tools: [tool] } });
  });

  it("has a record of unknowns for a JSON Schema, or for none [P2e]", () => {
    defineTool({
      name: "raw",
      description: "",
      input: { type: "object", properties: { a: { type: "number" } } },
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ readonly [key: string]: unknown }>();
        return String(input.a);
      },
    });
    defineTool({
      name: "none",
      description: "",
      execute: (input) => {
        expectTypeOf(input).toEqualTypeOf<{ readonly [key: string]: unknown }>();
        return "";
      },
    });
  });

  it("refuses wrong usage", () => {
    const input = z.object({ a: z.number() });
    // @ts-expect-error: the schema has no member b
    defineTool({ name: "t", description: "", input, execute: ({ b }) => b });
    defineTool({
      name: "t",
      description: "",
      input,
      // @ts-expect-error: a is a number
      execute: ({ a }) => a.toUpperCase(),
    });
    // @ts-expect-error: a tool has a body
    defineTool({ name: "t", description: "", input });
    // @ts-expect-error: a tool has a name
    defineTool({ description: "", input, execute: () => "" });
    defineTool({
      name: "t",
      description: "",
      input,
      execute: (_input, context) => {
        // @ts-expect-error: progress is reported as an object
        context.progress(50);
        return "";
      },
    });
  });
});

describe("the items of the tools port", () => {
  it("are tools, names, task types and named entries", () => {
    expectTypeOf<string>().toExtend<ToolEntry>();
    expectTypeOf<{ readonly taskType: string; readonly name: string; readonly requiresApproval: true }>().toExtend<ToolEntry>();
    expectTypeOf<{ readonly name: string; readonly requiresApproval: true }>().toExtend<ToolEntry>();
    expectTypeOf<number>().not.toExtend<ToolEntry>();
    expectTypeOf<{ readonly description: string }>().not.toExtend<ToolEntry>();
  });
});
