// One try at a round's model answer: shows calls as soon as they are named, and ends in exactly one outcome.
import {
  type AssistantBlock,
  type AttemptDiscardReason,
  type AttemptFacts,
  type CallSlot,
  type DiscardReason,
  type ModelEnd,
  ModelError,
  type ModelSink,
  type ProviderProgress,
  type ReasoningBlock,
} from "@callwire/wire";
import { AnswerDraft } from "./answer-draft.ts";
import type { CallRun } from "./call-run.ts";
import { abortReason, LazySignal } from "./cancel.ts";
import { asModelError, checkedEnd } from "./model-end.ts";
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
  #draft = new AnswerDraft();

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
        ports.model.run(request, this, signal).then((value) => {
          const end = checkedEnd(value);
          settle(end instanceof ModelError ? { kind: "failed", error: end } : { kind: "ended", end });
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  text(piece: string): void {
    if (!this.#open || piece === "") return;
    this.#draft.text(piece, this.prepared.size);
    if (!this.#turn.ports.holdText) this.#emitText(piece);
  }

  reasoning(piece: string | ReasoningBlock): void {
    if (!this.#open) return;
    const text = typeof piece === "string" ? piece : piece.text;
    this.#draft.reasoning(piece, this.prepared.size);
    if (text === "") return;
    const { round, number: attempt } = this;
    this.#turn.emit({
      type: "reasoning-delta",
      turnId: this.#turn.ports.turnId,
      at: this.#turn.now(),
      textDelta: text,
      round,
      attempt,
    });
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
    this.#draft = new AnswerDraft();
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
    this.#turn.emit({
      type: "tool-call",
      status: "discarded",
      turnId,
      at: this.#turn.now(),
      toolCallId,
      name,
      round,
      attempt,
      reason,
    });
  }

  /** Notes the facts of this attempt for `round-usage`. */
  note(reason?: AttemptDiscardReason): void {
    const prepared = [...this.prepared.values()].map((call) => call.name);
    const facts = { n: this.number, ms: this.#turn.now() - this.#startedAt, prepared };
    this.facts.push(reason === undefined ? facts : { ...facts, reason });
  }

  /** The text of this attempt, all blocks. */
  get wholeText(): string {
    return this.#draft.wholeText;
  }

  /** Emits text that was held back until now. */
  releaseText(): void {
    if (!this.#turn.ports.holdText) return;
    const text = this.wholeText;
    if (text !== "") this.#emitText(text);
  }

  /** The blocks of the answer with the given calls where the model made them. */
  content(calls: readonly CallRun[]): AssistantBlock[] {
    return this.#draft.content(calls);
  }

  #fragment(slot: CallSlot, piece: string): void {
    const call = this.prepared.get(slot);
    if (!this.#open || piece === "" || call === undefined) return;
    const { turnId } = this.#turn.ports;
    this.#turn.emit({ type: "tool-call-delta", turnId, at: this.#turn.now(), toolCallId: call.toolCallId, fragment: piece });
  }

  #emitText(textDelta: string): void {
    const { round, number: attempt } = this;
    this.#turn.emit({
      type: "text-delta",
      turnId: this.#turn.ports.turnId,
      at: this.#turn.now(),
      port: "text",
      textDelta,
      round,
      attempt,
    });
  }
}
