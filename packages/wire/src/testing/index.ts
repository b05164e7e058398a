// For people who test hosts: a scripted model, a manual clock, and checkers for what a turn tells and leaves behind.
export { assertEvents, EventChecker, type EventCheckOptions, eventLogProblems } from "./event-checker.ts";
export { assertHistory, HistoryChecker, type HistoryOptions, historyProblems } from "./history-validator.ts";
export { type ManualClock, manualClock } from "./manual-clock.ts";
export {
  type Script,
  type ScriptCall,
  type ScriptError,
  type ScriptProviderCall,
  type ScriptRound,
  type ScriptStep,
  scriptSchema,
} from "./script.ts";
export { type ScriptedModel, type ScriptedModelOptions, type ScriptedRequest, scriptedModel } from "./scripted-model.ts";
