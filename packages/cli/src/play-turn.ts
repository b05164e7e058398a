// Plays one turn on an AgentTask and shows it: where task, view, person and interrupts meet.
import {
  AgentCancelledError,
  AgentFailedError,
  AgentTask,
  type AgentTaskInput,
  onTurnEvent,
  type TurnResult,
} from "@callwire/agent";
import type { CardCounts } from "@callwire/cards";
import type { Approver } from "@callwire/wire";
import { KeyApprover, standingApprover } from "./approvers.ts";
import { type Interrupts, watchInterrupts } from "./interrupts.ts";
import { listenToKeys } from "./keyboard.ts";
import type { Streams } from "./output.ts";
import { JsonView } from "./views/json.ts";
import { LiveView } from "./views/live.ts";
import { PlainView } from "./views/plain.ts";
import type { View } from "./views/view.ts";

/** How a turn is shown, and who answers its questions. */
export interface Staging {
  readonly streams: Streams;
  /** Events as NDJSON instead of cards. */
  readonly json: boolean;
  /** The answer to every question, where a flag gave one. */
  readonly standing: "allow" | "deny" | undefined;
}

export interface PlayedTurn {
  readonly result: TurnResult;
  readonly counts: CardCounts;
  /** What the process exits with when it was interrupted; undefined when it was not. */
  readonly interrupted: number | undefined;
}

/**
 * Runs a turn and shows it. Listens for Ctrl-C and signals meanwhile: the first one cancels and settles the turn.
 * Resolves for every turn that ended, failed and cancelled ones included; rejects when no turn took place.
 */
export async function playTurn(input: AgentTaskInput, staging: Staging): Promise<PlayedTurn> {
  const view = makeView(staging);
  const interrupts = watchInterrupts();
  const offClosed = staging.streams.out.onClosed(() => interrupts.interrupt("SIGPIPE"));
  const person = seatPerson(staging, view, interrupts);
  try {
    const result = await runTask({ ...input, ...person.asked }, view, interrupts.signal);
    return { result, counts: view.counts(), interrupted: interrupts.exitCode };
  } finally {
    view.close();
    person.leave();
    offClosed();
    interrupts.dispose();
  }
}

function makeView({ json, streams: { out, err } }: Staging): View {
  if (json) return new JsonView(out, err);
  return out.live ? new LiveView(out) : new PlainView(out, err);
}

interface Person {
  /** Empty: nobody can be asked, and calls that need approval fail. */
  readonly asked: { readonly approver?: Approver };
  leave(): void;
}

/** A person can be asked when there are keys to press and a terminal to read the question on. */
function seatPerson({ streams, json, standing }: Staging, view: View, interrupts: Interrupts): Person {
  if (standing !== undefined) return { asked: { approver: standingApprover(standing) }, leave: () => {} };
  const { input, out, err } = streams;
  const readable = json || !out.live ? err.terminal : true;
  if (input.isTTY !== true || !readable) return { asked: {}, leave: () => {} };
  const approver = new KeyApprover((request) => view.question(request));
  const leave = listenToKeys(input, (key) => {
    if (key === "ctrl-c") interrupts.interrupt("SIGINT");
    else approver.press(key);
  });
  return { asked: { approver }, leave };
}

async function runTask(input: AgentTaskInput, view: View, signal: AbortSignal): Promise<TurnResult> {
  const task = new AgentTask();
  const stop = onTurnEvent(task, ({ event }) => view.event(event));
  try {
    return await task.run(input, { signal });
  } catch (error) {
    if (error instanceof AgentFailedError || error instanceof AgentCancelledError) return error.turn;
    throw error;
  } finally {
    stop();
  }
}
