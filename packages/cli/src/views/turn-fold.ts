// What every view of cards has in common: the cards of the turns so far, and which of them an event touched.
import {
  type Card,
  type CardCounts,
  type CardsState,
  cards,
  countCards,
  EMPTY_CARDS,
  getCard,
  reduceCards,
} from "@callwire/cards";
import type { Message, TurnEvent } from "@callwire/wire";

/** Folds events into cards. */
export class TurnFold {
  #state: CardsState = EMPTY_CARDS;

  /** Takes the next event. Returns the cards that it changed, hidden ones included. */
  push(event: TurnEvent): readonly Card[] {
    const before = this.#state;
    this.#state = reduceCards(before, event);
    if (this.#state === before) return [];
    if ("toolCallId" in event) {
      const card = getCard(this.#state, event.toolCallId);
      return card === undefined ? [] : [card];
    }
    // A whole attempt or turn is over: whoever was shown until now may have changed.
    return cards(before)
      .map((card) => [card, getCard(this.#state, card.toolCallId)] as const)
      .flatMap(([old, card]) => (card === undefined || card === old ? [] : [card]));
  }

  get(toolCallId: string): Card | undefined {
    return getCard(this.#state, toolCallId);
  }

  counts(): CardCounts {
    return countCards(this.#state);
  }
}

/** The text of an assistant message. */
export function textOf(message: Message): string {
  if (typeof message.content === "string") return message.content;
  let text = "";
  for (const block of message.content) if (block.type === "text") text += block.text;
  return text;
}

/** Why a turn ended, where that is not simply an answer. An error is told by the command. */
export function endingNote(event: Extract<TurnEvent, { readonly type: "turn-end" }>): string | undefined {
  switch (event.stopReason) {
    case "answered":
    case "error":
      return undefined;
    case "max-rounds":
      return "The turn ended: the limit of model answers is reached.";
    case "length":
      return "The turn ended: the answer was cut off at its length limit.";
    case "refusal":
      return "The turn ended: the model refused.";
    case "stopped":
      return "The turn was stopped.";
    case "cancelled":
      return "The turn was cancelled.";
    default:
      return `The turn ended: ${event.stopReason}.`;
  }
}
