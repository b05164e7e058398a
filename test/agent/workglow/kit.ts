// What the tests of AgentTask share: a model that needs no state, tools, and a recorder whose logs are checked after every test.
import { defineTool, onTurnEvent, type TaskTurnEvent, type TurnEventTarget } from "@callwire/agent";
import type { Clock, Model, TurnEvent } from "@callwire/wire";
import { assertEvents, type ScriptRound, scriptedModel } from "@callwire/wire/testing";
import { afterEach } from "vitest";
import * as z from "zod";

/** A model that answers round n with the n-th answer, in every turn, however many agents share it. */
export function answering(
  script: readonly ScriptRound[],
  options: { readonly clock?: Clock; readonly name?: string } = {},
): Model {
  return {
    name: options.name ?? "scripted",
    run(request, sink, { signal }) {
      const answer = script[request.round - 1];
      return scriptedModel(answer === undefined ? [] : [answer], options).run(request, sink, { signal });
    },
  };
}

/** Text and a call in the first round, text in the second. */
export const TWO_ROUNDS = [
  [{ text: "Let me " }, { text: "add. " }, { call: { id: "c1", name: "add", args: { a: 2 } } }],
  [{ text: "It is " }, { text: "five." }],
] as const satisfies readonly ScriptRound[];
export const TWO_ROUNDS_TEXT = "Let me add. It is five.";

export const add = defineTool({
  name: "add",
  description: "Adds two numbers",
  input: z.object({ a: z.number(), b: z.number().default(3) }),
  execute: ({ a, b }) => ({ sum: a + b }),
});

/** What a listener of turn events heard. */
export interface Heard {
  readonly all: readonly TaskTurnEvent[];
  /** Of one task, or of all. */
  events(taskId?: unknown): TurnEvent[];
  /** `type`, and the status of calls: `tool-call:pending`. */
  kinds(taskId?: unknown): string[];
  taskIds(): unknown[];
  stop(): void;
}

const recorders: TaskTurnEvent[][] = [];

/** Records what `target` tells. Every whole turn in it is checked against the contract after the test. */
export function hear(target: TurnEventTarget): Heard {
  const all: TaskTurnEvent[] = [];
  recorders.push(all);
  const stop = onTurnEvent(target, (told) => all.push(told));
  const events = (taskId?: unknown) =>
    all.filter((told) => taskId === undefined || told.taskId === taskId).map(({ event }) => event);
  return {
    all,
    events,
    kinds: (taskId) => events(taskId).map(kindOf),
    taskIds: () => [...new Set(all.map((told) => told.taskId))],
    stop,
  };
}

export function kindOf(event: TurnEvent): string {
  return event.type === "tool-call" ? `tool-call:${event.status}` : event.type;
}

/** The events of each turn, by task and turn. */
function turnsOf(told: readonly TaskTurnEvent[]): TurnEvent[][] {
  const turns = new Map<unknown, Map<string, TurnEvent[]>>();
  for (const { taskId, event } of told) {
    const ofTask = turns.get(taskId) ?? new Map<string, TurnEvent[]>();
    turns.set(taskId, ofTask);
    const log = ofTask.get(event.turnId);
    if (log === undefined) ofTask.set(event.turnId, [event]);
    else log.push(event);
  }
  return [...turns.values()].flatMap((ofTask) => [...ofTask.values()]);
}

afterEach(() => {
  for (const told of recorders.splice(0)) for (const log of turnsOf(told)) assertEvents(log);
});
