// What the steps of one turn share: its ports, its conversation, and the one way to emit.
import type { Approver, Clock, DurableEvent, Message, Model, ToolSpec, TurnEvent, Usage } from "@callwire/wire";
import type { CallIds } from "./call-ids.ts";
import type { CallRun } from "./call-run.ts";
import type { Cancel } from "./cancel.ts";
import type { HistoryBudget } from "./limits.ts";
import type { ReadyTool } from "./tools.ts";

/** What stands in an event's `seq` until it is recorded. */
export const UNSEQUENCED = 0;

/** Everything that stays fixed while a turn runs. */
export interface TurnPorts {
  readonly turnId: string;
  readonly model: Model;
  readonly system: string | undefined;
  readonly approver: Approver | undefined;
  readonly clock: Clock;
  readonly ids: () => string;
  readonly maxRounds: number;
  readonly maxToolResultChars: number;
  readonly graceMs: number;
  readonly stopRoundOnDenial: boolean;
  readonly holdText: boolean;
  readonly argumentDeltas: boolean;
}

/** The state of one turn. */
export class TurnState {
  readonly ports: TurnPorts;
  readonly messages: Message[];
  readonly budget: HistoryBudget;
  readonly callIds: CallIds;
  readonly cancel: Cancel;
  /** By name; set once the options are checked. */
  tools: ReadonlyMap<string, ReadyTool> = new Map();
  specs: readonly ToolSpec[] = [];
  /** Calls that the provider runs and has not finished, by their `toolCallId`. */
  readonly openProviderCalls = new Map<string, CallRun>();
  /** Tools with a body that outlived its call, and how many. */
  readonly livingBodies = new Map<string, number>();
  text = "";
  rounds = 0;
  usage: Usage = {};
  #seq = 0;
  #lastAt = 0;
  #ended = false;
  readonly #emit: ((event: TurnEvent) => void) | undefined;
  readonly #onError: ((error: unknown, where: string) => void) | undefined;

  constructor(parts: {
    readonly ports: TurnPorts;
    readonly messages: Message[];
    readonly budget: HistoryBudget;
    readonly callIds: CallIds;
    readonly cancel: Cancel;
    readonly emit: ((event: TurnEvent) => void) | undefined;
    readonly onError: ((error: unknown, where: string) => void) | undefined;
  }) {
    this.ports = parts.ports;
    this.messages = parts.messages;
    this.budget = parts.budget;
    this.callIds = parts.callIds;
    this.cancel = parts.cancel;
    this.#emit = parts.emit;
    this.#onError = parts.onError;
  }

  /** The clock's time, never earlier than before: events of one turn are in order even when the wall clock steps back. */
  now(): number {
    try {
      const now = this.ports.clock.now();
      if (now > this.#lastAt) this.#lastAt = now;
    } catch (error) {
      this.report(error, "clock");
    }
    return this.#lastAt;
  }

  /** Waits on the turn's clock. A clock that fails has run down: better too early than never. Never rejects. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.ports.clock.sleep(ms, signal);
    } catch (error) {
      if (!signal.aborted) this.report(error, "clock");
    }
  }

  /** Emits a transient event, unless the turn has ended. */
  emit(event: TurnEvent): void {
    if (this.#ended || this.#emit === undefined) return;
    try {
      const told: unknown = this.#emit(event);
      // The type lets an `async` subscriber pass: what it rejects with must not end the process.
      if (told instanceof Promise) told.catch((error: unknown) => this.report(error, "subscriber"));
    } catch (error) {
      this.report(error, "subscriber");
    }
  }

  /** The first open call that the provider knows by this id. */
  openProviderCall(providerId: string): CallRun | undefined {
    for (const call of this.openProviderCalls.values()) if (call.model.id === providerId) return call;
    return undefined;
  }

  /** Gives a durable event its `seq` and emits it. The event is the caller's own fresh object, with `seq: UNSEQUENCED`. */
  record(event: DurableEvent): void {
    if (this.#ended) return;
    // Written in place: a copy per event would double the cost of every call.
    (event as { seq: number }).seq = ++this.#seq;
    this.emit(event);
  }

  /** Appends a message to the conversation and mirrors it. */
  append(message: Message): void {
    this.messages.push(message);
    this.record({ type: "message", seq: UNSEQUENCED, turnId: this.ports.turnId, at: this.now(), message });
  }

  /** Tells the host's error hook what its own code threw. */
  report(error: unknown, where: string): void {
    tellHook(this.#onError, error, where);
  }

  addUsage(usage: Usage | undefined): void {
    // Some adapters say null.
    if (usage) this.usage = sumUsage(this.usage, usage);
  }

  /** After this nothing is emitted, whatever comes late. */
  close(): void {
    this.#ended = true;
  }
}

/** Tells an error hook what host code threw. */
export function tellHook(hook: ((error: unknown, where: string) => void) | undefined, error: unknown, where: string): void {
  try {
    const told: unknown = hook?.(error, where);
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // A throwing error hook has nobody left to hear of it.
  }
}

const TOKENS = ["inputTokens", "outputTokens", "cachedInputTokens", "reasoningTokens"] as const;

/** Adds token counts; a kind that neither side reports stays absent. */
export function sumUsage(a: Usage, b: Usage): Usage {
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const kind of TOKENS) {
    const x = a[kind];
    const y = b[kind];
    if (x !== undefined || y !== undefined) sum[kind] = (x ?? 0) + (y ?? 0);
  }
  return sum;
}
