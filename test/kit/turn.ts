// Plays one turn on a scripted model and a manual clock, and checks it against the contract, whatever the test is about.
import { isDeepStrictEqual } from "node:util";
import { runTurn, type TurnOptions, type TurnResult } from "@callwire/agent/turn";
import {
  type Approver,
  type CallStatus,
  type Clock,
  isToolCall,
  type Message,
  type Model,
  type ModelRequest,
  type Tool,
  type ToolCallEvent,
  type ToolResultBlock,
  type TurnEvent,
} from "@callwire/wire";
import { turnEventSchema } from "@callwire/wire/schemas";
import {
  assertEvents,
  assertHistory,
  historyProblems,
  type ManualClock,
  manualClock,
  type Script,
  type ScriptStep,
  scriptedModel,
} from "@callwire/wire/testing";
import { expect } from "vitest";
import { countedSignal } from "./signals.ts";

/** What a test can do while the turn runs. */
export interface Stage {
  readonly clock: ManualClock;
  /** What was told so far. */
  readonly events: readonly TurnEvent[];
  /** Aborts the caller's signal. */
  abort(): void;
}

type Given = Omit<TurnOptions, "model" | "prompt" | "tools" | "approver" | "signal" | "emit" | "clock" | "onError">;

export interface PlayOptions extends Partial<Given> {
  /** What the model answers. Default: nothing but `Done.` */
  readonly script?: Script;
  /** Instead of a script. */
  readonly model?: Model;
  readonly prompt?: TurnOptions["prompt"];
  readonly tools?: readonly Tool[] | ((stage: Stage) => readonly Tool[]);
  readonly approver?: Approver | ((stage: Stage) => Approver);
  /** A subscriber: called inside every event. */
  readonly on?: (event: TurnEvent, stage: Stage) => void;
  /** Aborts before the turn starts, or at this time on the turn's clock, which starts at 0. */
  readonly abortAt?: "start" | number;
  /** Replaces `onError`. */
  readonly onError?: TurnOptions["onError"];
  readonly clock?: Clock;
}

export interface PlayedTurn {
  readonly result: TurnResult;
  readonly events: readonly TurnEvent[];
  /** The statuses of each call in order: `{ a: "preparing pending running completed" }`. */
  readonly calls: Readonly<Record<string, string>>;
  /** All events in order: `type`, and for calls `status id`. */
  readonly words: readonly string[];
  /** The requests, each with the messages as they were then. */
  readonly requests: readonly ModelRequest[];
  /** Result blocks of the turn, in the order of the conversation. */
  readonly blocks: readonly ToolResultBlock[];
  /** Where `onError` heard of something. */
  readonly reports: readonly string[];
  /** Messages that this turn appended. */
  readonly added: readonly Message[];
  /** The event of a call with this status; throws when there is none. */
  event<S extends CallStatus>(toolCallId: string, status: S): Extract<ToolCallEvent, { readonly status: S }>;
  /** The result block of a call; throws when there is none. */
  block(toolCallId: string): ToolResultBlock;
  ofType<T extends TurnEvent["type"]>(type: T): Extract<TurnEvent, { readonly type: T }>[];
}

/** One answer that makes these calls, then one that says `Done.` */
export function oneRound(...steps: readonly ScriptStep[]): Script {
  return [steps, [{ text: "Done." }]];
}

/** A step that makes a call. */
export function call(id: string, name: string, args: object = {}, more: object = {}) {
  return { call: { id, name, args: args as Record<string, never>, ...more } };
}

/** A clock that counts who sleeps on it: a turn leaves no timer behind. */
class CountedClock implements Clock {
  sleeping = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeping++;
    await this.#clock.sleep(ms, signal).finally(() => this.sleeping--);
  }
}

/** Refuses unsound requests as a provider answers 400, and keeps the sound ones. */
function watched(model: Model, requests: ModelRequest[]): Model {
  if (typeof model?.run !== "function") return model;
  return {
    name: model.name,
    run(request, sink, options) {
      requests.push({ ...request, messages: [...request.messages] });
      const problems = historyProblems(request.messages, { request: true });
      if (problems.length > 0) return Promise.reject(new Error(`400 invalid request: ${problems.join("; ")}`));
      return model.run(request, sink, options);
    },
  };
}

export function wordOf(event: TurnEvent): string {
  return event.type === "tool-call" ? `${event.status} ${event.toolCallId}` : event.type;
}

