// What hosts are told of a call before it settles: asked for, taken up, put to a person.
import type { ApprovalRequest, CallPending } from "@callwire/wire";
import type { CallRun } from "./call-run.ts";
import { tell } from "./result.ts";
import { type TurnState, UNSEQUENCED } from "./turn-state.ts";

/** Announces a call: its arguments are complete. */
export function announce(turn: TurnState, call: CallRun): void {
  const { toolCallId, name, round, attempt, input } = call;
  const { turnId } = turn.ports;
  const event: { -readonly [K in keyof CallPending]: CallPending[K] } = {
    type: "tool-call",
    seq: UNSEQUENCED,
    status: "pending",
    turnId,
    at: turn.now(),
    toolCallId,
    name,
    round,
    attempt,
    input,
  };
  if (call.inputProblem !== undefined) event.inputProblem = call.inputProblem;
  if (call.title !== undefined) event.title = call.title;
  if (call.kind !== undefined) event.kind = call.kind;
  if (call.locations !== undefined) event.locations = call.locations;
  if (call.needsApproval) event.needsApproval = true;
  if (call.preparedAt !== undefined) event.preparedAt = call.preparedAt;
  if (call.model.providerExecuted) event.providerExecuted = true;
  turn.record(event);
}

/** The loop takes a call up. */
export function running(turn: TurnState, call: CallRun): void {
  const { toolCallId, name, round, attempt } = call;
  turn.record({
    type: "tool-call",
    seq: UNSEQUENCED,
    status: "running",
    turnId: turn.ports.turnId,
    at: turn.now(),
    toolCallId,
    name,
    round,
    attempt,
  });
}

/** Takes a provider-executed call from pending to its end, or leaves it running when the provider has not finished. */
export function passProviderCall(turn: TurnState, call: CallRun): void {
  running(turn, call);
  if (call.block !== undefined) tell(turn, call, call.block);
  else turn.openProviderCalls.set(call.toolCallId, call);
}

/** What a person is shown. */
export function approvalRequest(call: CallRun, approvalId: string): ApprovalRequest {
  const { toolCallId, name, input } = call;
  const reach = call.ready?.tool.reach;
  return {
    approvalId,
    toolCallId,
    name,
    input,
    ...(call.title !== undefined && { title: call.title }),
    ...(call.kind !== undefined && { kind: call.kind }),
    ...(call.locations !== undefined && { locations: call.locations }),
    ...(reach !== undefined && { reach }),
  };
}
