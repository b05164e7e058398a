// How a turn hears that it is over from outside: one listener on the caller's signal, and signals made when first read.

/** An abort signal that exists only once somebody reads it. */
export class LazySignal {
  #controller: AbortController | undefined;
  #reason: { readonly value: unknown } | undefined;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason.value);
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Only the first reason counts. */
  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
  }

  /** True when `error` is what a body throws that gave in to this signal. */
  explains(error: unknown): boolean {
    if (this.#reason === undefined) return false;
    if (error === this.#reason.value) return true;
    const name = (error as { readonly name?: unknown } | null | undefined)?.name;
    return name === "AbortError" || name === "TaskAbortedError" || name === "TimeoutError";
  }
}

/** What a cancelled attempt or body finds as its signal's reason. */
export function abortReason(message: string): Error {
  return new DOMException(message, "AbortError");
}

/** True for what can be listened to like an `AbortSignal`. */
export function isSignal(value: unknown): value is AbortSignal {
  return typeof (value as { readonly addEventListener?: unknown } | null | undefined)?.addEventListener === "function";
}

/** The caller's signal as the turn sees it. */
export class Cancel {
  /** Read it right before anything that must not happen after an abort. */
  aborted = false;
  /** The one place that waits at the moment. Called inside the abort, so it only notes and schedules. */
  onAbort: (() => void) | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #listener = () => {
    this.aborted = true;
    this.onAbort?.();
  };

  constructor(signal: AbortSignal | undefined) {
    // Something that is no signal is refused with the other options, once the turn is open.
    this.#signal = isSignal(signal) ? signal : undefined;
    this.aborted = this.#signal?.aborted === true;
    if (!this.aborted) this.#signal?.addEventListener("abort", this.#listener);
  }

  /** What `promise` gives, or `undefined` as soon as the turn is cancelled: nobody has to wait for it any more. */
  orAborted<T>(promise: Promise<T>): Promise<T | undefined> {
    if (this.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const stop = () => {
        if (this.onAbort === aborted) this.onAbort = undefined;
      };
      const aborted = () => {
        stop();
        resolve(undefined);
      };
      this.onAbort = aborted;
      promise.finally(stop).then(resolve, reject);
    });
  }

  dispose(): void {
    this.onAbort = undefined;
    this.#signal?.removeEventListener("abort", this.#listener);
  }
}
