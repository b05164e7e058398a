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

/** Who a call is. */
export interface CallIdentity {
  readonly toolCallId: string;
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
  readonly preparedAt: number | undefined;
}

/** A call of a round, from its check to its result. */
export class CallRun {
  readonly toolCallId: string;
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
  readonly preparedAt: number | undefined;
  readonly model: ModelCall;
  /** What event, history and tool see. */
  readonly input: CallInput;
  readonly ready: ReadyTool | undefined;
  /** What `execute` receives: the input after the schema's defaults and transforms. */
  parsed: unknown;
  refusal: Refusal | undefined = undefined;
  needsApproval = false;
  title: string | undefined = undefined;
  kind: string | undefined = undefined;
  locations: readonly CallLocation[] | undefined = undefined;
  stage: Stage = "announced";
  askedAt: number | undefined = undefined;
  startedAt: number | undefined = undefined;
  endedAt: number | undefined = undefined;
  block: ToolResultBlock | undefined = undefined;
  /** Signal of the question or of the body, whichever is on. */
  signal: LazySignal | undefined = undefined;
  /** Stops the clock of the tool's own timeout. */
  timer: LazySignal | undefined = undefined;
  /** The tool's own timeout fired. */
  timedOut = false;

  constructor(identity: CallIdentity, model: ModelCall, ready: ReadyTool | undefined) {
    this.toolCallId = identity.toolCallId;
    this.name = identity.name;
    this.round = identity.round;
    this.attempt = identity.attempt;
    this.preparedAt = identity.preparedAt;
    this.model = model;
    this.input = model.input === undefined ? {} : sanitise(model.input);
    this.ready = ready;
    this.parsed = this.input;
  }

  get inputProblem(): string | undefined {
    return this.model.problem?.message;
  }
}

/** Checks one call. Waits only for a schema that itself waits. */
export function planCall(turn: TurnState, identity: CallIdentity, model: ModelCall): CallRun | Promise<CallRun> {
  if (model.providerExecuted) return new CallRun(identity, model, undefined);
  const call = new CallRun(identity, model, turn.tools.get(identity.name));
  if (model.problem !== undefined) {
    call.refusal = { reason: "invalid-arguments", text: `Invalid arguments for ${call.name}: ${model.problem.message}` };
    return described(turn, call);
  }
  if (typeof call.ready?.tool.execute !== "function") {
    call.refusal = { reason: "unknown-tool", text: unknownTool(turn, call.name) };
    return described(turn, call);
  }
  let validated: Validated | Promise<Validated>;
  try {
    validated = call.ready.validate(call.input);
  } catch (error) {
    validated = { ok: false, details: errorMessage(error) };
  }
  if (!(validated instanceof Promise)) return judged(turn, call, validated);
  return validated.then(
    (late) => judged(turn, call, late),
    (error: unknown) => judged(turn, call, { ok: false, details: errorMessage(error) }),
  );
}

function judged(turn: TurnState, call: CallRun, validated: Validated): CallRun {
  if (validated.ok) call.parsed = validated.value;
  else call.refusal = { reason: "invalid-arguments", text: `Invalid arguments for ${call.name}: ${validated.details}` };
  // A call that will be refused is never put to a person.
  call.needsApproval = validated.ok && gated(turn, call);
  return described(turn, call);
}

/** Adds what the tool says of itself, for cards. */
function described(turn: TurnState, call: CallRun): CallRun {
  const tool = call.ready?.tool;
  if (tool === undefined) return call;
  const { title, locations } = tool;
  call.kind = tool.kind;
  if (typeof title === "string") call.title = title;
  if (call.inputProblem !== undefined) return call;
  if (typeof title === "function") call.title = guarded(turn, `${call.name}.title`, () => title(call.input));
  if (locations !== undefined) call.locations = guarded(turn, `${call.name}.locations`, () => locations(call.input));
  return call;
}

function unknownTool(turn: TurnState, name: string): string {
  const runnable = [...turn.tools.values()].filter((entry) => typeof entry.tool.execute === "function");
  const names = runnable.map((entry) => entry.tool.name).join(", ");
  return `Unknown tool "${name}". Available: ${names === "" ? "none" : names}.`;
}

/** Fails closed: a rule that throws asks. */
function gated(turn: TurnState, call: CallRun): boolean {
  const rule = call.ready?.tool.requiresApproval;
  if (typeof rule !== "function") return rule === true;
  return guarded(turn, `${call.name}.requiresApproval`, () => rule(call.input)) !== false;
}

function guarded<T>(turn: TurnState, where: string, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    turn.report(error, where);
    return undefined;
  }
}

/** Puts the blocks of a call into the assistant message: its use, and its result where the provider gave one. */
export function pushBlocks(content: AssistantBlock[], call: CallRun): void {
  const { toolCallId: id, name, input, model } = call;
  if (model.payload === undefined && !model.providerExecuted) content.push({ type: "tool_use", id, name, input });
  else {
    content.push({
      type: "tool_use",
      id,
      name,
      input,
      ...(model.providerExecuted && { providerExecuted: true as const }),
      ...(model.payload !== undefined && { payload: model.payload }),
    });
  }
  if (call.block !== undefined) content.push(call.block);
}
