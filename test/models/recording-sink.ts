// A sink that writes down what a model pushes, and shorthands to run a model once.
import type { CallSlot, Message, Model, ModelEnd, ModelRequest, ModelSink, ReasoningBlock, ToolSpec } from "@callwire/wire";
import { ModelError } from "@callwire/wire";

export interface RecordedCall {
  readonly slot: CallSlot;
  readonly id: string;
  readonly name: string;
  /** What the clock of the sink said when the call was named. */
  readonly at: number;
}

export class RecordingSink implements ModelSink {
  /** All pushes in order, one word each: `text:a`, `reasoning:b`, `call:0:id:name`, `fragment:0:{"a"`. */
  readonly log: string[] = [];
  readonly calls: RecordedCall[] = [];
  readonly fragments = new Map<CallSlot, string>();
  allText = "";
  allReasoning = "";
  readonly #now: () => number;
  readonly #onPush: (sink: RecordingSink) => void;

  constructor(options: { readonly now?: () => number; readonly onPush?: (sink: RecordingSink) => void } = {}) {
    this.#now = options.now ?? (() => this.log.length);
    this.#onPush = options.onPush ?? (() => {});
  }

  text(piece: string): void {
    this.allText += piece;
    this.#push(`text:${piece}`);
  }

  reasoning(piece: string | ReasoningBlock): void {
    const text = typeof piece === "string" ? piece : piece.text;
    this.allReasoning += text;
    this.#push(`reasoning:${text}`);
  }

  call(slot: CallSlot, id: string, name: string): void {
    this.calls.push({ slot, id, name, at: this.#now() });
    this.#push(`call:${slot}:${id}:${name}`);
  }

  fragment(slot: CallSlot, piece: string): void {
    this.fragments.set(slot, (this.fragments.get(slot) ?? "") + piece);
    this.#push(`fragment:${slot}:${piece}`);
  }

  providerCall(slot: CallSlot, id: string, name: string): void {
    this.#push(`provider-call:${slot}:${id}:${name}`);
  }

  restart(): void {
    this.#push("restart");
  }

  #push(entry: string): void {
    this.log.push(entry);
    this.#onPush(this);
  }
}

export type Run =
  | { readonly sink: RecordingSink; readonly end: ModelEnd; readonly error?: undefined }
  | { readonly sink: RecordingSink; readonly end?: undefined; readonly error: ModelError };

export interface RunOptions {
  readonly sink?: RecordingSink;
  readonly signal?: AbortSignal;
  readonly tools?: readonly ToolSpec[];
}

/** The request of a first round. A string is a user's message. */
export function requestOf(prompt: string | readonly Message[], tools: readonly ToolSpec[] = []): ModelRequest {
  const messages: readonly Message[] = typeof prompt === "string" ? [{ id: "u1", role: "user", content: prompt }] : prompt;
  return { messages, tools, round: 1, attempt: 1 };
}

/** Runs a model once. What it rejects with must be a ModelError. */
export async function runOnce(model: Model, prompt: string | readonly Message[] = "hi", options: RunOptions = {}): Promise<Run> {
  const sink = options.sink ?? new RecordingSink();
  const signal = options.signal ?? new AbortController().signal;
  try {
    return { sink, end: await model.run(requestOf(prompt, options.tools), sink, { signal }) };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { sink, error };
  }
}
