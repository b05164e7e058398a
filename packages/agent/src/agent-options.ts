// From the input ports of AgentTask to the options of a turn: names become what the host bound, text is held where it must be.
import type { Model } from "@callwire/wire";
import {
  DATAFLOW_ALL_PORTS,
  edgeNeedsAccumulation,
  type IExecuteContext,
  type IRunConfig,
  type ITask,
} from "@workglow/task-graph";
import type { ServiceRegistry } from "@workglow/util";
import type { AgentTaskInput } from "./agent-ports.ts";
import { OUTPUT_SCHEMA } from "./agent-schemas.ts";
import { resolveTools } from "./agent-tools.ts";
import { CALLWIRE_ALLOW_UNASKED, CALLWIRE_APPROVERS, CALLWIRE_CLOCKS, CALLWIRE_MODELS, lookUp, resolvePort } from "./bindings.ts";
import type { TaskToolHost } from "./task-tool.ts";
import type { TurnOptions } from "./turn/index.ts";

const MODEL = { token: CALLWIRE_MODELS, code: "MODEL_NOT_BOUND", bind: "bindModel(name, model)" } as const;
const APPROVER = { token: CALLWIRE_APPROVERS, code: "APPROVER_NOT_BOUND", bind: "bindApprover(name, approver)" } as const;
const CLOCK = { token: CALLWIRE_CLOCKS, code: "INVALID_OPTIONS", bind: "bindClock(name, clock)" } as const;

/** What the task tools of a run need of it: children of `agent`, in its registry. */
export function taskToolHost(agent: ITask, context: IExecuteContext, registry: ServiceRegistry): TaskToolHost {
  return {
    registry,
    own: (task) => {
      context.own(task);
    },
    release: (task) => {
      agent.subGraph?.removeTask(task.id);
    },
    unasked: registry.has(CALLWIRE_ALLOW_UNASKED) && registry.get(CALLWIRE_ALLOW_UNASKED),
  };
}

/** The options that come from the ports. Throws a coded error for a name that nobody bound. */
export function portOptions(input: AgentTaskInput, registry: ServiceRegistry, host: TaskToolHost): TurnOptions {
  const { prompt, messages, system, maxRounds, maxToolResultChars, maxHistoryChars, graceMs, onDenied, argumentDeltas, ids } =
    input;
  const approver = input.approver ?? lookUp(CALLWIRE_APPROVERS, "default", registry);
  return {
    // Whatever else the port was given is the turn's to refuse.
    model: resolvePort(input.model, MODEL, registry) as Model,
    prompt,
    messages,
    system,
    tools: resolveTools(input.tools ?? [], registry, { ...host, unasked: host.unasked && input.approval === "never" }),
    approver: resolvePort(approver, APPROVER, registry),
    clock: resolvePort(input.clock, CLOCK, registry),
    ids,
    maxRounds,
    maxToolResultChars,
    maxHistoryChars,
    graceMs,
    onDenied,
    argumentDeltas,
  };
}

/**
 * True when the task's text is carried on while it streams, for what has left cannot be withdrawn: over a streaming edge, or by
 * a group whose last task this is (Workglow then runs it without accumulation and accumulates its deltas itself).
 */
export function textLeavesStreaming(task: ITask, { shouldAccumulate }: IRunConfig): boolean {
  const graph = task.parentGraph;
  // A task that was taken out of its graph still names it.
  const edges = graph?.getTask(task.id) === task ? graph.getTargetDataflows(task.id) : [];
  if (edges.length === 0) return shouldAccumulate === false;
  return edges.some((edge) => {
    const target = graph?.getTask(edge.targetTaskId);
    const all = edge.sourceTaskPortId === DATAFLOW_ALL_PORTS;
    if (target === undefined || !(all || edge.sourceTaskPortId === "text")) return false;
    const port = edge.targetTaskPortId === DATAFLOW_ALL_PORTS ? "text" : edge.targetTaskPortId;
    return !edgeNeedsAccumulation(OUTPUT_SCHEMA, "text", target.inputSchema(), port);
  });
}
