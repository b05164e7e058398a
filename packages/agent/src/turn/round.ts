// The calls of one accepted answer: announced together, asked together, run one at a time, settled through one path.
import { type ApprovalResponse, errorMessage, type ToolResultBlock } from "@callwire/wire";
import { approvalRequest, running } from "./announce.ts";
import { runBody, timedOut, WORDS } from "./body.ts";
import type { CallRun } from "./call-run.ts";
import { abortReason, LazySignal } from "./cancel.ts";
import { type Ending, settle } from "./result.ts";
import { type TurnState, UNSEQUENCED } from "./turn-state.ts";

/** What a round leaves for the turn to decide. */
export type RoundEnd = "done" | "stopped";

/** Runs the calls of one round, `concurrency` 1, in the model's order. */
export class Round {
  readonly #turn: TurnState;
  readonly #calls: readonly CallRun[];
  readonly #graceTimer = new LazySignal();
  #next = 0;
  #open: number;
  #pumping = false;
  #cancelling = false;
  #end: RoundEnd = "done";
  #finish: (() => void) | undefined;

  /** `calls`: the ones that this side runs, announced already. */
  constructor(turn: TurnState, calls: readonly CallRun[]) {
    this.#turn = turn;
    this.#calls = calls;
    this.#open = calls.length;
  }

