// Coded errors. A code is part of the public surface; the message says what is wrong and what would be right.
import type { Usage } from "./attempt-event.ts";

/** All codes that Callwire itself gives. */
export const ERROR_CODES = [
  "INVALID_OPTIONS",
  "INVALID_TOOL",
  "DUPLICATE_TOOL",
  "INVALID_HISTORY",
  "MODEL_NOT_BOUND",
  "TOOL_NOT_BOUND",
  "APPROVER_NOT_BOUND",
  "ALREADY_RUNNING",
  "MODEL_UNREACHABLE",
  "MODEL_AUTH",
  "MODEL_REQUEST",
  "MODEL_RATE_LIMIT",
  "MODEL_OVERLOADED",
  "MODEL_SERVER",
  "MODEL_STREAM_ERROR",
  "MODEL_STREAM_CUT",
  "MODEL_NOT_A_STREAM",
  "MODEL_FAILED",
  "MISSING_CLIENT",
  "MALFORMED_RESPONSE",
  "TURN_CANCELLED",
  "TOOL_FAILED",
  "INTERNAL",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

// Symbol.for: an error of another copy of this package is still recognised.
const MARK = Symbol.for("callwire.error");

/** Base of all errors of Callwire. */
export class CallwireError extends Error {
  override readonly name: string = "CallwireError";
  readonly code: string;
  readonly [MARK] = true;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }

  static is(value: unknown): value is CallwireError {
    return typeof value === "object" && value !== null && (value as { readonly [MARK]?: unknown })[MARK] === true;
  }
}

/** A model's answer failed. */
export class ModelError extends CallwireError {
  override readonly name = "ModelError";
  /** The same request may succeed later. */
  readonly retryable: boolean;
  /** The provider's stated delay in ms. */
  readonly retryAfterMs: number | undefined;
  /** Tokens that the failed attempt cost, where known. */
  readonly usage: Usage | undefined;
  /** HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    details: {
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
      readonly usage?: Usage;
      readonly status?: number;
      readonly cause?: unknown;
    },
  ) {
    super(code, message, details.cause === undefined ? undefined : { cause: details.cause });
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.usage = details.usage;
    this.status = details.status;
  }
}

/** Thrown by a tool: the call fails with exactly this text. */
export class ToolCallError extends CallwireError {
  override readonly name = "ToolCallError";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super("TOOL_FAILED", message, options);
  }

  static override is(value: unknown): value is ToolCallError {
    return CallwireError.is(value) && value.code === "TOOL_FAILED";
  }
}

/** The words of anything that was thrown. Never throws, whatever was thrown. */
export function errorMessage(thrown: unknown): string {
  try {
    return wordsOf(thrown);
  } catch {
    return "something that cannot be put into words was thrown";
  }
}

function wordsOf(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  // Workglow's errors do not extend Error.
  const { message } = (thrown ?? {}) as { readonly message?: unknown };
  if (typeof message === "string" && message !== "") return message;
  if (thrown instanceof Error) return String(thrown.name);
  try {
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return String(thrown);
  }
}
