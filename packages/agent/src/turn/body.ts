// Running one tool's body: its context, its timeout, and what its end means.
import { errorMessage, type ProgressUpdate, ToolCallError, type ToolContext } from "@callwire/wire";
import type { CallRun } from "./call-run.ts";
import { abortReason, LazySignal } from "./cancel.ts";
import type { Ending } from "./result.ts";
import type { TurnState } from "./turn-state.ts";

export const WORDS = {
  cancelledBeforeStart: "Tool call cancelled before it ran.",
  cancelled: "Tool call cancelled; it may have taken effect.",
  interrupted: "The turn ended before the provider reported a result; the call may have taken effect.",
  timeout: (ms: number) => `Tool call timed out after ${ms}ms; it may have taken effect.`,
  stillRunning: (name: string) => `${name} was not run: its previous call is still running and must not overlap.`,
} as const;

class BodyContext implements ToolContext {
  readonly toolCallId: string;
  readonly idempotencyKey: string;
  readonly deadline?: number;
  readonly #turn: TurnState;
  readonly #call: CallRun;
  readonly #signal: LazySignal;

  constructor(turn: TurnState, call: CallRun, signal: LazySignal, deadline: number | undefined) {
    this.#turn = turn;
    this.#call = call;
    this.#signal = signal;
    this.toolCallId = call.toolCallId;
    this.idempotencyKey = call.toolCallId;
    if (deadline !== undefined) this.deadline = deadline;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  progress(update: ProgressUpdate): void {
    if (this.#call.stage !== "body") return;
    const { progress, total, message, content } = update;
    this.#turn.emit({
      type: "tool-call-progress",
      turnId: this.#turn.ports.turnId,
      at: this.#turn.now(),
      toolCallId: this.toolCallId,
      ...(progress !== undefined && { progress }),
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
      ...(content !== undefined && { content }),
    });
  }
}

function endingOf(turn: TurnState, call: CallRun, error: unknown): Ending {
  let own: string | undefined;
  try {
    if (call.signal?.explains(error)) {
      return call.timedOut && !turn.cancel.aborted
        ? timedOut(call)
        : { ok: false, reason: "cancelled", executed: "unknown", text: WORDS.cancelled };
    }
    if (ToolCallError.is(error)) own = error.message;
  } catch {
    // What was thrown cannot even be looked at.
  }
  const text = typeof own === "string" ? own : `${call.name} failed: ${errorMessage(error)}`;
  return { ok: false, reason: "tool-error", executed: "yes", text };
}

/** The ending of a call whose own timeout is over. */
export function timedOut(call: CallRun): Ending {
  return { ok: false, reason: "timeout", executed: "unknown", text: WORDS.timeout(call.ready?.tool.timeoutMs ?? 0) };
}

/**
 * Runs the body. Returns its ending when it ended at once; else calls `done` when it ends, however late. Never throws.
 * `outOfTime` is called when the tool's own timeout and the grace after it are over.
 */
export function runBody(
  turn: TurnState,
  call: CallRun,
  done: (ending: Ending) => void,
  outOfTime: () => void,
): Ending | undefined {
  const execute = call.ready?.tool.execute;
  if (typeof execute !== "function") return undefined;
  const signal = new LazySignal();
  call.stage = "body";
  call.signal = signal;
  call.startedAt = turn.now();
  const { timeoutMs } = call.ready?.tool ?? {};
  if (timeoutMs !== undefined) call.timer = startTimeout(turn, call, timeoutMs, outOfTime);
  const context = new BodyContext(turn, call, signal, timeoutMs === undefined ? undefined : call.startedAt + timeoutMs);
  // Read last of all: host code that ran since the call was taken up (a subscriber, the clock) may have aborted.
  if (turn.cancel.aborted) return notStarted(call);
  try {
    const value = execute(call.parsed, context);
    if (!isThenable(value)) return { ok: true, value };
    // `resolve`, because a thenable of the user's own may call back twice.
    Promise.resolve(value).then(
      (result) => done({ ok: true, value: result }),
      (error: unknown) => done(endingOf(turn, call, error)),
    );
    return undefined;
  } catch (error) {
    return endingOf(turn, call, error);
  }
}

/** The turn is over before the body began; the turn settles the call. */
function notStarted(call: CallRun): undefined {
  call.timer?.abort(undefined);
  call.startedAt = undefined;
  call.stage = "allowed";
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** The tool's own clock: fires its signal, then allows the grace. Returns what stops it. */
function startTimeout(turn: TurnState, call: CallRun, timeoutMs: number, outOfTime: () => void): LazySignal {
  const stop = new LazySignal();
  const { graceMs } = turn.ports;
  const run = async () => {
    await turn.sleep(timeoutMs, stop.signal);
    if (stop.aborted || call.stage !== "body") return;
    call.timedOut = true;
    call.signal?.abort(abortReason(`The tool's timeout of ${timeoutMs}ms is over.`));
    if (graceMs > 0) await turn.sleep(graceMs, stop.signal);
    if (!stop.aborted) outOfTime();
  };
  run().catch((error: unknown) => turn.report(error, "timeout"));
  return stop;
}
