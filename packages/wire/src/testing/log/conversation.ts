// The conversation beside the cards: calls announced right after their message, results that say what the events said.
import type {
  AssistantMessage,
  CallCompleted,
  CallFailed,
  CallPending,
  Message,
  ToolMessage,
  ToolResultBlock,
  ToolUseBlock,
  TurnEvent,
} from "../../index.ts";
import { jsonEqual } from "../json-equal.ts";
import { checkResult } from "./result-block.ts";
import type { Rounds } from "./rounds.ts";
import type { CallTrack, LogContext } from "./track.ts";

/** Checks the messages of one turn against its calls. */
export class Conversation {
  readonly #context: LogContext;
  readonly #rounds: Rounds;
  readonly #prompt: string;
  #messages = 0;
  /** Calls of the last assistant message, while their announcement is due, and how many of them came. */
  #uses: readonly ToolUseBlock[] = [];
  #announced = 0;
  /** Something came between them already. */
  #interrupted = false;
  /** Announced calls of this side whose results are due. */
  #unanswered: CallTrack[] = [];
  /** Calls whose result stands in an assistant message and whose end was not told yet. */
  readonly #resultsTold = new Set<string>();
  /** Results in the assistant message of calls that it announces itself. */
  readonly #blocks = new Map<string, ToolResultBlock>();
  #partial = false;

  constructor(context: LogContext, rounds: Rounds, prompt: string) {
    this.#context = context;
    this.#rounds = rounds;
    this.#prompt = prompt;
  }

  /** The text that was kept of an answer that did not come to its end is the last thing said. */
  get partial(): boolean {
    return this.#partial;
  }

  /** Anything but the next announcement breaks the block of message and announcements. */
  before(event: TurnEvent): void {
    if (this.#announced >= this.#uses.length || this.#interrupted) return;
    if (event.type === "tool-call" && event.status === "pending" && event.parentToolCallId === undefined) return;
    this.#report("T1", `between an assistant message and the pending of ${this.#missing()}`);
    this.#interrupted = true;
  }

  #missing(): string {
    return this.#uses
      .slice(this.#announced)
      .map(({ id }) => id)
      .join(", ");
  }

  announce(call: CallTrack, event: CallPending): void {
    const use = this.#uses[this.#announced];
    if (!event.providerExecuted) this.#unanswered.push(call);
    if (use === undefined) {
      this.#report("T1", `${call.id} is announced and no assistant message right before it has that call`);
      return;
    }
    this.#announced++;
    if (use.id !== call.id) this.#report("T1", `${call.id} is announced where the message has ${use.id}`);
    if (use.name !== call.name) this.#report("T1", `${call.id} is announced as ${call.name}, the message says ${use.name}`);
    if (use.id === call.id && !jsonEqual(use.input, event.input))
      this.#report("T1", `${call.id} is announced with another input than the message's`);
    if (use.providerExecuted !== event.providerExecuted)
      this.#report("T1", `${call.id}: message and pending differ in providerExecuted`);
    const block = this.#blocks.get(call.id);
    if (block === undefined) return;
    this.#blocks.delete(call.id);
    this.#expectEnd(call, block);
  }

  #expectEnd(call: CallTrack, block: ToolResultBlock): void {
    call.block = block;
    this.#resultsTold.add(call.id);
  }