  /** Resolves when every call has settled. Does not wait at all when no call does. */
  async run(): Promise<RoundEnd> {
    const { cancel } = this.#turn;
    // The abort may come from inside an event: what it causes is emitted after that event reached everybody.
    cancel.onAbort = () => queueMicrotask(() => this.#cancel());
    if (cancel.aborted) this.#cancel();
    // An approver may fail at once: nothing starts before everybody was asked.
    this.#pumping = true;
    this.#askAll();
    this.#pumping = false;
    this.#pump();
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#finish = resolve;
      });
    }
    cancel.onAbort = undefined;
    if (this.#cancelling) this.#graceTimer.abort(undefined);
    return this.#end;
  }

  /** The results in the model's order. */
  results(): ToolResultBlock[] {
    return this.#calls.map((call) => call.block).filter((block) => block !== undefined);
  }

  #askAll(): void {
    for (const call of this.#calls) {
      if (this.#turn.cancel.aborted) return;
      if (call.needsApproval && call.stage === "announced") this.#ask(call);
    }
  }

  #ask(call: CallRun): void {
    const turn = this.#turn;
    call.stage = "asking";
    running(turn, call);
    const { approver, turnId } = turn.ports;
    if (approver === undefined) {
      const text = `${call.name} needs approval and there is nobody to ask. It was not run.`;
      this.#settle(call, { ok: false, reason: "no-approver", executed: "no", text });
      return;
    }
    const request = approvalRequest(call, turn.ports.ids());
    call.askedAt = turn.now();
    call.signal = new LazySignal();
    turn.record({ type: "approval-requested", seq: UNSEQUENCED, turnId, at: call.askedAt, ...request });
    if (turn.cancel.aborted) return;
    const failed = (error: unknown) => this.#approvalFailed(call, errorMessage(error));
    try {
      // `resolve`, because a thenable of the host's own may call back twice.
      const asked = Promise.resolve(approver.ask(request, call.signal));
      asked.then((response) => this.#answered(call, request.approvalId, response)).catch(failed);
    } catch (error) {
      failed(error);
    }
  }

  #answered(call: CallRun, approvalId: string, response: ApprovalResponse): void {
    if (call.stage !== "asking") return;
    const answer = response?.answer;
    if (answer !== "allow" && answer !== "deny" && answer !== "cancel") {
      this.#approvalFailed(call, "the answer is none of allow, deny, cancel");
      return;
    }
    const turn = this.#turn;
    const { toolCallId } = call;
    const by = response.by === undefined ? undefined : { by: response.by };
    turn.record({
      type: "approval-answered",
      seq: UNSEQUENCED,
      turnId: turn.ports.turnId,
      at: turn.now(),
      approvalId,
      toolCallId,
      answer,
      ...by,
    });
    if (turn.cancel.aborted) return;
    if (answer === "allow") this.#allowed(call, response);
    else this.#denied(call, answer);
  }

  #allowed(call: CallRun, response: ApprovalResponse): void {
    if (response.input !== undefined) {
      this.#approvalFailed(call, "edited arguments are not supported by this version");
      return;
    }
    call.stage = "allowed";
    this.#pump();
  }

  #denied(call: CallRun, answer: "deny" | "cancel"): void {
    const text = `The user did not approve this call of ${call.name}. It was not run; do not retry it unless the user asks for it.`;
    this.#settle(call, { ok: false, reason: "denied", executed: "no", text });
    if (answer === "cancel") this.#end = "stopped";
    if (answer === "cancel" || this.#turn.ports.stopRoundOnDenial) this.#skipRest();
    this.#pump();
  }

  #approvalFailed(call: CallRun, why: string): void {
    if (call.stage !== "asking") return;
    const text = `Asking for approval of ${call.name} failed: ${why}. It was not run.`;
    this.#settle(call, { ok: false, reason: "approval-failed", executed: "no", text });
    this.#pump();
  }

  /** Starts what may start now. A body that ends at once costs no wait. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#next < this.#calls.length && !this.#turn.cancel.aborted) {
      const call = this.#calls[this.#next];
      if (call === undefined || call.stage === "asking" || call.stage === "body") break;
      if (call.stage !== "settled") this.#start(call);
      if (call.stage !== "settled") break;
      this.#next++;
    }
    this.#pumping = false;
    if (this.#open === 0) this.#finish?.();
  }

  #start(call: CallRun): void {
    const turn = this.#turn;
    if (call.stage === "announced") running(turn, call);
    const refusal = call.refusal ?? this.#overlap(call);
    if (refusal !== undefined) {
      this.#settle(call, { ok: false, reason: refusal.reason, executed: "no", text: refusal.text });
      return;
    }
    call.stage = "allowed";
    const ending = runBody(
      turn,
      call,
      (late) => this.#bodyEnded(call, late),
      () => this.#abandon(call, timedOut(call)),
    );
    if (ending !== undefined) this.#settle(call, ending);
  }

  /** A tool whose abandoned body still lives must not overlap with itself. */
  #overlap(call: CallRun): { readonly reason: "tool-error"; readonly text: string } | undefined {
    if ((this.#turn.livingBodies.get(call.name) ?? 0) === 0) return undefined;
    try {
      if (call.ready?.tool.concurrencySafe?.(call.input) === true) return undefined;
    } catch (error) {
      this.#turn.report(error, `${call.name}.concurrencySafe`);
    }
    return { reason: "tool-error", text: WORDS.stillRunning(call.name) };
  }

  #bodyEnded(call: CallRun, ending: Ending): void {
    if (call.stage === "settled") {
      const living = this.#turn.livingBodies;
      living.set(call.name, (living.get(call.name) ?? 1) - 1);
      return;
    }
    this.#settle(call, ending);
    this.#pump();
  }

  /** Settles a call whose body does not end; the body is left behind. */
  #abandon(call: CallRun, ending: Ending): void {
    if (call.stage !== "body") return;
    const living = this.#turn.livingBodies;
    living.set(call.name, (living.get(call.name) ?? 0) + 1);
    this.#settle(call, ending);
    this.#pump();
  }

  #settle(call: CallRun, ending: Ending): void {
    if (call.stage === "settled") return;
    call.timer?.abort(undefined);
    settle(this.#turn, call, ending);
    this.#open--;
    if (this.#open === 0) this.#finish?.();
  }

  /** Ends a call that has no body yet. */
  #endUnstarted(call: CallRun, ending: Ending): void {
    if (call.stage === "body" || call.stage === "settled") return;
    if (call.stage === "announced") running(this.#turn, call);
    call.signal?.abort(abortReason("The question was withdrawn."));
    this.#settle(call, ending);
  }

  #skipRest(): void {
    const skipped = (name: string) => `${name} was skipped: another call of this round was not approved.`;
    for (const call of this.#calls) {
      this.#endUnstarted(call, { ok: false, reason: "skipped", executed: "no", text: skipped(call.name) });
    }
  }

  /** The turn is cancelled: nothing starts any more, and started bodies have one grace to end truthfully. */
  #cancel(): void {
    if (this.#cancelling || this.#open === 0) return;
    this.#cancelling = true;
    const before: Ending = { ok: false, reason: "cancelled-before-start", executed: "no", text: WORDS.cancelledBeforeStart };
    for (const call of this.#calls) {
      if (call.stage === "body") call.signal?.abort(abortReason("The turn was cancelled."));
    }
    for (const call of this.#calls) this.#endUnstarted(call, before);
    if (this.#open > 0) this.#grace().catch((error: unknown) => this.#turn.report(error, "grace"));
  }

  async #grace(): Promise<void> {
    const { graceMs } = this.#turn.ports;
    if (graceMs > 0) await this.#turn.sleep(graceMs, this.#graceTimer.signal);
    if (this.#graceTimer.aborted) return;
    for (const call of this.#calls) {
      this.#abandon(call, { ok: false, reason: "cancelled", executed: "unknown", text: WORDS.cancelled });
    }
  }
}
