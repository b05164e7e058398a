// Checks a log of turn events against the contract: order, life of each call, and that conversation and cards agree.
import { isTurnEvent, LiveFold, type Message, type TurnEvent } from "../index.ts";
import { HistoryChecker } from "./history-validator.ts";
import { jsonEqual } from "./json-equal.ts";
import { Questions } from "./log/questions.ts";
import type { CallTrack, LogContext } from "./log/track.ts";
import { isTransientKind } from "./log/transient.ts";
import { TurnCheck } from "./log/turn.ts";

export interface EventCheckOptions {
  /** `seq` of the last durable event before the log. Default 0. */
  readonly after?: number;
  /** The log comes from a store: it has no transient events. Default false: it has all of them. */
  readonly stored?: boolean;
  /** Bodies run one at a time (concurrency 1): check their order in every round. Default false. */
  readonly serial?: boolean;
  /** The conversation before the log. Its ids count as used. */
  readonly input?: readonly Message[];
  /** The conversation after the log: `input` and the `message` events must give it. */
  readonly output?: readonly Message[];
  /** The accepted text of all turns of the log. */
  readonly text?: string;
}

/**
 * Checks a log of whole turns, one after the other, event by event. Linear. Each problem names the event and, in brackets, the
 * rule of the contract.
 */
export class EventChecker {
  readonly #problems: string[] = [];
  readonly #options: EventCheckOptions;
  readonly #context: LogContext;
  readonly #questions: Questions;
  readonly #history: HistoryChecker;
  readonly #fold = new LiveFold();
  readonly #messages: Message[];
  readonly #ended = new Set<string>();
  #turn: TurnCheck | undefined;
  #text = "";
  #seq: number;
  #index = -1;
  #event: unknown;
  #over = false;

  constructor(options: EventCheckOptions = {}) {
    const input = options.input ?? [];
    this.#options = options;
    this.#seq = options.after ?? 0;
    const report = (rule: string, problem: string) => this.#problems.push(`${this.#where()}: ${problem} [${rule}]`);
    const calls = new Map<string, CallTrack>();
    this.#context = {
      report,
      stored: options.stored === true,
      serial: options.serial === true,
      calls,
      usedIds: callIdsOf(input),
    };
    this.#questions = new Questions(this.#context);
    this.#history = new HistoryChecker((problem) => report("T10", problem));
    this.#history.reserve(input);
    this.#messages = [...input];
  }

  /** What is wrong so far; complete after `end`. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  push(event: TurnEvent): void {
    this.#index++;
    this.#event = event;
    if (!isTurnEvent(event)) {
      this.#report("E", "not a turn event");
      return;
    }
    this.#checkSeq(event);
    if (event.type === "live-state") {
      this.#checkLive(event);
      return;
    }
    this.#fold.push(event);
    this.#inTurn(event);
    if (event.type === "message") this.#mirror(event.message);
  }

  #mirror(message: Message): void {
    this.#messages.push(message);
    this.#history.push(message);
    if (message.role !== "assistant") return;
    for (const block of message.content) if (block.type === "text") this.#text += block.text;
  }

  /** The log is over. Returns all problems. */
  end(): readonly string[] {
    const { output, text } = this.#options;
    this.#over = true;
    if (this.#turn !== undefined) this.#report("I5", `turn ${this.#turn.turnId} has no turn-end`);
    this.#history.end();
    if (output !== undefined) this.#checkMirror(output);
    if (text !== undefined && text !== this.#text) {
      this.#report("T4", `the accepted text is ${JSON.stringify(this.#text)}, the turn says ${JSON.stringify(text)}`);
    }
    return this.#problems;
  }

  #inTurn(event: Exclude<TurnEvent, { readonly type: "live-state" }>): void {
    const { turnId } = event;
    if (event.type === "turn-start") {
      if (this.#turn !== undefined) this.#report("T8", `turn ${turnId} starts before the turn-end of ${this.#turn.turnId}`);
      if (this.#ended.has(turnId)) this.#report("T8", `turn ${turnId} starts twice`);
      this.#turn = new TurnCheck(this.#context, event, this.#questions);
      return;
    }
    if (this.#turn?.turnId !== turnId) {
      const why = this.#ended.has(turnId) ? `after the turn-end of ${turnId}` : `turn ${turnId} is not running: no turn-start`;
      this.#report("T8", why);
      return;
    }
    this.#turn.push(event);
    if (event.type !== "turn-end") return;
    this.#ended.add(turnId);
    this.#turn = undefined;
  }

  #checkSeq(event: TurnEvent): void {
    const seq = "seq" in event ? event.seq : undefined;
    if (isTransientKind(event)) {
      if ("seq" in event) this.#report("E", "a transient event has a seq");
      if (this.#context.stored && event.type !== "live-state") this.#report("E", "a store has a transient event");
      return;
    }
    if (seq !== this.#seq + 1) this.#report("E", `seq is ${seq}, not ${this.#seq + 1}`);
    this.#seq = seq ?? this.#seq + 1;
  }

  #checkLive(event: Extract<TurnEvent, { readonly type: "live-state" }>): void {
    if (this.#context.stored) return;
    const expected = { ...this.#fold.snapshot(), at: event.at };
    if (!jsonEqual(event, expected)) this.#report("E", "the live-state is not the fold of the events before it");
  }

  #checkMirror(output: readonly Message[]): void {
    const mirrored = this.#messages;
    const differs = mirrored.findIndex((message, i) => !jsonEqual(message, output[i]));
    if (differs >= 0) this.#report("T11", `message ${differs} of the output is not the one that was told`);
    else if (output.length > mirrored.length) this.#report("T11", `message ${mirrored.length} of the output was never told`);
  }

  #where(): string {
    if (this.#over) return "the end of the log";
    return `event ${this.#index}${isTurnEvent(this.#event) ? ` (${nameOf(this.#event)})` : ""}`;
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}

/** Everything that is wrong with a log, empty when it keeps the contract. */
export function eventLogProblems(events: Iterable<TurnEvent>, options: EventCheckOptions = {}): readonly string[] {
  const checker = new EventChecker(options);
  for (const event of events) checker.push(event);
  return checker.end();
}

/** Throws an `Error` that lists what is wrong with a log. */
export function assertEvents(events: Iterable<TurnEvent>, options: EventCheckOptions = {}): void {
  const problems = eventLogProblems(events, options);
  if (problems.length > 0) throw new Error(`The log breaks the contract:\n- ${problems.join("\n- ")}`);
}

function nameOf(event: TurnEvent): string {
  if (event.type === "tool-call") return `${event.status} ${event.toolCallId}`;
  if (event.type === "message") return `message ${event.message.role}`;
  return "toolCallId" in event ? `${event.type} ${event.toolCallId}` : event.type;
}

function callIdsOf(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { role, content } of messages) {
    if (role === "assistant") for (const block of content) if (block.type === "tool_use") ids.add(block.id);
  }
  return ids;
}
