// Plays a random case under a scheduler that decides the order of everything that is waited for, and notes what happened.
import { getEventListeners } from "node:events";
import { runTurn, type TurnResult } from "@callwire/agent/turn";
import type { Clock, Message, ToolContext, TurnEvent } from "@callwire/wire";
import type { ToolSpecCase, TurnCase } from "./case.ts";
import type { Recording, StartedBody } from "./check.ts";
import { ScriptModel } from "./script-model.ts";
import { scriptApprover, scriptTools } from "./script-tools.ts";

/** What `fc.scheduler()` gives. */
export interface Scheduler {
  schedule(task: Promise<void>, label?: string): Promise<void>;
  waitIdle(): Promise<void>;
  count(): number;
}

/** One played turn. */
export interface Played extends Recording {
  readonly turn: TurnCase;
  /** Something never came by itself, so the caller aborted at the end. */
  readonly rescued: boolean;
}

const HISTORY: readonly Message[] = [
  { id: "m1", role: "user", content: "earlier" },
  { id: "m2", role: "assistant", content: [{ type: "tool_use", id: "h", name: "t0", input: {} }] },
  { id: "m3", role: "tool", content: [{ type: "tool_result", tool_use_id: "h", content: [{ type: "text", text: "old" }] }] },
  { id: "m4", role: "assistant", content: [{ type: "text", text: "so it was" }] },
];

/** True for what the subscriber counts: previews of calls and their pictures aside. */
function counted(event: TurnEvent): boolean {
  if (event.type === "tool-call") return event.status !== "preparing" && event.status !== "discarded";
  return event.type !== "tool-call-progress" && event.type !== "tool-call-delta";
}

class Stage {
  readonly events: TurnEvent[] = [];
  readonly problems: string[] = [];
  readonly bodies: StartedBody[] = [];
  readonly controller = new AbortController();
  result: TurnResult | undefined;
  abortedAt: number | undefined;
  foreverWaits = 0;
  sleepers = 0;
  readonly #turn: TurnCase;
  readonly #scheduler: Scheduler;
  readonly #status = new Map<string, string>();
  readonly #allowed = new Set<string>();
  #seen = 0;
  #now = 1_000;

  constructor(turn: TurnCase, scheduler: Scheduler) {
    this.#turn = turn;
    this.#scheduler = scheduler;
  }

  readonly step = (label: string): Promise<void> => this.#scheduler.schedule(Promise.resolve(), label);
  readonly forever = (): void => {
    this.foreverWaits++;
  };
  readonly abort = (): void => {
    this.abortedAt ??= this.events.length;
    this.controller.abort(new Error("the caller had enough"));
  };
  readonly problem = (what: string): void => {
    this.problems.push(what);
  };

