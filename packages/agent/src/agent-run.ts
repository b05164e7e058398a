// One run of an agent task as its shell sees it: what it was started with, how far it came, and what its failure means.
import type { Message } from "@callwire/wire";
import { type IRunConfig, TaskAbortedError, type TaskError, TaskTimeoutError } from "@workglow/task-graph";
import type { AgentTaskOutput } from "./agent-ports.ts";
import { AgentCancelledError, AgentTimeoutError } from "./errors.ts";
import type { TurnResult } from "./turn/index.ts";

export class AgentRun {
  readonly config: IRunConfig;
  /** How the turn ended, once it has. */
  turn: TurnResult | undefined;
  /** Workglow told of a stream and not yet of its end. */
  streamOpen = false;
  /** The task's `abort` was called, as opposed to its own timeout. */
  aborted = false;

  constructor(config: IRunConfig) {
    this.config = config;
  }

  noteStream(open: boolean): void {
    this.streamOpen = open;
  }

  /** The error of a cancelled turn. Its cause is the caller's own reason, which 0.2.37 does not hand on. */
  cancelled(turn: TurnResult, reason: unknown): AgentCancelledError {
    const { signal } = this.config;
    return new AgentCancelledError(turn, signal?.aborted ? signal.reason : reason);
  }

  /**
   * The coded error for what Workglow throws in the turn's place: when a run is aborted before its turn begins, when its time
   * is over, and (with a timeout set) when it is aborted by anybody. Undefined for any other error.
   *
   * @param messages the conversation of a turn that never began
   */
  coded(error: unknown, messages: readonly Message[]): { readonly error: TaskError; readonly turn: TurnResult } | undefined {
    if (!(error instanceof TaskAbortedError) || error instanceof AgentCancelledError) return undefined;
    const turn: TurnResult = this.turn ?? { text: "", messages, rounds: 0, stopReason: "cancelled", usage: {} };
    const timedOut = error instanceof TaskTimeoutError && !this.aborted && this.config.signal?.aborted !== true;
    return { turn, error: timedOut ? new AgentTimeoutError(turn, error) : this.cancelled(turn, error) };
  }
}

/** The same configuration with progress that cannot fail: it reaches a graph's subscribers. */
export function quietProgress(config: IRunConfig, report: (error: unknown) => void): IRunConfig {
  const { updateProgress } = config;
  if (updateProgress === undefined) return config;
  return {
    ...config,
    async updateProgress(...args) {
      try {
        await updateProgress(...args);
      } catch (error) {
        report(error);
      }
    },
  };
}

/** The output ports of a turn. */
export function outputOf({ text, messages, rounds, stopReason, usage }: TurnResult): AgentTaskOutput {
  return { text, messages, rounds, stopReason, usage };
}
