// One try at a round's model answer: shows calls as soon as they are named, and ends in exactly one outcome.
import {
  type AssistantBlock,
  type AttemptDiscardReason,
  type AttemptFacts,
  CallwireError,
  type CallSlot,
  type DiscardReason,
  type ErrorCode,
  errorMessage,
  type ModelEnd,
  ModelError,
  type ModelSink,
  type ProviderProgress,
  type ReasoningBlock,
} from "@callwire/wire";
import { type CallRun, pushBlocks } from "./call-run.ts";
import { abortReason, LazySignal } from "./cancel.ts";
import type { TurnState } from "./turn-state.ts";

/** A call that was shown as preparing. */
export interface PreparedCall {
  readonly slot: CallSlot;
  readonly toolCallId: string;
  readonly providerId: string;
  readonly name: string;
  readonly preparedAt: number;
  /** A call of the answer's end owns it. */
  taken: boolean;
}

export type AttemptOutcome =
  | { readonly kind: "ended"; readonly end: ModelEnd }
  | { readonly kind: "failed"; readonly error: ModelError }
  | { readonly kind: "cancelled" };

type DraftBlock = { readonly type: "text"; text: string } | { readonly type: "reasoning"; text: string; payload?: ReasoningBlock["payload"] };

/** What one attempt has pushed so far; the model's sink. */
export class Attempt implements ModelSink {
  readonly round: number;
  /** 1-based within the round; a restart inside the response counts on. */
  number: number;
  readonly facts: AttemptFacts[];
  readonly prepared = new Map<CallSlot, PreparedCall>();
  readonly fragment?: (slot: CallSlot, piece: string) => void;
  readonly #turn: TurnState;
  #open = true;
  #startedAt: number;
  #blocks: DraftBlock[] = [];
  /** Per block: how many calls were shown before it, so that the message keeps the model's order. */
  #callsBefore: number[] = [];

  constructor(turn: TurnState, round: number, number: number, facts: AttemptFacts[]) {
    this.#turn = turn;
    this.round = round;
    this.number = number;
    this.facts = facts;
    this.#startedAt = turn.now();
    if (turn.ports.argumentDeltas) this.fragment = (slot, piece) => this.#fragment(slot, piece);
  }

