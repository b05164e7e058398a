// AgentTask and what belongs to it on Workglow: tools, bindings, typed events.
export type { AgentTaskInput, AgentTaskOutput } from "./agent-ports.ts";
export { AgentTask } from "./agent-task.ts";
export type { NamedToolEntry, ToolEntry } from "./agent-tools.ts";
export {
  bindApprover,
  bindClock,
  bindModel,
  bindTool,
  CALLWIRE_ALLOW_UNASKED,
  CALLWIRE_APPROVERS,
  CALLWIRE_CLOCKS,
  CALLWIRE_MODELS,
  CALLWIRE_TOOLS,
} from "./bindings.ts";
export { AgentCancelledError, AgentConfigurationError, AgentFailedError, AgentInputError, AgentTimeoutError } from "./errors.ts";
export { fromGraph } from "./from-graph.ts";
export type { TaskToolEntry } from "./task-tool.ts";
export {
  DEFAULT_LIMITS,
  defineTool,
  fromAgent,
  runTurn,
  streamTurn,
  type ToolDefinition,
  type TurnLimits,
  type TurnOptions,
  type TurnResult,
  type TurnStream,
} from "./turn/index.ts";
export { onTurnEvent, type TaskTurnEvent, type TurnEventListener, type TurnEventTarget, turnEvents } from "./turn-events.ts";