/**
 * Plays a turn to its end; the clock is moved whenever the turn waits. Then lets everything go on that was left behind, and
 * checks: the log, the conversation, the schemas of all events, and that nothing hangs on the caller's signal or the clock.
 */
export async function playTurn(options: PlayOptions = {}): Promise<PlayedTurn> {
  const { script = [[{ text: "Done." }]], on, abortAt, tools, approver, messages = [], model, ...given } = options;
  const clock = manualClock();
  const counted = countedSignal();
  const events: TurnEvent[] = [];
  const requests: ModelRequest[] = [];
  const reports: string[] = [];
  const stage: Stage = { clock, events, abort: () => counted.abort(new Error("the caller had enough")) };
  const turnClock = new CountedClock(options.clock ?? clock);
  let ids = 0;
  if (abortAt === "start") stage.abort();
  else if (abortAt !== undefined) clock.sleep(abortAt).then(stage.abort, stage.abort);
  const before = structuredClone(messages);
  const running = runTurn({
    prompt: "go",
    turnId: "turn",
    ids: () => `m${++ids}`,
    onError: (_error, where) => reports.push(where),
    ...given,
    messages,
    model: watched("model" in options ? (model as Model) : scriptedModel(script, { clock }), requests),
    tools: typeof tools === "function" ? tools(stage) : tools,
    approver: typeof approver === "function" ? approver(stage) : approver,
    signal: counted.signal,
    clock: turnClock,
    emit(event) {
      events.push(event);
      on?.(event, stage);
    },
  });
  const result = await clock.runUntil(running);
  expect(counted.listeners(), "listeners on the caller's signal").toBe(0);
  expect(turnClock.sleeping, "sleepers of the turn").toBe(0);
  // Bodies and answers that were left behind come to their end now: nobody must hear of them.
  await clock.runAll();
  expect(isDeepStrictEqual(messages, before), "the caller's messages are unchanged").toBe(true);
  checkLog(events, before, result);
  return played({ result, events, requests, reports, before: messages.length });
}

function checkLog(events: readonly TurnEvent[], input: readonly Message[], result: TurnResult): void {
  const { messages: output, text, stopReason, usage, error } = result;
  assertEvents(events, { input, output, text });
  if (historyProblems(input).length === 0) assertHistory(output);
  // The schemas drop what they do not know: equal means that no event has a member too many.
  for (const event of events) expect(turnEventSchema.parse(event)).toEqual(event);
  expect(JSON.parse(JSON.stringify(events)), "events are JSON").toEqual(events);
  const told = error === undefined ? {} : { error: { code: error.code, message: error.message } };
  expect(events.at(-1)).toMatchObject({ type: "turn-end", stopReason, usage, ...told });
  expect(error?.code).not.toBe("INTERNAL");
}

interface Raw {
  readonly result: TurnResult;
  readonly events: readonly TurnEvent[];
  readonly requests: readonly ModelRequest[];
  readonly reports: readonly string[];
  /** Number of messages before the turn. */
  readonly before: number;
}

function played({ result, events, requests, reports, before }: Raw): PlayedTurn {
  const calls: Record<string, string> = {};
  for (const { toolCallId: id, status } of events.filter(isToolCall)) calls[id] = id in calls ? `${calls[id]} ${status}` : status;
  const added = result.messages.slice(before);
  const blocks = added.flatMap(resultsOf);
  return {
    result,
    events,
    calls,
    words: events.map(wordOf),
    requests,
    blocks,
    reports,
    added,
    event<S extends CallStatus>(toolCallId: string, status: S) {
      const found = events.filter(isToolCall).find((event) => event.toolCallId === toolCallId && event.status === status);
      if (found === undefined) throw new Error(`${toolCallId} was never ${status}; the calls: ${JSON.stringify(calls)}`);
      return found as Extract<ToolCallEvent, { readonly status: S }>;
    },
    block(toolCallId) {
      const found = blocks.find((block) => block.tool_use_id === toolCallId);
      if (found === undefined) throw new Error(`${toolCallId} has no result block`);
      return found;
    },
    ofType<T extends TurnEvent["type"]>(type: T) {
      return events.filter((event): event is Extract<TurnEvent, { readonly type: T }> => event.type === type);
    },
  };
}

function resultsOf(message: Message): readonly ToolResultBlock[] {
  if (typeof message.content === "string") return [];
  return message.content.filter((block): block is ToolResultBlock => block.type === "tool_result");
}
