// The life of each call: its steps follow the table, it stays the same call, and each step says what that step may say.
import {
  type CallCompleted,
  type CallFailed,
  type CallPending,
  type CallRunning,
  canFollow,
  type FailReason,
  isSettled,
  isTerminal,
  type ToolCallDelta,
  type ToolCallEvent,
  type ToolCallProgress,
} from "../../index.ts";
import type { Conversation } from "./conversation.ts";
import { checkGate } from "./questions.ts";
import type { Rounds } from "./rounds.ts";
import { checkTurn } from "./run-order.ts";
import { type CallTrack, type LogContext, newTrack } from "./track.ts";

/** What `executed` must be, where the reason tells. */
const EXECUTED_BY_REASON: { readonly [R in FailReason]: string | undefined } = {
  "unknown-tool": "no",
  "invalid-arguments": "no",
  denied: "no",
  "no-approver": "no",
  "approval-failed": "no",
  "tool-error": undefined,
  timeout: "unknown",
  cancelled: "unknown",
  "cancelled-before-start": "no",
  skipped: "no",
  interrupted: "unknown",
};

/** Checks the calls of one turn, a turn's own and forwarded ones. */
export class Calls {
  /** Not terminal yet. */
  readonly #open = new Set<CallTrack>();
  readonly #all: CallTrack[] = [];
  readonly #children = new Map<string, CallTrack[]>();
  readonly #context: LogContext;
  readonly #rounds: (parent: string | undefined) => Rounds;
  readonly #conversation: Conversation;

  constructor(context: LogContext, rounds: (parent: string | undefined) => Rounds, conversation: Conversation) {
    this.#context = context;
    this.#rounds = rounds;
    this.#conversation = conversation;
  }

  push(event: ToolCallEvent): void {
    const known = this.#context.calls.get(event.toolCallId);
    const from = known?.status ?? "new";
    const legal = canFollow(from, event.status);
    if (!legal) this.#report("I1", `${event.toolCallId} goes from ${from} to ${event.status}`);
    if (known !== undefined && (isTerminal(known.status) || !legal)) return;
    const call = known ?? this.#admit(event);
    this.#checkSame(call, event);
    call.status = event.status;
    this.#step(call, event);
    if (isTerminal(event.status)) this.#open.delete(call);
  }

  #admit(event: ToolCallEvent): CallTrack {
    const call = newTrack(event);
    if (call.id === "") this.#report("T6", "the toolCallId is empty");
    if (this.#context.usedIds.has(call.id)) this.#report("T6", `the id ${call.id} is used in the history already`);
    if (call.parent !== undefined && this.#context.calls.get(call.parent)?.status !== "running") {
      this.#report("T14", `${call.id} belongs to ${call.parent}, which is not running`);
    }
    this.#context.calls.set(call.id, call);
    this.#open.add(call);
    this.#all.push(call);
    if (call.parent !== undefined) this.#childrenOf(call.parent).push(call);
    return call;
  }

