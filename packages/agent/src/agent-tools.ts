// What stands in an agent's `tools` port, made into tools: function tools, names of bound ones, and task types.
import type { Tool } from "@callwire/wire";
import { getTaskConstructors } from "@workglow/task-graph";
import type { ServiceRegistry } from "@workglow/util";
import { CALLWIRE_TOOLS, lookUp } from "./bindings.ts";
import { AgentConfigurationError } from "./errors.ts";
import { type TaskClass, type TaskToolEntry, type TaskToolHost, taskTool } from "./task-tool.ts";

/** A bound function tool by its name; `requiresApproval: true` tightens it. */
export interface NamedToolEntry {
  readonly name: string;
  readonly requiresApproval?: boolean;
}

/** One item of the `tools` port. A string is the name of a bound tool or of a task type. */
export type ToolEntry = string | Tool | TaskToolEntry | NamedToolEntry;

function taskClass(type: string, registry: ServiceRegistry): TaskClass | undefined {
  return getTaskConstructors(registry).get(type) as TaskClass | undefined;
}

function isTool(entry: Exclude<ToolEntry, string>): entry is Tool {
  return ("execute" in entry && entry.execute !== undefined) || ("provider" in entry && entry.provider !== undefined);
}

function isTaskEntry(entry: Exclude<ToolEntry, string>): entry is TaskToolEntry {
  return "taskType" in entry && entry.taskType !== undefined;
}

function namelessEntry(): AgentConfigurationError {
  const right = "a tool, the name of a bound one, a task type, { name } or { taskType }";
  return new AgentConfigurationError("INVALID_TOOL", `An item of \`tools\` has no name; an item is ${right}.`);
}

function unbound(name: string): AgentConfigurationError {
  const right = "bind a function tool with bindTool(tool), register the task type, or pass the tool itself";
  return new AgentConfigurationError("TOOL_NOT_BOUND", `"${name}" is neither a bound tool nor a registered task type: ${right}.`);
}

function byName(entry: NamedToolEntry, registry: ServiceRegistry, host: TaskToolHost): Tool {
  if (typeof entry.name !== "string") throw namelessEntry();
  const bound = lookUp(CALLWIRE_TOOLS, entry.name, registry);
  if (bound !== undefined) return entry.requiresApproval === true ? { ...bound, requiresApproval: true } : bound;
  return byType({ ...entry, taskType: entry.name }, registry, host);
}

function byType(entry: TaskToolEntry, registry: ServiceRegistry, host: TaskToolHost): Tool {
  const task = taskClass(entry.taskType, registry);
  if (task === undefined) throw unbound(entry.taskType);
  return taskTool(task, entry, host);
}

/** Resolves the `tools` port. Throws TOOL_NOT_BOUND for a name that stands for nothing here. */
export function resolveTools(entries: readonly ToolEntry[], registry: ServiceRegistry, host: TaskToolHost): Tool[] {
  return entries.map((entry) => {
    if (typeof entry === "string") return byName({ name: entry }, registry, host);
    if (typeof entry !== "object" || entry === null) return entry as Tool;
    if (isTool(entry)) return entry;
    return isTaskEntry(entry) ? byType(entry, registry, host) : byName(entry as NamedToolEntry, registry, host);
  });
}

/** The `tools` port as a graph document holds it: function tools by name, task tools as data. */
export function toolsToJson(entries: readonly ToolEntry[]): unknown[] {
  return entries.map((entry) => {
    // What is no tool is left to the run to refuse.
    if (typeof entry !== "object" || entry === null) return entry;
    if (isTool(entry) && entry.provider === undefined) {
      // The bound tool may be laxer: a document keeps what tightens.
      return entry.requiresApproval === true ? { name: entry.name, requiresApproval: true } : entry.name;
    }
    return Object.fromEntries(Object.entries(entry).filter(([, value]) => typeof value !== "function"));
  });
}

/** The task types among the tools, for the agent's own entitlements. What is no tool is left to the run to refuse. */
export function taskClassesOf(entries: unknown, registry: ServiceRegistry): TaskClass[] {
  if (!Array.isArray(entries)) return [];
  const classes = (entries as readonly (ToolEntry | null | undefined)[]).map((entry) => {
    if (typeof entry === "string") return typeNamed(entry, registry);
    if (typeof entry !== "object" || entry === null || isTool(entry)) return undefined;
    return isTaskEntry(entry) ? taskClass(entry.taskType, registry) : typeNamed((entry as NamedToolEntry).name, registry);
  });
  return classes.filter((found) => found !== undefined);
}

/** A bound tool of that name stands before the task type. */
function typeNamed(name: string, registry: ServiceRegistry): TaskClass | undefined {
  return lookUp(CALLWIRE_TOOLS, name, registry) === undefined ? taskClass(name, registry) : undefined;
}
