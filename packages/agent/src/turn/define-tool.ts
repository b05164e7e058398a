// Gives a tool's body the type of its arguments.
import type { InferInput, InputSchema, StandardSchema, Tool, ToolContext } from "@callwire/wire";

/** What `defineTool` takes: a `Tool` whose `execute` is typed by its `input` schema. */
export type ToolDefinition<S extends InputSchema> = Omit<Tool, "input" | "execute"> & {
  readonly input?: S;
  readonly execute: (input: InferInput<S>, context: ToolContext) => unknown;
};

/**
 * Defines a function tool. `execute` receives what the schema's parse returns (defaults and transforms applied): typed by a
 * zod schema, a plain object for a JSON Schema or none.
 */
export function defineTool<const S extends InputSchema = StandardSchema<never, { readonly [key: string]: unknown }>>(
  definition: ToolDefinition<S>,
): Tool<InferInput<S>> {
  return new DefinedTool(definition);
}

/** An instance, not a plain object: task graphs clone plain defaults, and a cloned tool would be compiled anew for each clone. */
class DefinedTool implements Tool {
  declare readonly name: string;
  declare readonly description: string;

  constructor(definition: object) {
    Object.assign(this, definition);
  }
}
