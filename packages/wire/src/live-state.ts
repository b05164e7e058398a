// The fold of one live attempt: what a host that joins late must be told besides the durable events.

import type { LiveCall, LiveState } from "./attempt-event.ts";
import type { ToolCallEvent } from "./call.ts";
import { isTerminal } from "./lifecycle.ts";
import type { TurnEvent } from "./turn-event.ts";

/** Folds a turn's events into the `live-state` of this moment. O(1) per event, no copy until asked. */
export class LiveFold {
  #turnId = "";
  #at = 0;
  #round = 0;
  #attempt = 0;
  #text = "";
  #reasoning = "";
  readonly #calls = new Map<string, LiveCall>();

  /** Takes the next event of the stream, in order. */
  push(event: TurnEvent): void {
    this.#at = event.at;
    switch (event.type) {
      case "turn-start":
        this.#clear();
        this.#turnId = event.turnId;
        return;
      case "turn-end":
        this.#clear();
        this.#turnId = "";
        return;
      case "text-delta":
        this.#enter(event.round, event.attempt);
        this.#text += event.textDelta;
        return;
      case "reasoning-delta":
        this.#enter(event.round, event.attempt);
        this.#reasoning += event.textDelta;
        return;
      case "attempt-discarded":
        this.#leaveAttempt();
        return;
      case "message":
        // The assistant message holds what was live until now; tool results close the round.
        if (event.message.role === "assistant") this.#leaveAttempt();
        return;
      case "tool-call":
        this.#call(event);
        return;
      case "live-state":
        this.#replace(event);
        return;
      default:
    }
  }

  /** The state of this moment. `turnId` is "" when no turn runs. */
  snapshot(): LiveState {
    return {
      type: "live-state",
      turnId: this.#turnId,
      at: this.#at,
      round: this.#round,
      attempt: this.#attempt,
      text: this.#text,
      reasoning: this.#reasoning,
      calls: [...this.#calls.values()],
    };
  }

  #call(event: ToolCallEvent): void {
    if (isTerminal(event.status)) {
      this.#calls.delete(event.toolCallId);
      return;
    }
    if (event.status === "preparing" && event.parentToolCallId === undefined) this.#enter(event.round, event.attempt);
    const { toolCallId, name, status, at, round, attempt, parentToolCallId } = event;
    const call = { toolCallId, name, status: status as LiveCall["status"], at, round, attempt };
    this.#calls.set(toolCallId, parentToolCallId === undefined ? call : { ...call, parentToolCallId });
  }

  #enter(round: number, attempt: number): void {
    if (round === this.#round && attempt === this.#attempt) return;
    this.#round = round;
    this.#attempt = attempt;
    this.#text = "";
    this.#reasoning = "";
  }

  #leaveAttempt(): void {
    this.#round = 0;
    this.#attempt = 0;
    this.#text = "";
    this.#reasoning = "";
  }

  #clear(): void {
    this.#leaveAttempt();
    this.#calls.clear();
  }

  #replace(state: LiveState): void {
    this.#clear();
    this.#turnId = state.turnId;
    this.#round = state.round;
    this.#attempt = state.attempt;
    this.#text = state.text;
    this.#reasoning = state.reasoning;
    for (const call of state.calls) this.#calls.set(call.toolCallId, call);
  }
}