  /** Calls the model. Resolves once; never rejects. Whatever the model pushes or throws afterwards is ignored. */
  run(): Promise<AttemptOutcome> {
    const { ports, cancel } = this.#turn;
    const signal = new LazySignal();
    if (cancel.aborted) return Promise.resolve({ kind: "cancelled" });
    return new Promise((resolve) => {
      const settle = (outcome: AttemptOutcome) => {
        if (!this.#open) return;
        this.#open = false;
        cancel.onAbort = undefined;
        resolve(outcome);
      };
      cancel.onAbort = () => {
        settle({ kind: "cancelled" });
        signal.abort(abortReason("The turn was cancelled."));
      };
      const fail = (error: unknown) => settle({ kind: "failed", error: asModelError(error) });
      try {
        const request = {
          system: ports.system,
          messages: this.#turn.budget.request(),
          tools: this.#turn.specs,
          round: this.round,
          attempt: this.number,
        };
        ports.model.run(request, this, signal).then((end) => settle(checkedEnd(end)), fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  text(piece: string): void {
    if (!this.#open || piece === "") return;
    this.#draft("text").text += piece;
    if (!this.#turn.ports.holdText) this.#emitText(piece);
  }

  reasoning(piece: string | ReasoningBlock): void {
    if (!this.#open) return;
    const text = typeof piece === "string" ? piece : piece.text;
    if (typeof piece === "string") {
      if (piece === "") return;
      this.#draft("reasoning").text += piece;
    } else {
      const block: DraftBlock = { type: "reasoning", text };
      if (piece.payload !== undefined) block.payload = piece.payload;
      this.#push(block);
    }
    if (text === "") return;
    const { round, number: attempt } = this;
    this.#turn.emit({ type: "reasoning-delta", turnId: this.#turn.ports.turnId, at: this.#turn.now(), textDelta: text, round, attempt });
  }

  call(slot: CallSlot, id: string, name: string): void {
    if (!this.#open || id === "" || name === "" || this.prepared.has(slot)) return;
    const preparedAt = this.#turn.now();
    const toolCallId = this.#turn.callIds.reserve(id);
    this.prepared.set(slot, { slot, toolCallId, providerId: id, name, preparedAt, taken: false });
    const { round, number: attempt } = this;
    const { turnId } = this.#turn.ports;
    this.#turn.emit({ type: "tool-call", status: "preparing", turnId, at: preparedAt, toolCallId, name, round, attempt });
  }

  providerCall(slot: CallSlot, id: string, name: string, progress?: ProviderProgress): void {
    // A call that an earlier answer left open keeps its card; only its progress is new.
    const open = this.#turn.openProviderCall(id);
    if (open === undefined) this.call(slot, id, name);
    const toolCallId = open?.toolCallId ?? this.prepared.get(slot)?.toolCallId;
    if (!this.#open || progress === undefined || toolCallId === undefined) return;
    const at = this.#turn.now();
    this.#turn.emit({ type: "tool-call-progress", turnId: this.#turn.ports.turnId, at, toolCallId, ...progress });
  }

  restart(): void {
    // Counted even when nothing was pushed: a turn must not depend on whether its model shows calls early.
    if (!this.#open) return;
    this.discard("retry");
    this.prepared.clear();
    this.#blocks = [];
    this.#callsBefore = [];
    this.number++;
    this.#startedAt = this.#turn.now();
  }

  /** Withdraws the attempt: its calls, then its text and reasoning. */
  discard(reason: AttemptDiscardReason): void {
    this.discardCalls(reason);
    this.note(reason);
    const { round, number: attempt } = this;
    this.#turn.emit({ type: "attempt-discarded", turnId: this.#turn.ports.turnId, at: this.#turn.now(), round, attempt, reason });
  }

  /** Withdraws the calls only: the text stays (contract T4). */
  discardCalls(reason: DiscardReason): void {
    for (const call of this.prepared.values()) this.discardCall(call, reason);
  }

  discardCall(call: PreparedCall, reason: DiscardReason): void {
    const { toolCallId, name } = call;
    const { round, number: attempt } = this;
    const { turnId } = this.#turn.ports;
    this.#turn.emit({ type: "tool-call", status: "discarded", turnId, at: this.#turn.now(), toolCallId, name, round, attempt, reason });
  }

  /** Notes the facts of this attempt for `round-usage`. */
  note(reason?: AttemptDiscardReason): void {
    const prepared = [...this.prepared.values()].map((call) => call.name);
    const facts = { n: this.number, ms: this.#turn.now() - this.#startedAt, prepared };
    this.facts.push(reason === undefined ? facts : { ...facts, reason });
  }

  /** The text of this attempt, all blocks. */
  get wholeText(): string {
    let text = "";
    for (const block of this.#blocks) if (block.type === "text") text += block.text;
    return text;
  }

  /** Emits text that was held back until now. */
  releaseText(): void {
    if (!this.#turn.ports.holdText) return;
    const text = this.wholeText;
    if (text !== "") this.#emitText(text);
  }

  /** The blocks of the answer with the given calls where the model made them. */
  content(calls: readonly CallRun[]): AssistantBlock[] {
    const content: AssistantBlock[] = [];
    let next = 0;
    const callsUpTo = (end: number) => {
      for (let call = calls[next]; next < end && call !== undefined; call = calls[++next]) pushBlocks(content, call);
    };
    this.#blocks.forEach((block, i) => {
      callsUpTo(this.#callsBefore[i] ?? 0);
      content.push(block);
    });
    callsUpTo(calls.length);
    return content;
  }

  #fragment(slot: CallSlot, piece: string): void {
    const call = this.prepared.get(slot);
    if (!this.#open || piece === "" || call === undefined) return;
    const { turnId } = this.#turn.ports;
    this.#turn.emit({ type: "tool-call-delta", turnId, at: this.#turn.now(), toolCallId: call.toolCallId, fragment: piece });
  }

  #emitText(textDelta: string): void {
    const { round, number: attempt } = this;
    this.#turn.emit({ type: "text-delta", turnId: this.#turn.ports.turnId, at: this.#turn.now(), port: "text", textDelta, round, attempt });
  }

  #draft(type: DraftBlock["type"]): DraftBlock {
    const last = this.#blocks[this.#blocks.length - 1];
    const mergeable = last !== undefined && last.type === type && !("payload" in last);
    if (mergeable && this.#callsBefore[this.#blocks.length - 1] === this.prepared.size) return last;
    return this.#push({ type, text: "" });
  }

  #push(block: DraftBlock): DraftBlock {
    this.#blocks.push(block);
    this.#callsBefore.push(this.prepared.size);
    return block;
  }
}

function asModelError(error: unknown): ModelError {
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

function checkedEnd(end: ModelEnd): AttemptOutcome {
  if (typeof end === "object" && end !== null && Array.isArray(end.calls) && typeof end.stop === "string") return { kind: "ended", end };
  const error = new ModelError("MODEL_FAILED", "The model's `run` resolved to no ModelEnd ({ stop, calls }).", { retryable: false });
  return { kind: "failed", error };
}
