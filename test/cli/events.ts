// Events of one turn for tests of the views, at times that the test gives.
import type { CallInput, ToolCallEvent, TurnEvent } from "@callwire/wire";

type Unplaced<E> = E extends ToolCallEvent ? Omit<E, "type" | "turnId" | "at" | "seq" | "name" | "round" | "attempt"> : never;

/** Writes the events of one turn. Each method returns an event at `at` milliseconds. */
export class EventWriter {
  #seq = 0;

  start(at: number): TurnEvent {
    return { type: "turn-start", turnId: "t", at, seq: ++this.#seq, v: 1, prompt: "p", model: "m" };
  }

  text(at: number, textDelta: string): TurnEvent {
    return { type: "text-delta", turnId: "t", at, port: "text", textDelta, round: 1, attempt: 1 };
  }

  /** A step of a call; `round` and `attempt` are 1. */
  call(at: number, name: string, step: Unplaced<ToolCallEvent>): TurnEvent {
    const place = { type: "tool-call", turnId: "t", at, name, round: 1, attempt: 1 } as const;
    if (step.status === "preparing" || step.status === "discarded") return { ...place, ...step };
    return { ...place, ...step, seq: ++this.#seq } as ToolCallEvent;
  }

  answer(at: number, text: string): TurnEvent {
    const content = text === "" ? [] : [{ type: "text" as const, text }];
    return { type: "message", turnId: "t", at, seq: ++this.#seq, message: { id: `m${at}`, role: "assistant", content } };
  }

  results(at: number): TurnEvent {
    return { type: "message", turnId: "t", at, seq: ++this.#seq, message: { id: `r${at}`, role: "tool", content: [] } };
  }

  progress(at: number, toolCallId: string, progress: number, message: string): TurnEvent {
    return { type: "tool-call-progress", turnId: "t", at, toolCallId, progress, total: 100, message };
  }

  ask(at: number, toolCallId: string, name: string, input: CallInput): TurnEvent {
    return {
      type: "approval-requested",
      turnId: "t",
      at,
      seq: ++this.#seq,
      approvalId: `a-${toolCallId}`,
      toolCallId,
      name,
      input,
    };
  }

  withdraw(at: number): TurnEvent {
    return { type: "attempt-discarded", turnId: "t", at, round: 1, attempt: 1, reason: "retry" };
  }

  end(at: number, stopReason: Extract<TurnEvent, { type: "turn-end" }>["stopReason"] = "answered"): TurnEvent {
    return { type: "turn-end", turnId: "t", at, seq: ++this.#seq, stopReason, usage: {} };
  }
}
