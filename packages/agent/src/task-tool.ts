// A task type of Workglow's registry as a tool: schemas from its ports, a fresh owned task per call, its reach as the gate.
import type { CallInput, JsonSchema, StandardSchema, Tool } from "@callwire/wire";
import { type ITask, type ITaskConstructor, entitlementCovers, type TaskInput, type TaskOutput, type TaskConfig } from "@workglow/task-graph";
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

function reachOf(task: TaskClass, input?: CallInput): string[] {
  const declared = task.entitlements().entitlements;
  const dynamic = input !== undefined && task.hasDynamicEntitlements ? new task({ defaults: { ...input } }).entitlements().entitlements : [];
  return [...new Set([...declared, ...dynamic].map((entitlement) => entitlement.id))];
}

function needsApproval(task: TaskClass, input: CallInput): boolean {
  return reachOf(task, input).some((id) => !entitlementCovers(INFERENCE, id));
}

/** Makes a tool of a task class. Its progress is the call's progress; its output is the call's JSON value. */
export function taskTool(task: TaskClass, entry: TaskToolEntry, host: TaskToolHost): Tool<CallInput> {
  const always = entry.requiresApproval === true;
  return {
    name: entry.name ?? entry.taskType,
    description: entry.description ?? task.description ?? "",
    input: inputSchemaOf(task),
    title: entry.title ?? task.title,
    kind: entry.kind,
    timeoutMs: entry.timeoutMs,
    reach: reachOf(task),
    requiresApproval: always ? true : (input) => !host.unasked && needsApproval(task, input),
    async execute(input, context) {
      const child = new task({}, {});
      const onProgress = (progress: number | undefined, message?: string) => {
        context.progress({ total: 100, ...(progress !== undefined && { progress }), ...(message !== undefined && { message }) });
      };
      host.own(child);
      child.on("progress", onProgress);
      try {
        return await child.run({ ...input }, { signal: context.signal });
      } finally {
        child.off("progress", onProgress);
        host.release(child);
      }
    },
  };
}
