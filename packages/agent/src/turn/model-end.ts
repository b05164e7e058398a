// What a model's `run` gave or threw, made into what the loop can rely on.
import { CallwireError, type ErrorCode, errorMessage, type ModelEnd, ModelError } from "@callwire/wire";

/** Anything that was thrown as a ModelError: never throws itself. */
export function asModelError(error: unknown): ModelError {
  try {
    if (error instanceof ModelError) return error;
    // Another coded error, or a ModelError of another copy of the package: it knows better than we what is wrong.
    if (CallwireError.is(error)) {
      const { retryable = false, retryAfterMs, usage, status } = error as Partial<ModelError>;
      return new ModelError(error.code as ErrorCode, error.message, { retryable, retryAfterMs, usage, status, cause: error });
    }
  } catch {
    // What was thrown cannot even be looked at.
  }
  return new ModelError("MODEL_FAILED", `The model failed: ${errorMessage(error)}`, { retryable: false, cause: error });
}

/** The end value if it is one: never throws. */
export function checkedEnd(end: ModelEnd): ModelEnd | ModelError {
  try {
    if (typeof end === "object" && end !== null && Array.isArray(end.calls) && typeof end.stop === "string") return end;
  } catch {
    // It cannot even be looked at.
  }
  return new ModelError("MODEL_FAILED", "The model's `run` resolved to no ModelEnd ({ stop, calls }).", {
    retryable: false,
  });
}
