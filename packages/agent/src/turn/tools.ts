// Tools made ready for a turn: names checked, schemas turned into what the model reads and what validates its arguments.
import {
  CallwireError,
  errorMessage,
  type InputSchema,
  type JsonSchema,
  type StandardSchema,
  type Tool,
  type ToolSpec,
} from "@callwire/wire";
import * as z from "zod";

/** Arguments that passed the schema (`value` has its defaults and transforms), or what is wrong with them. */
export type Validated = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly details: string };

export interface ReadyTool {
  readonly tool: Tool;
  readonly spec: ToolSpec;
  validate(input: unknown): Validated | Promise<Validated>;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const NO_ARGUMENTS: JsonSchema = { type: "object", properties: {}, additionalProperties: true };
const MAX_ISSUES = 8;

// Tools outlive turns: compiling a schema once per tool is what keeps a turn's start cheap.
const ready = new WeakMap<Tool, ReadyTool>();

function isStandard(schema: InputSchema): schema is StandardSchema {
  return typeof (schema as { readonly "~standard"?: unknown })["~standard"] === "object";
}

function invalid(name: string, what: string, cause?: unknown): CallwireError {
  return new CallwireError("INVALID_TOOL", `Tool "${name}": ${what}`, cause === undefined ? undefined : { cause });
}

function jsonSchemaOf(name: string, schema: StandardSchema): JsonSchema {
  const convert = schema["~standard"].jsonSchema;
  if (convert === undefined) {
    throw invalid(
      name,
      `its ${schema["~standard"].vendor} schema cannot tell its JSON Schema; use zod 4.2 or later, or a JSON Schema.`,
    );
  }
  try {
    return convert.input({ target: "draft-2020-12" });
  } catch (error) {
    throw invalid(name, `its schema has no JSON Schema: ${errorMessage(error)}`, error);
  }
}

function validatorOf(name: string, schema: JsonSchema): StandardSchema {
  // zod resolves `definitions` in old drafts only, and `$defs` in new ones only; what a schema says of its draft is often wrong.
  const defaultTarget = "definitions" in schema && !("$defs" in schema) ? "draft-7" : "draft-2020-12";
  try {
    return z.fromJSONSchema(requiredDeclared(schema), { defaultTarget }) as StandardSchema;
  } catch (error) {
    throw invalid(name, `its JSON Schema cannot be used: ${errorMessage(error)}`, error);
  }
}

/** zod checks `required` only for declared properties; JSON Schema means all of them. */
function requiredDeclared(schema: JsonSchema): Parameters<typeof z.fromJSONSchema>[0] {
  const { required, properties } = schema as { readonly required?: unknown; readonly properties?: object };
  if (!Array.isArray(required)) return schema;
  const declared = Object.fromEntries(required.map((key) => [String(key), {}]));
  return { ...schema, properties: { ...declared, ...properties } };
}

function asObject(name: string, schema: JsonSchema): JsonSchema {
  if (schema.type !== "object") {
    throw invalid(
      name,
      `its input schema is ${JSON.stringify(schema.type ?? "without a type")}; the arguments of a tool are an object.`,
    );
  }
  const { $schema: _, ...rest } = schema;
  return rest.properties === undefined ? { ...rest, properties: {} } : rest;
}

function wordsOf(result: {
  readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[];
}): string {
  const words = result.issues.slice(0, MAX_ISSUES).map(({ message, path }) => {
    const at = (path ?? [])
      .map((part) => String(typeof part === "object" && part !== null ? (part as { key: unknown }).key : part))
      .join(".");
    return at === "" ? message : `${at}: ${message}`;
  });
  const more = result.issues.length - words.length;
  return words.join("; ") + (more > 0 ? `; and ${more} more` : "");
}

type SchemaResult = Awaited<ReturnType<StandardSchema["~standard"]["validate"]>>;

// Not `instanceof`: a promise of another library or realm, taken for a result, would pass for arguments without a problem.
function isThenable(result: SchemaResult | PromiseLike<SchemaResult>): result is PromiseLike<SchemaResult> {
  return typeof (result as { readonly then?: unknown } | null | undefined)?.then === "function";
}

function verdict(result: SchemaResult): Validated {
  return result.issues === undefined ? { ok: true, value: result.value } : { ok: false, details: wordsOf(result) };
}

function compile(tool: Tool): ReadyTool {
  const { name } = tool;
  if (typeof name !== "string" || !NAME.test(name)) {
    throw invalid(String(name), "a tool's name is 1 to 64 letters, digits, underscores or hyphens.");
  }
  if (tool.execute === "host") throw invalid(name, "tools whose result the host supplies are not supported by this version.");
  if (typeof tool.execute !== "function" && tool.provider === undefined) {
    const why = tool.taskType === undefined ? "it has no `execute` function" : "a task tool needs an AgentTask to run it";
    throw invalid(name, `${why}.`);
  }
  const given = tool.input ?? NO_ARGUMENTS;
  const standard = isStandard(given);
  const inputSchema = asObject(name, standard ? jsonSchemaOf(name, given) : (given as JsonSchema));
  const { validate } = (standard ? given : validatorOf(name, inputSchema))["~standard"];
  const spec: ToolSpec = { name, description: tool.description ?? "", inputSchema, provider: tool.provider };
  return {
    tool,
    spec,
    validate(input) {
      const result = validate(input);
      return isThenable(result) ? Promise.resolve(result).then(verdict) : verdict(result);
    },
  };
}

/** Checks and compiles the tools of a turn, in the order given. Throws `INVALID_TOOL` or `DUPLICATE_TOOL`. */
export function readyTools(tools: readonly Tool[]): ReadonlyMap<string, ReadyTool> {
  const byName = new Map<string, ReadyTool>();
  for (const tool of tools) {
    if (typeof tool !== "object" || tool === null)
      throw invalid(String(tool), "a tool is an object with a name and an `execute` function.");
    let entry = ready.get(tool);
    if (entry === undefined) {
      entry = compile(tool);
      ready.set(tool, entry);
    }
    if (byName.has(tool.name)) {
      throw new CallwireError("DUPLICATE_TOOL", `Two tools are named "${tool.name}"; names are unique in a turn.`);
    }
    byName.set(tool.name, entry);
  }
  return byName;
}
