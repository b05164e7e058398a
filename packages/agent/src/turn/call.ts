// One call of an accepted answer: found, sanitised and checked before anybody is told of it.
import {
  type AssistantBlock,
  type CallInput,
  type CallLocation,
  errorMessage,
  type FailReason,
  type ModelCall,
  type ToolResultBlock,
} from "@callwire/wire";
import type { LazySignal } from "./cancel.ts";
import { sanitise } from "./sanitise.ts";
import type { ReadyTool, Validated } from "./tools.ts";
import type { TurnState } from "./turn-state.ts";

/** Why a call is refused without running, in the words that the model reads. */
export interface Refusal {
  readonly reason: FailReason;
  readonly text: string;
}

/** Where a call stands in the loop. `body` is a running body; `asking` waits for a person. */
export type Stage = "announced" | "asking" | "allowed" | "body" | "settled";

/** A call of a round, from its check to its result. */
export interface CallRun {
  readonly toolCallId: string;
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
  /** What event, history and tool see. */
  readonly input: CallInput;
  /** What `execute` receives: the input after the schema's defaults and transforms. */
  readonly parsed: unknown;
  readonly inputProblem: string | undefined;
  readonly ready: ReadyTool | undefined;
  readonly refusal: Refusal | undefined;
  readonly needsApproval: boolean;
  readonly title: string | undefined;
  readonly kind: string | undefined;
  readonly locations: readonly CallLocation[] | undefined;
  readonly preparedAt: number | undefined;
  readonly model: ModelCall;
  stage: Stage;
  askedAt: number | undefined;
  startedAt: number | undefined;
  endedAt: number | undefined;
  block: ToolResultBlock | undefined;
  /** Signal of the question or of the body, whichever is on. */
  signal: LazySignal | undefined;
  /** The tool's own timeout fired. */
  timedOut: boolean;
}

/** Who the call is, before it is checked. */
export interface CallIdentity {
  readonly toolCallId: string;
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
  readonly preparedAt: number | undefined;
}

/** Checks one call. Waits only for a schema that itself waits. */
export function planCall(turn: TurnState, identity: CallIdentity, model: ModelCall): CallRun | Promise<CallRun> {
  const input = model.input === undefined ? {} : sanitise(model.input);
  const ready = model.providerExecuted ? undefined : turn.tools.get(identity.name);
  const plan = (validated: Validated | undefined) => describe(turn, { identity, model, input, ready, validated });
  if (model.providerExecuted || model.problem !== undefined || typeof ready?.tool.execute !== "function") return plan(undefined);
  let validated: Validated | Promise<Validated>;
  try {
    validated = ready.validate(input);
  } catch (error) {
    return plan({ ok: false, details: errorMessage(error) });
  }
  if (!(validated instanceof Promise)) return plan(validated);
  return validated.then(plan, (error: unknown) => plan({ ok: false, details: errorMessage(error) }));
}

interface Findings {
  readonly identity: CallIdentity;
  readonly model: ModelCall;
  readonly input: CallInput;
  readonly ready: ReadyTool | undefined;
  readonly validated: Validated | undefined;
}

function describe(turn: TurnState, findings: Findings): CallRun {
  const { identity, model, input, ready, validated } = findings;
  const tool = ready?.tool;
  const refusal = refusalOf(turn, findings);
  const usable = model.problem === undefined;
  const host = <T>(where: string, ask: () => T): T | undefined => guarded(turn, `${identity.name}.${where}`, ask);
  const title = typeof tool?.title === "function" ? usable && host("title", () => (tool.title as (i: CallInput) => string)(input)) : tool?.title;
  return {
    toolCallId: identity.toolCallId,
    name: identity.name,
    round: identity.round,
    attempt: identity.attempt,
    input,
    parsed: validated?.ok === true ? validated.value : input,
    inputProblem: model.problem?.message,
    ready,
    refusal,
    needsApproval: refusal === undefined && !model.providerExecuted && gated(turn, findings),
    title: typeof title === "string" ? title : undefined,
    kind: tool?.kind,
    locations: usable && tool?.locations !== undefined ? host("locations", () => tool.locations?.(input)) : undefined,
    preparedAt: identity.preparedAt,
    model,
    stage: "announced",
    askedAt: undefined,
    startedAt: undefined,
    endedAt: undefined,
    block: undefined,
    signal: undefined,
    timedOut: false,
  };
}

function refusalOf(turn: TurnState, { identity, model, ready, validated }: Findings): Refusal | undefined {
  const { name } = identity;
  if (model.providerExecuted) return undefined;
  if (model.problem !== undefined) {
    return { reason: "invalid-arguments", text: `Invalid arguments for ${name}: ${model.problem.message}` };
  }
  if (typeof ready?.tool.execute !== "function") {
    const names = [...turn.tools.values()].filter((entry) => typeof entry.tool.execute === "function").map((entry) => entry.tool.name);
    return { reason: "unknown-tool", text: `Unknown tool "${name}". Available: ${names.length === 0 ? "none" : names.join(", ")}.` };
  }
  if (validated?.ok === false) return { reason: "invalid-arguments", text: `Invalid arguments for ${name}: ${validated.details}` };
  return undefined;
}

/** Fails closed: a rule that throws asks. */
function gated(turn: TurnState, { identity, input, ready }: Findings): boolean {
  const rule = ready?.tool.requiresApproval;
  if (typeof rule !== "function") return rule === true;
  return guarded(turn, `${identity.name}.requiresApproval`, () => rule(input)) !== false;
}

function guarded<T>(turn: TurnState, where: string, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    turn.report(error, where);
    return undefined;
  }
}

/** The blocks that stand in the assistant message for a call: its use, and its result where the provider gave one. */
export function assistantBlocks(call: CallRun): AssistantBlock[] {
  const use: AssistantBlock = { type: "tool_use", id: call.toolCallId, name: call.name, input: call.input };
  const whole = {
    ...use,
    ...(call.model.providerExecuted && { providerExecuted: true as const }),
    ...(call.model.payload !== undefined && { payload: call.model.payload }),
  };
  return call.block === undefined ? [whole] : [whole, call.block];
}
