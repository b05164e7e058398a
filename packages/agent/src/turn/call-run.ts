// One call of an accepted answer as the loop keeps it: who it is, what was found, how far it came.
import type { AssistantBlock, CallInput, CallLocation, FailReason, ModelCall, ToolResultBlock } from "@callwire/wire";
import type { LazySignal } from "./cancel.ts";
import { sanitise } from "./sanitise.ts";
import type { ReadyTool } from "./tools.ts";

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
