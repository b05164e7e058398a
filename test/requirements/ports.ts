// Contract P: models, tools, approvers, clocks, the task's ports and the defaults.
import { inScope, later } from "./kinds.ts";

export const PORT_RULES = {
  ...inScope({
    P1a: "sink.call comes once per slot, when id and name are both known, before any argument is complete",
    P1b: "complete calls exist only in the ModelEnd; a call whose id never comes appears only there",
    P1c: "what a model pushes after its end, and a later transport error, is ignored",
    P1d: "request.messages is read-only",
    P1e: "a failing model is a coded ModelError; anything else thrown is wrapped with its cause",
    P2a: "execute returns a string, JSON or toolOutput; the model's text is derived from it",
    P2b: "a ToolCallError fails in its own words; any other throw is `<name> failed: <message>`",
    P2c: "execute gets toolCallId, signal, idempotencyKey, progress and deadline",
    P2d: "title, kind and locations of a tool reach pending and meta",
    P2e: "input may be zod or JSON Schema",
    P2f: "a task tool runs a fresh owned task of a registered type per call",
    P3a: "an approver is asked with what is shown, and with a signal that fires on abort",
    P4: "time and ids come from the turn's ports only",
    P6a: "AgentTask has type CallwireAgentTask and its outputs have the members of TurnResult",
    P6b: "AgentTask throws for error and cancelled only",
    P6c: "models, approver and clock may be objects or names bound in the registry; an unbound model is MODEL_NOT_BOUND",
    P6d: "a function tool survives graph JSON by name and is bound again at restore; unbound is a clear error",
    P7a: "an enum of the task's input schema lists its safest member first",
    P7b: "absent arrays arrive as [] and mean none",
    P8a: "maxRounds is 8 by default",
    P8b: "a result's text is clamped at maxToolResultChars (20,000) with `… [truncated, <n> chars total]`",
    P8c: "concurrency is 1 and graceMs 2,000 by default",
  }),
  ...later(3, {
    P1f: "sink.restart discards all pushed so far with reason retry, without a wait, attempt + 1, not counted",
    P8d: "retries is 2; the wait is the provider's delay, else 2 s x 2^n, clamped to 1-60 s",
  }),
  ...later(4, {
    P2g: "a host tool's result is supplied from outside",
    P2h: "outputSchema is checked on success only",
    P3b: "on Workglow's HUMAN_CONNECTOR an approval is an elicit",
    P3c: "a remembered answer is not asked again",
    P8e: "history sent to the model is trimmed to maxHistoryChars (120,000) or the model's context limit",
  }),
  ...later(7, { P5: "fromAgent and fromGraph give a TurnSource" }),
};
