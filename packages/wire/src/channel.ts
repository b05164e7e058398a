// What hosts serve: one prompt in, the events of a turn out; and the queue that turns pushes into an async iterable.
import type { TurnEvent } from "./turn-event.ts";

export interface TurnSourceContext {
  /** Ends the turn when it aborts. */
  readonly signal?: AbortSignal;
}

/** Runs one turn on a prompt. The iterable ends after `turn-end`. */
export type TurnSource = (prompt: string, context: TurnSourceContext) => AsyncIterable<TurnEvent>;

/** A single-consumer queue: pushed from synchronous code, read with `for await`. Linear, never drops. */
export class Channel<T> implements AsyncIterableIterator<T> {
  #items: T[] = [];
  #head = 0;
  #closed = false;
  #error: { readonly value: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #onReturn: (() => void) | undefined;

  /** `onReturn` runs once when the consumer leaves early. */
  constructor(onReturn?: () => void) {
    this.#onReturn = onReturn;
  }

  push(item: T): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** Ends the iteration after what was pushed so far. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  /** As `close`, then the consumer's next read throws. */
  fail(error: unknown): void {
    this.#error ??= { value: error };
    this.close();
  }

  async next(): Promise<IteratorResult<T, undefined>> {
    for (;;) {
      if (this.#head < this.#items.length) {
        const value = this.#items[this.#head++] as T;
        // Forget consumed items in bulk, so that reading stays linear without shifting the array.
        if (this.#head === this.#items.length) {
          this.#items = [];
          this.#head = 0;
        }
        return { done: false, value };
      }
      if (this.#error !== undefined) {
        const error = this.#error.value;
        this.#error = undefined;
        throw error;
      }
      if (this.#closed) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    if (!this.#closed) this.#onReturn?.();
    this.#closed = true;
    this.#items = [];
    this.#head = 0;
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
