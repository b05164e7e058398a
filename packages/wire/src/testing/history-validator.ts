// Strict pairing check of a conversation: what the strictest provider would refuse with a 400, in words.
import type { AssistantBlock, AssistantMessage, Message, ToolMessage, ToolResultBlock, ToolUseBlock } from "../message.ts";

export interface HistoryOptions {
  /**
   * The list is a request: calls that the provider itself runs may still be open at its end (`pause_turn`). Default false.
   * Calls of this side are never open, not even in a request.
   */
  readonly request?: boolean;
}

/** The same check, message by message. Linear; keeps ids, not messages. */
export class HistoryChecker {
  readonly #report: (problem: string) => void;
  readonly #messageIds = new Set<string>();
  readonly #callIds = new Set<string>();
  readonly #openProviderCalls = new Set<string>();
  #unanswered: readonly string[] = [];
  #index = -1;

  constructor(report: (problem: string) => void) {
    this.#report = report;
  }

  /** Ids that are taken already, for a list that continues another one. */
  reserve(messages: readonly Message[]): void {
    for (const message of messages) {
      this.#messageIds.add(message.id);
      for (const block of blocksOf(message)) if (block.type === "tool_use") this.#callIds.add(block.id);
    }
  }

  push(message: Message): void {
    this.#index++;
    this.#checkId(message);
    if (message.role === "tool") {
      this.#tool(message);
      return;
    }
    this.#expectNoCalls(`the next message has role ${message.role}`);
    if (message.role === "assistant") this.#assistant(message);
    else if (message.role === "user") this.#expectNoProviderCalls("a user message follows");
  }

  end(options: HistoryOptions = {}): void {
    this.#expectNoCalls("the conversation ends");
    if (options.request !== true) this.#expectNoProviderCalls("the conversation ends");
  }

  #problem(what: string): void {
    this.#report(`message ${this.#index}: ${what}`);
  }

  #checkId({ id }: Message): void {
    if (typeof id !== "string" || id === "") this.#problem("its id is empty");
    else if (this.#messageIds.has(id)) this.#problem(`its id "${id}" is used twice`);
    else this.#messageIds.add(id);
  }

  #expectNoCalls(then: string): void {
    if (this.#unanswered.length === 0) return;
    this.#problem(`calls without a result: ${this.#unanswered.join(", ")} (${then})`);
    this.#unanswered = [];
  }

  #expectNoProviderCalls(then: string): void {
    if (this.#openProviderCalls.size === 0) return;
    this.#problem(`provider-executed calls without a result: ${[...this.#openProviderCalls].join(", ")} (${then})`);
    this.#openProviderCalls.clear();
  }

  #assistant(message: AssistantMessage): void {
    if (!message.content.some(saysSomething)) this.#problem("an assistant message without content");
    const own: string[] = [];
    for (const block of message.content) {
      if (block.type === "tool_use") {
        this.#use(block);
        if (block.providerExecuted) this.#openProviderCalls.add(block.id);
        else own.push(block.id);
        if (message.partial) this.#problem(`a partial message carries the call ${block.id}`);
      } else if (block.type === "tool_result") {
        if (this.#openProviderCalls.delete(block.tool_use_id)) this.#result(block);
        else
          this.#problem(
            `the result of ${block.tool_use_id} stands in an assistant message without an open provider-executed call before it`,
          );
      }
    }
    this.#unanswered = own;
  }

  #use(block: ToolUseBlock): void {
    const { id, name, input } = block;
    if (typeof id !== "string" || id === "") this.#problem(`a call of ${name} has an empty id`);
    else if (this.#callIds.has(id)) this.#problem(`the call id "${id}" is used twice`);
    this.#callIds.add(id);
    if (typeof name !== "string" || name === "") this.#problem(`the call ${id} has no name`);
    if (!isPlainObject(input)) this.#problem(`the input of call ${id} is not a plain object`);
  }

  #tool({ content }: ToolMessage): void {
    const expected = this.#unanswered;
    this.#unanswered = [];
    const ids = content.map((block) => block.tool_use_id);
    for (const block of content) this.#result(block);
    if (ids.length === 0) this.#problem("a tool message without results");
    if (expected.length === 0) {
      // Calls that the provider left open when the turn ended get their results here.
      for (const id of ids) {
        if (!this.#openProviderCalls.delete(id)) this.#problem(`a result of ${id} without a call right before it`);
      }
    } else if (ids.length !== expected.length || ids.some((id, i) => id !== expected[i])) {
      this.#problem(`its results are for [${ids.join(", ")}], the calls before it are [${expected.join(", ")}]`);
    }
  }

  #result(block: ToolResultBlock): void {
    const { meta, tool_use_id: id } = block;
    if (block.is_error === true) {
      if (meta !== undefined && !meta.reason) this.#problem(`the failed result of ${id} has meta without a reason`);
    } else if (meta?.reason !== undefined || meta?.executed !== undefined) {
      this.#problem(`the result of ${id} has meta.reason or meta.executed and is no error`);
    }
  }
}

/**
 * Everything that is wrong with a conversation, empty when it is sound: each assistant message with calls is followed by one
 * tool message that answers exactly these calls, once each and in order; results stand nowhere else; ids are non-empty and
 * unique; inputs are plain objects; a provider-executed call has its result after it in the same or a later assistant message
 * (or in a tool message, when the turn ended first); partial messages carry no calls; no assistant message is empty.
 */
export function historyProblems(messages: readonly Message[], options: HistoryOptions = {}): string[] {
  const problems: string[] = [];
  const checker = new HistoryChecker((problem) => problems.push(problem));
  for (const message of messages) checker.push(message);
  checker.end(options);
  return problems;
}

/** Throws an `Error` that lists every problem of the conversation. */
export function assertHistory(messages: readonly Message[], options: HistoryOptions = {}): void {
  const problems = historyProblems(messages, options);
  if (problems.length > 0) throw new Error(`The conversation is not sound:\n- ${problems.join("\n- ")}`);
}

function blocksOf(message: Message): readonly AssistantBlock[] {
  return message.role === "assistant" ? message.content : [];
}

function saysSomething(block: AssistantBlock): boolean {
  return block.type !== "text" || block.text !== "";
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