  /** A call of this side goes running: what the provider has finished must be settled by now. */
  expectProviderCallsSettled(call: CallTrack): void {
    for (const id of this.#resultsTold) this.#report("T1", `${call.id} goes running before the provider's ${id} is settled`);
    this.#resultsTold.clear();
  }

  settle(call: CallTrack, event: CallCompleted | CallFailed): void {
    this.#resultsTold.delete(call.id);
    if (call.block !== undefined) {
      call.matched = true;
      checkResult(call, call.block, this.#context.report);
    } else if (call.pending?.providerExecuted && !(event.status === "failed" && event.reason === "interrupted")) {
      this.#report("T1", `${call.id}, run by the provider, settles before a message has its result`);
    }
  }

  message(message: Message): void {
    const first = this.#messages++ === 0;
    if (first && message.role === "user" && message.id !== this.#prompt) {
      this.#report("E", `turn-start names the prompt ${this.#prompt}, the first message is ${message.id}`);
    }
    if (message.id === this.#prompt && !(first && this.#rounds.round === 0)) this.#report("T11", "the prompt comes late");
    if (message.role === "tool") {
      this.#results(message);
      return;
    }
    this.#expectResults(`a message of role ${message.role} follows`);
    this.#expectAnnounced();
    if (message.role === "assistant") this.#assistant(message);
    else if (this.#rounds.live) this.#report("T11", `a message of role ${message.role} while an answer is live`);
  }

  #assistant(message: AssistantMessage): void {
    const uses = message.content.filter((block) => block.type === "tool_use");
    this.#checkText(message);
    if (message.partial) this.#keep();
    else {
      this.#rounds.accept(new Set(uses.map(({ id }) => id)));
      if (this.#partial) this.#report("T4", "an answer follows a partial message");
    }
    this.#uses = uses;
    this.#announced = 0;
    this.#interrupted = false;
    this.#blocks.clear();
    for (const block of message.content) if (block.type === "tool_result") this.#resultInAnswer(block);
  }

  #resultInAnswer(block: ToolResultBlock): void {
    const call = this.#context.calls.get(block.tool_use_id);
    if (call?.status === "running") this.#expectEnd(call, block);
    else if (call === undefined || call.status === "preparing") this.#blocks.set(block.tool_use_id, block);
    else this.#report("T10", `an assistant message has a result of ${call.id}, which is ${call.status}`);
  }

  #checkText(message: AssistantMessage): void {
    const rounds = this.#rounds;
    let text = "";
    for (const block of message.content) if (block.type === "text") text += block.text;
    if (!this.#context.stored && rounds.text !== text) {
      const shown = rounds.text === "" ? "nothing" : JSON.stringify(rounds.text.slice(0, 40));
      this.#report("T4", `the text of message ${message.id} is ${JSON.stringify(text.slice(0, 40))}, shown live was ${shown}`);
    }
    rounds.text = "";
  }

  #keep(): void {
    this.#partial = true;
    for (const call of this.#rounds.preparing) this.#report("T4", `a partial message comes before the discarded of ${call.id}`);
    if (this.#rounds.withdrawn) this.#report("T4", "a partial message keeps the text of a withdrawn attempt");
  }

  #results(message: ToolMessage): void {
    this.#rounds.order.checkTimes(message, this.#context.report);
    for (const block of message.content) {
      const call = this.#context.calls.get(block.tool_use_id);
      if (call?.terminal === undefined) {
        this.#report(
          "T1",
          `the result of ${block.tool_use_id} is in the conversation while the call is ${call?.status ?? "unknown"}`,
        );
      } else if (call.matched) this.#report("T10", `a second result of ${call.id}`);
      else checkResult(call, block, this.#context.report);
      if (call !== undefined) call.matched = true;
    }
    this.#expectResults("the tool message lacks them");
  }

  /** The results of a round are in the conversation before anything of the next one. */
  roundBegins(round: number): void {
    if (this.#unanswered[0]?.round !== round) this.#expectResults(`round ${round} begins`);
  }

  #expectResults(then: string): void {
    for (const call of this.#unanswered) {
      if (call.matched) continue;
      call.missed = true;
      this.#report("T10", `${call.id} has no result in its round (${then})`);
    }
    this.#unanswered = [];
  }

  #expectAnnounced(): void {
    if (this.#announced < this.#uses.length) this.#report("T1", `never announced: ${this.#missing()}`);
    this.#uses = [];
    this.#announced = 0;
  }

  end(): void {
    this.#expectResults("the turn ends");
    this.#expectAnnounced();
    for (const id of this.#blocks.keys()) this.#report("T10", `a result of ${id}, which was never announced`);
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}
