// One turn of a log: hands each event to the checkers that know its rules, and closes the books at its end.
import type { ReasoningDelta, RoundUsage, TextDelta, TurnEnd, TurnEvent, TurnStart, Usage } from "../../index.ts";
import { Calls } from "./calls.ts";
import { Conversation } from "./conversation.ts";
import type { Questions } from "./questions.ts";
import { Rounds } from "./rounds.ts";
import type { LogContext } from "./track.ts";

const KEEPS_TEXT: ReadonlySet<string> = new Set(["length", "refusal", "cancelled"]);
const TOKENS = ["inputTokens", "outputTokens", "cachedInputTokens", "reasoningTokens"] as const;

/** Checks one turn, from its `turn-start` to its `turn-end`. */
export class TurnCheck {
  readonly turnId: string;
  readonly #context: LogContext;
  readonly #own: Rounds;
  /** Sub-agents, by the call they were made for. */
  readonly #forwarded = new Map<string, Rounds>();
  readonly #conversation: Conversation;
  readonly #calls: Calls;
  readonly #questions: Questions;
  readonly #usage: { -readonly [K in keyof Usage]: Usage[K] } = {};
  readonly #counted = new Set<number>();
  #at: number;

  constructor(context: LogContext, start: TurnStart, questions: Questions) {
    this.turnId = start.turnId;
    this.#context = context;
    this.#at = start.at;
    this.#own = new Rounds(context, false);
    this.#conversation = new Conversation(context, this.#own, start.prompt);
    this.#calls = new Calls(context, (parent) => this.#roundsOf(parent), this.#conversation);
    this.#questions = questions;
    if (start.v !== 1) this.#report("E", `turn-start has v ${start.v}`);
  }

  push(event: TurnEvent): void {
    if (event.at < this.#at) this.#report("E", `at goes back from ${this.#at} to ${event.at}`);
    this.#at = Math.max(this.#at, event.at);
    this.#conversation.before(event);
    const { round } = this.#own;
    this.#dispatch(event);
    if (this.#own.round !== round && event.type !== "message") this.#conversation.roundBegins(this.#own.round);
  }

  #dispatch(event: TurnEvent): void {
    switch (event.type) {
      case "tool-call":
        this.#calls.push(event);
        return;
      case "message":
        this.#conversation.message(event.message);
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#delta(event);
        return;
      case "attempt-discarded":
        this.#own.withdraw(event);
        return;
      case "turn-end":
        this.#end(event);
        return;
      case "round-usage":
        this.#roundUsage(event);
        return;
      default:
        this.#aboutACall(event);
    }
  }

  #aboutACall(event: TurnEvent): void {
    switch (event.type) {
      case "approval-requested":
        this.#questions.approvalRequested(event);
        return;
      case "approval-answered":
        this.#questions.approvalAnswered(event);
        return;
      case "input-requested":
        this.#questions.inputRequested(event);
        return;
      case "input-answered":
        this.#questions.inputAnswered(event);
        return;
      case "tool-call-progress":
        this.#calls.progress(event);
        return;
      case "tool-call-delta":
        this.#calls.fragment(event);
        return;
      default:
    }
  }

  #roundsOf(parent: string | undefined): Rounds {
    if (parent === undefined) return this.#own;
    const known = this.#forwarded.get(parent);
    if (known !== undefined) return known;
    const rounds = new Rounds(this.#context, true);
    this.#forwarded.set(parent, rounds);
    return rounds;
  }

  #delta(event: TextDelta | ReasoningDelta): void {
    this.#own.enter(event, event.type);
    if (event.textDelta === "") this.#report("E", `an empty ${event.type}`);
    if (event.type === "reasoning-delta") return;
    if (event.port !== "text") this.#report("E", `text-delta has port ${event.port}`);
    this.#own.text += event.textDelta;
    if (this.#conversation.partial) this.#report("T4", "text after a partial message");
  }

  #roundUsage(event: RoundUsage): void {
    this.#own.enterRound(event.round, "round-usage");
    if (this.#counted.has(event.round)) this.#report("E", `a second round-usage of round ${event.round}`);
    this.#counted.add(event.round);
    for (const kind of TOKENS) {
      const tokens = event.usage[kind];
      if (tokens !== undefined) this.#usage[kind] = (this.#usage[kind] ?? 0) + tokens;
    }
    if (event.round === this.#own.round) this.#own.checkFacts(event);
  }

  #end(event: TurnEnd): void {
    const { stopReason, error, usage } = event;
    if ((error !== undefined) !== (stopReason === "error")) {
      this.#report("E", `stopReason is ${stopReason} and there is ${error === undefined ? "no" : "an"} error`);
    }
    this.#calls.end();
    this.#conversation.end();
    this.#own.expectNoText("the turn ends");
    const kept = this.#conversation.partial || this.#own.keptDiscards;
    if (kept && !KEEPS_TEXT.has(stopReason))
      this.#report("T4", `an attempt is neither accepted nor withdrawn and stopReason is ${stopReason}`);
    if (this.#counted.size === 0) return;
    for (const kind of TOKENS) {
      if (usage[kind] !== this.#usage[kind])
        this.#report("E", `usage.${kind} is ${usage[kind]}, the rounds sum up to ${this.#usage[kind]}`);
    }
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}
