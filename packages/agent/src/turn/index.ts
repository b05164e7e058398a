// The turn without Workglow: the loop as a function, and the same loop as an async iterable.
export { systemClock } from "./clock.ts";
export { defineTool, type ToolDefinition } from "./define-tool.ts";
export { DEFAULT_LIMITS, type TurnLimits, type TurnOptions, type TurnResult } from "./options.ts";
export { runTurn } from "./turn.ts";
export { fromAgent, streamTurn, type TurnStream } from "./turn-stream.ts";
