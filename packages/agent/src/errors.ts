// What AgentTask throws: Workglow's own error classes, so that graphs treat them rightly, with a code and the turn's result.
import type { ErrorCode } from "@callwire/wire";
import {
  TaskAbortedError,
  TaskConfigurationError,
  TaskFailedError,
  TaskInvalidInputError,
  TaskTimeoutError,
} from "@workglow/task-graph";
import type { TurnResult } from "./turn/index.ts";

/** The turn ended `error`. `turn` holds all that was produced, `code` says what failed. */
export class AgentFailedError extends TaskFailedError {
  static override readonly type: string = "AgentFailedError";
  readonly code: string;
  readonly turn: TurnResult;
  readonly cause: unknown;

  constructor(turn: TurnResult) {
    super(turn.error?.message ?? "The turn failed.");
    this.code = turn.error?.code ?? "INTERNAL";
    this.turn = turn;
    this.cause = turn.error?.cause;
  }
}

/** The turn was cancelled. `turn` holds all that was produced. */
export class AgentCancelledError extends TaskAbortedError {
  static override readonly type: string = "AgentCancelledError";
  readonly code: ErrorCode = "TURN_CANCELLED";
  readonly turn: TurnResult;
  readonly cause: unknown;

  constructor(turn: TurnResult, cause?: unknown) {
    super("The turn was cancelled.");
    this.turn = turn;
    this.cause = cause;
  }
}

/** The task's own `timeout` was over and the turn was cancelled. `turn` holds all that was produced. */
export class AgentTimeoutError extends TaskTimeoutError {
  static override readonly type: string = "AgentTimeoutError";
  readonly code: ErrorCode = "TURN_CANCELLED";
  readonly turn: TurnResult;
  readonly cause: unknown;

  constructor(turn: TurnResult, cause: TaskTimeoutError) {
    super();
    this.message = cause.message;
    this.turn = turn;
    this.cause = cause;
  }
}

/** The task's input is not what its ports take. Nothing was run. */
export class AgentInputError extends TaskInvalidInputError {
  static override readonly type: string = "AgentInputError";
  readonly code: ErrorCode = "INVALID_OPTIONS";
  readonly cause: unknown;

  constructor(message: string, cause?: unknown) {
    super(message);
    this.cause = cause;
  }
}

/** A name is not bound, or the task is used in a way it cannot serve. */
export class AgentConfigurationError extends TaskConfigurationError {
  static override readonly type: string = "AgentConfigurationError";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
