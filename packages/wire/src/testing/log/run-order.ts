// Who may run when: people are asked first, and in a round with gated calls bodies start one at a time in the model's order.
import { type CallCompleted, type CallFailed, isTerminal, type ToolMessage } from "../../index.ts";
import type { CallTrack, LogContext, Report } from "./track.ts";

/** The calls of one round that are not run by the provider, in the model's order. */
export class RunOrder {
  readonly #serial: boolean;
  readonly #calls: CallTrack[] = [];
  readonly #gated: CallTrack[] = [];
  /** All before are settled. */
  #settled = 0;
  /** All before were asked for, or ended without. */
  #asked = 0;

  /** `serial`: bodies run one at a time in every round. */
  constructor(context: LogContext) {
    this.#serial = context.serial;
  }

  announce(call: CallTrack): void {
    if (call.pending?.providerExecuted) return;
    call.index = this.#calls.push(call) - 1;
    if (call.pending?.needsApproval) this.#gated.push(call);
  }

  /** A call goes running. What it ran past is a fault only if it turns out that its body ran. */
  run(call: CallTrack): void {
    if (call.index === undefined || call.pending?.needsApproval) return;
    const unasked = this.#firstUnasked();
    if (unasked !== undefined) call.ranPast = `${unasked.id}, which needs approval and was not asked for`;
    else if (this.#serial || this.#gated.length > 0) {
      const earlier = this.#firstUnsettled();
      if (earlier !== undefined && earlier !== call) call.ranPast = `${earlier.id}, which is ${earlier.status}`;
    }
  }

  #firstUnsettled(): CallTrack | undefined {
    while (isTerminal(this.#calls[this.#settled]?.status ?? "new")) this.#settled++;
    return this.#calls[this.#settled];
  }

  #firstUnasked(): CallTrack | undefined {
    for (; ; this.#asked++) {
      const call = this.#gated[this.#asked];
      if (call === undefined || !(call.asked || isTerminal(call.status))) return call;
    }
  }

  /** Gated calls are running while they wait: when their bodies began is told by the results only. */
  checkTimes({ content }: ToolMessage, report: Report): void {
    if (!this.#serial && this.#gated.length === 0) return;
    let ended = Number.NEGATIVE_INFINITY;
    for (const { tool_use_id: id, meta } of content) {
      if (meta?.startedAt === undefined) continue;
      if (meta.startedAt < ended) report("T3", `the body of ${id} began before an earlier call had settled`);
      ended = Math.max(ended, meta.endedAt ?? ended);
    }
  }
}

/** A body ran though earlier calls were to be asked for or to settle first. */
export function checkTurn(call: CallTrack, event: CallCompleted | CallFailed, report: Report): void {
  const ran = event.status === "completed" || event.executed !== "no";
  if (ran && call.ranPast !== undefined) report("T3", `${call.id} ran before ${call.ranPast}`);
}
