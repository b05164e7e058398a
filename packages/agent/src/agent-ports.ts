// The values of AgentTask's ports: their types, which of them are the host's own objects, and how a graph document holds them.
import type { Approver, Clock, Ids, Message, Model, StopReason, Usage, UserBlock } from "@callwire/wire";
import type { TaskInput, TaskOutput } from "@workglow/task-graph";
import type { ServiceRegistry } from "@workglow/util";
import { type ToolEntry, toolsToJson } from "./agent-tools.ts";
import { boundName, CALLWIRE_APPROVERS, CALLWIRE_CLOCKS, CALLWIRE_MODELS } from "./bindings.ts";
import { AgentInputError } from "./errors.ts";
import type { TurnLimits } from "./turn/index.ts";

/** The input ports. Names stand for what the host bound in Workglow's registry. */
export interface AgentTaskInput extends TurnLimits, TaskInput {
  readonly prompt: string | readonly UserBlock[];
  /** Default: an empty conversation. Not changed. */
  readonly messages?: readonly Message[];
  readonly system?: string;
  readonly model: Model | string;
  readonly tools?: readonly ToolEntry[];
  /** Default `beyond-inference`: task tools that reach past running a model are put to a person. */
  readonly approval?: "beyond-inference" | "never";
  readonly onDenied?: "continue" | "stop-round";
  /** Default `auto`: live, but settled where a streaming dataflow edge carries the text on. */
  readonly liveText?: "auto" | "settled" | "live";
  readonly argumentDeltas?: boolean;
  /** Default: the approver bound as `default`; without one, calls that need approval fail `no-approver`. */
  readonly approver?: Approver | string;
  readonly clock?: Clock | string;
  readonly ids?: Ids;
}

/** The output ports: the members of `TurnResult` but `error`, for which the task throws. */
export interface AgentTaskOutput extends TaskOutput {
  readonly text: string;
  readonly messages: readonly Message[];
  readonly rounds: number;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

type Values = { readonly [port: string]: unknown };

const HOST_PORTS: ReadonlySet<string> = new Set(["model", "tools", "approver", "clock", "ids"]);

/**
 * Parts port values into data and the host's own objects. Workglow clones plain objects in defaults, which would cut a model
 * from its state and a tool from its compiled schema: host objects are kept out of its way and put back as they are.
 */
export function partPorts(values: Values): { readonly data: Values; readonly host: Values } {
  const data: Record<string, unknown> = {};
  const host: Record<string, unknown> = {};
  for (const [port, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (HOST_PORTS.has(port)) host[port] = Array.isArray(value) ? [...value] : value;
    else data[port] = value;
  }
  return { data, host };
}

/** Throws a coded error that says what would be right for a port without which there is no turn. */
export function requirePorts({ model, prompt }: Partial<AgentTaskInput>): void {
  if (model === undefined) {
    throw new AgentInputError("No model: `model` is a model object or the name of one bound with bindModel(name, model).");
  }
  if (prompt === undefined) throw new AgentInputError("No prompt: `prompt` is a text or a list of text and image blocks.");
}

/**
 * The input as far as the schema of the ports looks into it: lists, and `{}` for every object. Workglow puts what fits no
 * schema into its error as JSON: that must be neither a whole conversation nor a client.
 */
export function outlineOf(input: AgentTaskInput): AgentTaskInput {
  const outline = (value: unknown) => (typeof value === "object" && value !== null && !Array.isArray(value) ? {} : value);
  const ports = Object.entries(input).map(([port, value]) => [port, Array.isArray(value) ? value.map(outline) : outline(value)]);
  return Object.fromEntries(ports) as AgentTaskInput;
}

/** Stands in a graph document for an object that has no name; restored, it is an error that says so. */
const UNBOUND = "unbound";

/** The defaults as a graph document holds them: objects by the name under which they are bound, tools by their own. */
export function portableDefaults(defaults: Values, registry: ServiceRegistry): Values {
  const { model, tools, approver, clock, ids: _ids, ...data } = defaults as Partial<AgentTaskInput>;
  const named = {
    model: isObject(model) ? (boundName(CALLWIRE_MODELS, model, registry) ?? model.name) : model,
    tools: Array.isArray(tools) ? toolsToJson(tools) : tools,
    approver: isObject(approver) ? (boundName(CALLWIRE_APPROVERS, approver, registry) ?? UNBOUND) : approver,
    clock: isObject(clock) ? (boundName(CALLWIRE_CLOCKS, clock, registry) ?? UNBOUND) : clock,
  };
  return Object.fromEntries(Object.entries({ ...data, ...named }).filter(([, value]) => value !== undefined));
}

function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null;
}