  readonly emit = (event: TurnEvent): void => {
    this.events.push(event);
    if (event.type === "tool-call") this.#status.set(event.toolCallId, event.status);
    if (event.type === "approval-answered" && event.answer === "allow") this.#allowed.add(event.toolCallId);
    if (!counted(event)) return;
    const { abort, subscriber } = this.#turn;
    if (abort.when === "event" && abort.n === this.#seen++) this.abort();
    if (subscriber !== "fine") throw new Error("the subscriber is broken");
  };

  readonly onError = (): void => {
    if (this.#turn.subscriber === "throws-twice") throw new Error("the error hook is broken too");
  };

  readonly bodyStarts = (tool: ToolSpecCase, input: unknown, context: ToolContext): void => {
    const id = context.toolCallId;
    if (this.controller.signal.aborted) this.problem(`T8a: the body of ${id} started after the abort`);
    if (this.#status.get(id) !== "running") this.problem(`the body of ${id} started while ${this.#status.get(id)}`);
    const gated = tool.gate === "yes" || tool.gate === "asks" || tool.gate === "throws";
    if (gated && !this.#allowed.has(id)) this.problem(`T7: the body of ${id} started without approval`);
    if (JSON.stringify(input).includes("polluted")) this.problem(`T1c: ${id} got a prototype key`);
    this.bodies.push({ toolCallId: id, at: this.events.length });
  };

  clock(): Clock {
    const kind = this.#turn.clock;
    return {
      now: () => this.#now,
      sleep: (ms, signal) => {
        if (kind === "throws") throw new Error("the clock is broken");
        if (kind === "rejects") return this.step("sleep").then(() => Promise.reject(new Error("the clock stopped")));
        const due = this.#now + ms;
        this.sleepers++;
        return new Promise((resolve) => {
          let waits = true;
          const wake = () => {
            if (waits) this.sleepers--;
            waits = false;
            resolve();
          };
          if (signal?.aborted) wake();
          else signal?.addEventListener("abort", wake, { once: true });
          const over = () => {
            if (waits) this.#now = Math.max(this.#now, due);
            wake();
          };
          this.step("sleep").then(over, over);
        });
      },
    };
  }
}

const settleMicrotasks = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Waits until nothing is scheduled and no promise chain can go on. */
async function drain(scheduler: Scheduler): Promise<void> {
  do {
    await scheduler.waitIdle();
    await settleMicrotasks();
  } while (scheduler.count() > 0);
}

/** Starts the turn; its end is noted on the stage. */
function begin(stage: Stage, turn: TurnCase, history: readonly Message[], early: boolean): void {
  const { step, forever, problem } = stage;
  const { signal } = stage.controller;
  let id = 0;
  runTurn({
    model: new ScriptModel({ answers: turn.answers, early, deaf: turn.deafModel, step, forever, problem }),
    prompt: "go",
    messages: history,
    tools: scriptTools(turn, stage),
    approver: scriptApprover(turn.replies, stage),
    signal,
    emit: stage.emit,
    onError: stage.onError,
    clock: stage.clock(),
    ids: () => `id-${++id}`,
    onDenied: turn.stopRound ? "stop-round" : "continue",
    liveText: turn.settledText ? "settled" : "live",
    argumentDeltas: turn.argumentDeltas,
    maxRounds: turn.maxRounds,
    graceMs: turn.graceMs,
    maxToolResultChars: turn.maxToolResultChars,
  }).then(
    (result) => {
      stage.result = result;
      if (stage.sleepers > 0) problem(`${stage.sleepers} sleepers are left on the clock`);
      if (getEventListeners(signal, "abort").length > 0) problem("a listener is left on the caller's signal");
    },
    (error: unknown) => problem(`T8g: runTurn rejected: ${String(error)}`),
  );
}

/** Aborts a turn that waits for something that never comes by itself. */
async function rescue(stage: Stage, scheduler: Scheduler): Promise<boolean> {
  if (stage.result !== undefined || stage.problems.length > 0) return false;
  if (stage.foreverWaits === 0 || stage.controller.signal.aborted) stage.problem("the turn hangs though nothing in it does");
  stage.abort();
  await drain(scheduler);
  if (stage.result === undefined) stage.problem("the turn hangs though it was aborted");
  return true;
}

/** Plays one case. `early`: whether the model pushes identities before the arguments are complete. */
export async function playCase(turn: TurnCase, scheduler: Scheduler, early = true): Promise<Played> {
  const stage = new Stage(turn, scheduler);
  const { events, problems, bodies } = stage;
  const onUnhandled = (error: unknown) => stage.problem(`unhandled rejection: ${String(error)}`);
  process.on("unhandledRejection", onUnhandled);
  const history = turn.history ? [...HISTORY] : [];
  if (turn.abort.when === "before") stage.abort();
  if (turn.abort.when === "step") stage.step("abort").then(stage.abort, stage.abort);
  begin(stage, turn, history, early);
  await drain(scheduler);
  const rescued = await rescue(stage, scheduler);
  process.off("unhandledRejection", onUnhandled);
  if (history.length !== (turn.history ? HISTORY.length : 0)) stage.problem("the caller's messages were changed");
  const { result, abortedAt } = stage;
  return {
    turn,
    history,
    events,
    result,
    problems,
    rescued,
    abortedAt,
    bodies,
    maxRounds: turn.maxRounds,
    stopRound: turn.stopRound,
  };
}
