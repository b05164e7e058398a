// The port through which a turn runs tools, and the schema types that a tool may bring.
import type { CallInput, CallLocation, JsonValue } from "./call.ts";
import type { ImageBlock, TextBlock } from "./message.ts";
import type { JsonSchema, ToolSpec } from "./model.ts";

interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type SchemaResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };

/**
 * What Callwire needs of a schema library: Standard Schema v1 with its JSON Schema extension (standardschema.dev).
 * zod 4.2 and later has it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** The arguments' schema: a schema object (zod) or a JSON Schema. */
export type InputSchema = StandardSchema<never, unknown> | StandardSchema | JsonSchema;

/** What `execute` receives for a schema: its parsed output, or a plain object for a JSON Schema. */
export type InferInput<S> = S extends { readonly "~standard": { readonly types?: infer T } }
  ? NonNullable<T> extends { readonly output: infer O }
    ? O
    : CallInput
  : CallInput;

export interface ProgressUpdate {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
  readonly content?: readonly (TextBlock | ImageBlock)[];
}

/** What a tool's body is handed besides its input. */
export interface ToolContext {
  readonly toolCallId: string;
  /** Aborts when the turn is cancelled or the tool's own timeout is over. Made when first read. */
  readonly signal: AbortSignal;
  /** The same for every try at this call: hand it to services that can deduplicate. */
  readonly idempotencyKey: string;
  /** Ms since the epoch at which the tool's own timeout fires; absent without one. */
  readonly deadline?: number;
  /** Reports progress. Ignored after the call settled. */
  progress(update: ProgressUpdate): void;
}

/** A result with more than text. Made by `toolOutput`. */
export interface ToolOutput {
  readonly kind: typeof TOOL_OUTPUT;
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** For the host's own picture; never sent to the model. */
  readonly display?: JsonValue;
  /** The JSON value beside the text. */
  readonly output?: JsonValue;
}

/** Identity of `ToolOutput` across copies of this package. */
export const TOOL_OUTPUT: unique symbol = Symbol.for("callwire.tool-output") as never;

/** A tool's result with text for the model, images, a display value for hosts and a JSON value. */
export function toolOutput(parts: {
  readonly text?: string;
  readonly images?: readonly ImageBlock[];
  readonly display?: JsonValue;
  readonly output?: JsonValue;
}): ToolOutput {
  return { kind: TOOL_OUTPUT, text: parts.text ?? "", images: parts.images ?? [], display: parts.display, output: parts.output };
}

export function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === "object" && value !== null && (value as { readonly kind?: unknown }).kind === TOOL_OUTPUT;
}

/** What to do with a call that was started and has no result when a turn is resumed. */
export type InFlightPolicy = "fail" | "retry" | "ask";

/**
 * A tool as the turn runs it.
 *
 * Contract: `execute` returns a string, a JSON value or a `toolOutput(...)`, or throws; a `ToolCallError` fails in its own
 * words. It should heed `context.signal`; a body that outlasts it is left behind and its late end is ignored. The caller
 * catches whatever `execute`, `title`, `locations`, `requiresApproval` and `concurrencySafe` throw.
 */
// biome-ignore lint/suspicious/noExplicitAny: method bivariance would hide the input's type; `defineTool` gives it back
export interface Tool<Input = any> {
  /** Matches `^[A-Za-z0-9_-]{1,64}$`, unique in a turn. */
  readonly name: string;
  readonly description: string;
  /** Default: an object without properties. */
  readonly input?: InputSchema;
  /** The body; or `"host"`: the result is supplied from outside by id. Absent for tools that name a `taskType` or a `provider`. */
  readonly execute?: ((input: Input, context: ToolContext) => unknown) | "host";
  /** The tool is a task type of Workglow's registry (AgentTask turns it into a body). */
  readonly taskType?: string;
  /** The model's provider runs it. */
  readonly provider?: ToolSpec["provider"];
  /** One line for the card, from the sanitised arguments. */
  readonly title?: string | ((input: CallInput) => string | undefined);
  /** A word for the kind of work, for icons: read, edit, delete, move, search, execute, think, fetch, other ... */
  readonly kind?: string;
  readonly locations?: (input: CallInput) => readonly CallLocation[] | undefined;
  /** A person must allow the call. Default false for function tools. */
  readonly requiresApproval?: boolean | ((input: CallInput) => boolean);
  /** What the tool can touch; shown to the person who is asked. */
  readonly reach?: readonly string[];
  /** May overlap with other calls. Only literal `true` counts. */
  readonly concurrencySafe?: (input: CallInput) => boolean;
  /** Milliseconds. Default: none. */
  readonly timeoutMs?: number;
  /** Schema of the JSON value that the tool returns; checked on success only. */
  readonly outputSchema?: InputSchema;
  /** Default `fail`. */
  readonly inFlight?: InFlightPolicy;
}

export interface ApprovalRequest {
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly input: CallInput;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: readonly CallLocation[];
  readonly reach?: readonly string[];
}

export interface ApprovalResponse {
  readonly answer: "allow" | "deny" | "cancel";
  /** The host remembers an allow for calls like this one. */
  readonly remember?: boolean;
  /** Edited arguments. */
  readonly input?: CallInput;
  /** Who answered. */
  readonly by?: string;
}

/**
 * Asks a person.
 *
 * Contract: `ask` resolves with an answer or rejects; a rejection, an unknown answer or no approver at all means no.
 * When `signal` aborts, the question is withdrawn and a late answer is ignored.
 */
export interface Approver {
  ask(request: ApprovalRequest, options: { readonly signal: AbortSignal }): Promise<ApprovalResponse>;
}
