// A sink that writes down what is pushed on it.
import type { Model, ModelEnd, ModelRequest, ModelSink } from "@callwire/wire";

export class RecordingSink implements ModelSink {
  readonly pushed: unknown[][] = [];

  text(piece: string): void {
    this.pushed.push(["text", piece]);
  }
  reasoning(piece: unknown): void {
    this.pushed.push(["reasoning", piece]);
  }
  call(...args: readonly unknown[]): void {
    this.pushed.push(["call", ...args]);
  }
  fragment(...args: readonly unknown[]): void {
    this.pushed.push(["fragment", ...args]);
  }
  providerCall(...args: readonly unknown[]): void {
    this.pushed.push(["providerCall", ...args]);
  }
  restart(): void {
    this.pushed.push(["restart"]);
  }
}

export const REQUEST: ModelRequest = { messages: [{ id: "u", role: "user", content: "go" }], tools: [], round: 1, attempt: 1 };

/** Asks once and gives the end, with a sink that can be read while the answer streams. */
export function ask(
  model: Model,
  request: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): { readonly sink: RecordingSink; readonly end: Promise<ModelEnd> } {
  const sink = new RecordingSink();
  return { sink, end: model.run({ ...REQUEST, ...request }, sink, { signal }) };
}
