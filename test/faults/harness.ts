// Plays the story with at most one fault at a counted place, and records what happened.
import { runTurn, type TurnResult } from "@callwire/agent/turn";
import type { Message, TurnEvent } from "@callwire/wire";
import type { Script } from "@callwire/wire/testing";
import { countedSignal } from "../kit/signals.ts";
import type { Recording, StartedBody } from "../properties/check.ts";
import { StepClock } from "./step-clock.ts";
import { type Faults, STORY, storyApprover, storyModel, storyTools } from "./story.ts";

/** What goes wrong, and where. Indexes count from 0. */
export type Fault =
  /** Inside the n-th event. */
  | { readonly at: "event"; readonly index: number; readonly what: "abort" | "throw" }
  /** At the n-th microtask of the run: between any two steps of anything that is awaited. */
  | { readonly at: "tick"; readonly index: number; readonly what: "abort" }
  /** At the n-th call of a port. */
  | { readonly at: "port"; readonly index: number; readonly what: "abort" | "throw" | "reject" | "never" };

export interface Setting {
  readonly fault?: Fault;
  /** Default: the story. */
  readonly script?: Script;
  /** The subscriber throws at every event; the hook: `onError` throws too. */
  readonly throws?: "subscriber" | "subscriber and hook";
  /** Bodies do not end once the turn is aborted. */
  readonly stubborn?: boolean;
  /** Microtasks between two moves of the clock. Default 16: more than the longest chain of the turn. */
  readonly ticks?: number;
}

/** What happened in a run. */
export interface FaultyRun extends Recording {
  /** The calls of ports in order, for example `clock.sleep`. */
  readonly ports: readonly string[];
  /** Microtasks until the turn had ended. */
  readonly ticks: number;
  /** Where `onError` heard of something. */
  readonly reports: readonly string[];
}

const HISTORY: readonly Message[] = [{ id: "m-0", role: "assistant", content: [{ type: "text", text: "Hello." }] }];
const faultAt = (where: string) => new Error(`fault at ${where}`);

class Theatre implements Faults {
  readonly events: TurnEvent[] = [];
  readonly ports: string[] = [];
  readonly bodies: StartedBody[] = [];
  readonly reports: string[] = [];
  readonly problems: string[] = [];
  readonly caller = countedSignal();
  readonly clock = new StepClock();
  result: TurnResult | undefined;
  over = false;
  ticks = 0;
  abortedAt: number | undefined;
  readonly #setting: Setting;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  #due(at: Fault["at"], index: number): Fault["what"] | undefined {
    const { fault } = this.#setting;
    return fault?.at === at && fault.index === index ? fault.what : undefined;
  }

  abort(reason: Error): void {
    this.abortedAt ??= this.events.length;
    this.caller.abort(reason);
  }

  readonly emit = (event: TurnEvent): void => {
    const what = this.#due("event", this.events.push(event) - 1);
    if (what === "abort") this.abort(faultAt("an event"));
    if (what === "throw" || this.#setting.throws !== undefined) throw faultAt("the subscriber");
  };

  readonly onError = (_error: unknown, where: string): void => {
    this.reports.push(where);
    if (this.#setting.throws === "subscriber and hook") throw faultAt("onError");
  };

  port<T>(name: string, call: () => T): T {
    const what = this.#due("port", this.ports.push(name) - 1);
    if (what === "abort") this.abort(faultAt(name));
    if (what === "throw" || what === "reject") throw faultAt(name);
    return call();
  }

  promise<T>(name: string, call: () => Promise<T>): Promise<T> {
    const what = this.#due("port", this.ports.push(name) - 1);
    if (what === "abort") this.abort(faultAt(name));
    if (what === "throw") throw faultAt(name);
    if (what === "reject") return Promise.reject(faultAt(name));
    return what === "never" ? new Promise<never>(() => undefined) : call();
  }

  started(toolCallId: string): void {
    if (this.caller.signal.aborted) this.problems.push(`T8a: the body of ${toolCallId} started after the abort`);
    this.bodies.push({ toolCallId, at: this.events.length });
  }

  /** Lets everything that is awaited go on, one microtask after the other, until nothing can. */
  async settle(): Promise<void> {
    const { ticks = 16 } = this.#setting;
    for (let i = 0; i < ticks; i++) {
      if (!this.over && this.#due("tick", this.ticks++) === "abort") this.abort(faultAt("a microtask"));
      await undefined;
    }
  }
}

function begin(theatre: Theatre, setting: Setting): void {
  const { clock, caller, emit, onError } = theatre;
  let ids = 0;
  const end = (result: TurnResult | undefined) => {
    theatre.result = result;
    theatre.over = true;
    if (caller.listeners() > 0) theatre.problems.push("a listener is left on the caller's signal");
  };
  runTurn({
    model: storyModel(theatre, clock, setting.script ?? STORY),
    prompt: "Look at a.txt.",
    messages: HISTORY,
    tools: storyTools(theatre, clock, setting.stubborn === true),
    approver: storyApprover(theatre, clock),
    signal: caller.signal,
    emit,
    onError,
    clock: {
      now: () => theatre.port("clock.now", () => clock.now()),
      sleep: (ms, signal) => theatre.promise("clock.sleep", () => clock.sleep(ms, signal)),
    },
    ids: () => theatre.port("ids", () => `id-${++ids}`),
    graceMs: 100,
  }).then(end, (error: unknown) => {
    theatre.problems.push(`T8g: runTurn rejected: ${String(error)}`);
    end(undefined);
  });
}

/** Plays the story to its end. A turn that waits for ever is aborted, as its caller would do. */
export async function playStory(setting: Setting = {}): Promise<FaultyRun> {
  const theatre = new Theatre(setting);
  const { clock, problems } = theatre;
  begin(theatre, setting);
  await theatre.settle();
  for (let idle = 0; !theatre.over && idle < 3; await theatre.settle()) {
    if (clock.step()) continue;
    idle++;
    theatre.abort(faultAt("a turn that waits for ever"));
  }
  if (!theatre.over) problems.push("the turn hangs though it was aborted");
  // Whatever is still on its way must find the turn closed.
  while (clock.step()) await theatre.settle();
  const { events, result, bodies, abortedAt, ports, ticks, reports } = theatre;
  return { history: HISTORY, events, result, problems, bodies, abortedAt, maxRounds: 8, ports, ticks, reports };
}