  #childrenOf(parent: string): CallTrack[] {
    const known = this.#children.get(parent);
    if (known !== undefined) return known;
    const children: CallTrack[] = [];
    this.#children.set(parent, children);
    return children;
  }

  #checkSame(call: CallTrack, event: ToolCallEvent): void {
    const { id } = call;
    if (event.name !== call.name) this.#report("E2", `${id} changes its name from ${call.name} to ${event.name}`);
    if (event.turnId !== call.turnId) this.#report("E2", `${id} changes its turn`);
    if (event.parentToolCallId !== call.parent) this.#report("T14", `${id} changes its parent`);
    if (event.round !== call.round || event.attempt !== call.attempt) {
      this.#report("E2", `${id} moves from ${call.round}.${call.attempt} to ${event.round}.${event.attempt} (round.attempt)`);
    }
  }

  #step(call: CallTrack, event: ToolCallEvent): void {
    const rounds = this.#rounds(call.parent);
    switch (event.status) {
      case "preparing":
        if ("input" in event) this.#report("E2", "preparing has an input");
        call.preparedAt = event.at;
        rounds.prepare(call, event);
        return;
      case "discarded":
        if ("input" in event) this.#report("E2", "discarded has an input");
        rounds.discard(call, event.reason);
        return;
      case "pending":
        this.#pending(call, event, rounds);
        return;
      case "running":
        this.#running(call, event, rounds);
        return;
      default:
        this.#settled(call, event);
    }
  }

  #pending(call: CallTrack, event: CallPending, rounds: Rounds): void {
    const { id } = call;
    call.pending = event;
    rounds.announce(call, event);
    if (event.inputProblem !== undefined) {
      if (Object.keys(event.input).length > 0) this.#report("E2", `${id} has an inputProblem and an input that is not {}`);
      if (event.needsApproval) this.#report("T1", `${id} has an inputProblem and needsApproval`);
    }
    if (event.providerExecuted && event.needsApproval) this.#report("T1", `${id} is run by the provider and needs approval`);
    if (!event.providerExecuted && call.reportedEarly) this.#report("T1", `${id} reported progress while it was preparing`);
    if (!this.#context.stored && event.preparedAt !== call.preparedAt) {
      this.#report("E2", `${id} was preparing at ${call.preparedAt ?? "no time"}, preparedAt is ${event.preparedAt ?? "absent"}`);
    }
    if (call.parent === undefined) this.#conversation.announce(call, event);
  }

  #running(call: CallTrack, event: CallRunning, rounds: Rounds): void {
    if (event.input !== undefined && !call.pending?.needsApproval)
      this.#report("E2", `${call.id} runs with an edited input that nobody was asked for`);
    rounds.run(call);
    if (call.parent === undefined && !call.pending?.providerExecuted) this.#conversation.expectProviderCallsSettled(call);
  }

  #settled(call: CallTrack, event: CallCompleted | CallFailed): void {
    call.terminal = event;
    if (event.status === "failed") this.#checkFailure(call, event);
    checkGate(call, event, this.#context.report);
    checkTurn(call, event, this.#context.report);
    for (const child of this.#children.get(call.id) ?? []) {
      if (!isTerminal(child.status))
        this.#report("T14", `${call.id} settles while its sub-agent's call ${child.id} is ${child.status}`);
    }
    if (call.parent === undefined) this.#conversation.settle(call, event);
  }

  #checkFailure(call: CallTrack, { reason, executed }: CallFailed): void {
    const expected = EXECUTED_BY_REASON[reason];
    if (expected !== undefined && expected !== executed)
      this.#report("E2", `${call.id} failed ${reason}, executed is ${executed}, not ${expected}`);
    if (call.pending?.inputProblem !== undefined && reason !== "invalid-arguments" && executed !== "no") {
      this.#report("T5", `${call.id} has an inputProblem and ran`);
    }
  }

  progress(event: ToolCallProgress): void {
    const call = this.#context.calls.get(event.toolCallId);
    if (call?.status === "preparing") call.reportedEarly = true;
    else if (call?.status !== "running")
      this.#report("E", `progress of ${event.toolCallId}, which is ${call?.status ?? "unknown"}`);
    if (call !== undefined && call.parent !== event.parentToolCallId)
      this.#report("T14", `progress of ${call.id} names another parent`);
  }

  fragment(event: ToolCallDelta): void {
    const call = this.#context.calls.get(event.toolCallId);
    if (call?.status !== "preparing")
      this.#report("E", `argument text of ${event.toolCallId}, which is ${call?.status ?? "unknown"}`);
    if (event.fragment === "") this.#report("E", "an empty fragment");
  }

  /** Nothing is left open. */
  end(): void {
    for (const call of this.#open) this.#report("I5", `the turn ends while ${call.id} is ${call.status}`);
    for (const call of this.#all) {
      if (call.parent !== undefined || !isSettled(call.status) || call.matched || call.missed) continue;
      this.#report("T10", `the conversation has no result for ${call.id}`);
    }
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}
