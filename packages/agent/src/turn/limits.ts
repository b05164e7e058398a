// The history budget of a request, and the pairing check of a history that comes from outside.
import type { Message } from "@callwire/wire";

/** Characters of all strings in a JSON value, keys included. Iterative: depth is the caller's data. */
function charsOf(root: unknown): number {
  if (typeof root === "string") return root.length;
  let chars = 0;
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === "string") chars += value.length;
    else if (Array.isArray(value)) for (const item of value) stack.push(item);
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        // Facts for cards travel beside the text; no request carries them.
        if (key === "meta") continue;
        chars += key.length;
        stack.push(item);
      }
    } else chars += 4;
  }
  return chars;
}

/**
 * Hands out the messages of a request: all of them (the same array, never copied) while they fit the budget, else without
 * the oldest whole turns. Leading system messages and the newest turn always stay.
 */
export class HistoryBudget {
  readonly #messages: readonly Message[];
  readonly #limit: number;
  readonly #head: number;
  #from: number;
  #counted = 0;
  #chars = 0;

  constructor(messages: readonly Message[], limit: number) {
    this.#messages = messages;
    this.#limit = limit;
    let head = 0;
    while (messages[head]?.role === "system") head++;
    this.#head = head;
    this.#from = head;
  }

  request(): readonly Message[] {
    const messages = this.#messages;
    for (; this.#counted < messages.length; this.#counted++) this.#chars += charsOf(messages[this.#counted]?.content);
    while (this.#chars > this.#limit) {
      const next = this.#nextTurn();
      if (next === undefined) break;
      for (; this.#from < next; this.#from++) this.#chars -= charsOf(messages[this.#from]?.content);
    }
    return this.#from === this.#head ? messages : [...messages.slice(0, this.#head), ...messages.slice(this.#from)];
  }

  /** Where the turn after the first kept one begins. */
  #nextTurn(): number | undefined {
    for (let i = this.#from + 1; i < this.#messages.length; i++) if (this.#messages[i]?.role === "user") return i;
    return undefined;
  }
}

/** Ids of calls that have no result anywhere after them. */
export function danglingCalls(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  for (const message of messages) {
    if (typeof message.content === "string") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") open.add(block.id);
      else if (block.type === "tool_result") open.delete(block.tool_use_id);
    }
  }
  return [...open];
}
