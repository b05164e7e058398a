// A task type of Workglow's registry as a tool: schemas from its ports, a fresh owned task per call, its reach as the gate.
import type { CallInput, JsonSchema, StandardSchema, Tool, ToolContext } from "@callwire/wire";
import {
  entitlementCovers,
  type ITask,
  type ITaskConstructor,
  TaskAbortedError,
  type TaskConfig,
  type TaskEntitlements,
  type TaskInput,
  type TaskOutput,
  TaskStatus,
} from "@workglow/task-graph";
import type { ServiceRegistry } from "@workglow/util";
import { compileSchema } from "@workglow/util/schema";

/** Any task class. */
export type TaskClass = ITaskConstructor<TaskInput, TaskOutput, TaskConfig>;

/** How an agent lists a task type among its tools; a plain string stands for `{ taskType }`. */
export interface TaskToolEntry {
  readonly taskType: string;
  /** Default: the task type. */
  readonly name?: string;
  /** Default: the task's own description. */
  readonly description?: string;
  readonly title?: string;
  readonly kind?: string;
  /** `true` always asks. A document cannot relax what the task's reach demands. */
  readonly requiresApproval?: boolean;
  readonly timeoutMs?: number;
}

/** What a task tool needs of the run that offers it. */
export interface TaskToolHost {
  readonly registry: ServiceRegistry;
  /** Makes a task a child of the agent's. */
  own(task: ITask): void;
  /** Forgets a child that has ended. */
  release(task: ITask): void;
  /** The host lets task tools run without asking. */
  readonly unasked: boolean;
}

/** Reach that every agent has anyway: running a model. */
const INFERENCE = "ai";

const schemas = new WeakMap<TaskClass, StandardSchema>();

function inputSchemaOf(task: TaskClass): StandardSchema {
  const known = schemas.get(task);
  if (known !== undefined) return known;
  const ports = task.inputSchema();
  const schema = typeof ports === "object" ? (ports as JsonSchema) : { type: "object", properties: {} };
  const node = compileSchema(schema as Parameters<typeof compileSchema>[0]);
  const made: StandardSchema = {
    "~standard": {
      version: 1,
      vendor: "workglow",
      validate(value) {
        const { valid, errors } = node.validate(value);
        if (valid) return { value };
        return { issues: errors.map((error) => ({ message: error.message })) };
      },
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
    },
  };
  schemas.set(task, made);
  return made;
}

function idsOf({ entitlements }: TaskEntitlements): string[] {
  return [...new Set(entitlements.map((entitlement) => entitlement.id))];
}

/** Whether a call reaches past inference; its input can widen what the type declares, never narrow it. */
function reachesOut(task: TaskClass, input: CallInput, registry: ServiceRegistry): boolean {
  const out = (reach: TaskEntitlements) => idsOf(reach).some((id) => !entitlementCovers(INFERENCE, id));
  if (out(task.entitlements())) return true;
  return task.hasDynamicEntitlements && out(new task({ defaults: { ...input } }, { registry }).entitlements());
}

/** Makes a tool of a task class. Its progress is the call's progress; its output is the call's JSON value. */
export function taskTool(task: TaskClass, entry: TaskToolEntry, host: TaskToolHost): Tool<CallInput> {
  const always = entry.requiresApproval === true;
  return {
    name: entry.name ?? entry.taskType,
    description: entry.description ?? task.description ?? "",
    input: inputSchemaOf(task),
    // Workglow's own default is an empty title.
    title: entry.title || task.title || undefined,
    kind: entry.kind,
    timeoutMs: entry.timeoutMs,
    reach: idsOf(task.entitlements()),
    requiresApproval: always ? true : (input) => !host.unasked && reachesOut(task, input, host.registry),
    execute: (input, context) => runOwned(new task({}, {}), { input, context, host }),
  };
}

async function runOwned(
  child: ITask,
  { input, context, host }: { readonly input: CallInput; readonly context: ToolContext; readonly host: TaskToolHost },
): Promise<TaskOutput> {
  const onProgress = (progress: number | undefined, message?: string) => {
    // Workglow reports 100 at every end, an abort included; the call's own end says it better.
    if (child.status !== TaskStatus.PROCESSING && child.status !== TaskStatus.STREAMING) return;
    context.progress({ total: 100, ...(progress !== undefined && { progress }), ...(message !== undefined && { message }) });
  };
  const { signal } = context;
  host.own(child);
  child.on("progress", onProgress);
  try {
    return await child.run({ ...input }, { signal, registry: host.registry });
  } catch (error) {
    // Whatever class the task gives in with: the call is cancelled or timed out, not failed.
    if (signal.aborted && error instanceof TaskAbortedError) throw signal.reason;
    throw error;
  } finally {
    child.off("progress", onProgress);
    host.release(child);
  }
}
