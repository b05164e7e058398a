// A conversation with a model: its history from turn to turn, whatever becomes of a turn.
import type { ToolEntry, TurnResult } from "@callwire/agent";
import type { Message, Model } from "@callwire/wire";
import { type PlayedTurn, playTurn, type Staging } from "../play-turn.ts";

const SYSTEM = `You are a helpful assistant in a terminal. Answer in plain text, briefly.
Your tools see the user's current folder only. Use them when they help; say so when one fails.`;

/** A conversation. */
export class ChatSession {
  readonly #model: Model;
  readonly #tools: readonly ToolEntry[];
  readonly #staging: Staging;
  #messages: readonly Message[] = [];

  constructor(model: Model, tools: readonly ToolEntry[], staging: Staging) {
    this.#model = model;
    this.#tools = tools;
    this.#staging = staging;
  }

  /** Plays one turn. The history is kept; a turn that failed before the model answered leaves it as it was. */
  async say(prompt: string): Promise<PlayedTurn> {
    const input = { prompt, messages: this.#messages, system: SYSTEM, model: this.#model, tools: this.#tools };
    const played = await playTurn(input, this.#staging);
    if (!leftNothing(played.result)) this.#messages = played.result.messages;
    return played;
  }

  /** Forgets everything that was said. */
  reset(): void {
    this.#messages = [];
  }
}

/** Keeping the prompt of such a turn would ask it twice when the user tries again. */
function leftNothing({ stopReason, rounds }: TurnResult): boolean {
  return stopReason === "error" && rounds === 0;
}
