// The history budget of a request, and the pairing check of a history that comes from outside.
import type { ContentBlock, Message } from "@callwire/wire";

const DEEP = 64;

/** Characters of all strings in a JSON value, keys included; what lies deeper than 64 levels is counted by its JSON text. */
function charsOfJson(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  if (depth === DEEP) return jsonLength(value);
  let chars = 0;
  if (Array.isArray(value)) {
    for (const item of value) chars += charsOfJson(item, depth + 1);
    return chars;
  }
  for (const key in value) chars += key.length + charsOfJson((value as Record<string, unknown>)[key], depth + 1);
  return chars;
}

function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}

function charsOfBlock(block: ContentBlock): number {
  switch (block.type) {
    case "text":
      return block.text.length;
    case "image":
      return block.data.length;
    case "reasoning":
      return block.text.length + (block.payload === undefined ? 0 : charsOfJson(block.payload));
    case "tool_use":
      return block.name.length + charsOfJson(block.input);
    case "tool_result":
      return charsOfContent(block.content);
    default:
      return charsOfJson(block);
  }
}

function charsOfContent(content: string | readonly ContentBlock[]): number {
  if (typeof content === "string") return content.length;
  let chars = 0;
  for (const block of content) chars += charsOfBlock(block);
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
  #searched = 0;
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
    for (; this.#counted < messages.length; this.#counted++) this.#chars += this.#charsAt(this.#counted);
    while (this.#chars > this.#limit) {
      const next = this.#nextTurn();
      if (next === undefined) break;
      for (; this.#from < next; this.#from++) this.#chars -= this.#charsAt(this.#from);
    }
    return this.#from === this.#head ? messages : [...messages.slice(0, this.#head), ...messages.slice(this.#from)];
  }

  #charsAt(index: number): number {
    const message = this.#messages[index];
    return message === undefined ? 0 : charsOfContent(message.content);
  }

  /** Where the turn after the first kept one begins. Looks at each message once: the messages of this turn bring no new one. */
  #nextTurn(): number | undefined {
    const start = Math.max(this.#from + 1, this.#searched);
    for (let i = start; i < this.#messages.length; i++) {
      if (this.#messages[i]?.role !== "user") continue;
      this.#searched = i + 1;
      return i;
    }
    this.#searched = this.#messages.length;
    return undefined;
  }
}

/**
 * What is wrong with the calls of a history from outside, in words; `undefined` when each has its one result in its place:
 * before anybody else speaks, or, for calls that the provider runs, before the next user message.
 */
export function pairingProblem(messages: readonly Message[]): string | undefined {
  /** Calls without a result so far, and whether the provider runs them. */
  const open = new Map<string, boolean>();
  for (const message of messages) {
    if (message.role !== "tool" && open.size > 0) {
      const late = [...open].filter(([, providers]) => !providers || message.role === "user");
      if (late.length > 0) return withoutResult(late);
    }
    if (typeof message.content === "string") continue;
    for (const block of message.content) {
      if (block.type === "tool_use") open.set(block.id, block.providerExecuted === true);
      else if (block.type === "tool_result" && !open.delete(block.tool_use_id))
        return `a result of ${block.tool_use_id}, which is no open call`;
    }
  }
  return open.size === 0 ? undefined : withoutResult([...open]);
}

function withoutResult(calls: readonly (readonly [id: string, ...unknown[]])[]): string {
  const ids = calls.slice(0, 5).map(([id]) => id);
  return `calls without a result: ${ids.join(", ")}${calls.length > ids.length ? " ..." : ""}`;
}
