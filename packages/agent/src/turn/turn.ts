// One turn: calls a model, runs the tools it asks for, feeds the results back, until it answers or stops.
import {
  type AssistantMessage,
  CallwireError,
  errorMessage,
  type ModelEnd,
  type StopReason,
  type TurnError,
} from "@callwire/wire";
import { type Accepted, acceptCalls, judge, type Verdict } from "./accept.ts";
import { announce, passProviderCall } from "./announce.ts";
import { Attempt } from "./attempt.ts";
import { WORDS } from "./body.ts";
import { openTurn } from "./open-turn.ts";
import { checkOptions, isPrompt, type TurnOptions, type TurnResult } from "./options.ts";
import { settle, tell } from "./result.ts";
import { Round } from "./round.ts";
import { readyTools } from "./tools.ts";
import { type TurnState, UNSEQUENCED } from "./turn-state.ts";

/** Why the loop stops; `undefined` means that another round follows. */
type Stop = { readonly reason: StopReason; readonly error?: TurnError & { readonly cause?: unknown } } | undefined;

/**
 * Runs one turn.
 *
 * @returns the outcome, for every outcome: this function never rejects. All that happens is told to `options.emit`.
 */
export async function runTurn(options: TurnOptions): Promise<TurnResult> {
  const turn = openTurn(options);
  let stop: Stop;
  try {
    stop = start(turn, options) ?? (await loop(turn));
  } catch (error) {
    stop = failure(error);
  }
  return close(turn, stop);
}

/** Opens the turn on the wire, then checks what it was given: a wrong option ends it, settled, with the prompt kept. */
function start(turn: TurnState, options: TurnOptions): Stop {
  const { ports } = turn;
  const id = ports.ids();
  const model = typeof ports.model?.name === "string" ? ports.model.name : "";
  turn.record({ type: "turn-start", seq: UNSEQUENCED, turnId: ports.turnId, at: turn.now(), v: 1, prompt: id, model });
  if (isPrompt(options.prompt)) turn.append({ id, role: "user", content: options.prompt });
  checkOptions(options);
  turn.tools = readyTools(options.tools ?? []);
  turn.specs = [...turn.tools.values()].map((tool) => tool.spec);
  return undefined;
}

async function loop(turn: TurnState): Promise<Stop> {
  const { maxRounds } = turn.ports;
  for (let number = 1; number <= maxRounds; number++) {
    if (turn.cancel.aborted) return { reason: "cancelled" };
    const stop = await runRound(turn, number);
    if (stop !== undefined) return stop;
  }
  return { reason: "max-rounds" };
}

async function runRound(turn: TurnState, number: number): Promise<Stop> {
  const attempt = new Attempt(turn, number, 1, []);
  const outcome = await attempt.run();
  if (outcome.kind === "failed") {
    turn.addUsage(outcome.error.usage);
    attempt.discard("stream-error");
    roundUsage(turn, attempt, outcome.error.usage);
    return failure(outcome.error);
  }
  if (outcome.kind === "cancelled" || turn.cancel.aborted)
    return keepText(turn, attempt, outcome.kind === "ended" ? outcome.end : undefined);
  const { end } = outcome;
  let accepted: Accepted;
  try {
    const verdict = judge(end);
    if (verdict.kind !== "accept") return turnDown(turn, attempt, { end, verdict });
    const checked = acceptCalls(turn, attempt, end);
    accepted = checked instanceof Promise ? await checked : checked;
  } catch (error) {
    // Calls that are no objects, arguments nested deeper than the stack: nothing of such an answer is used.
    const message = `The model's answer cannot be used: ${errorMessage(error)}`;
    return turnDown(turn, attempt, { end, verdict: { kind: "malformed", message } });
  }
  if (turn.cancel.aborted) return keepText(turn, attempt, end);
  return runCalls(turn, attempt, { end, accepted });
}

/** The answer is whole but not to be used: its calls go, its text stays only where the contract keeps it. */
function turnDown(
  turn: TurnState,
  attempt: Attempt,
  { end, verdict }: { readonly end: ModelEnd; readonly verdict: Verdict },
): Stop {
  turn.addUsage(end.usage);
  if (verdict.kind === "malformed") {
    attempt.discard("malformed");
    roundUsage(turn, attempt, end.usage);
    return { reason: "error", error: { code: "MALFORMED_RESPONSE", message: verdict.message } };
  }
  if (verdict.kind === "accept") return undefined;
  attempt.discardCalls(verdict.reason);
  attempt.note(verdict.reason);
  roundUsage(turn, attempt, end.usage);
  appendPartial(turn, attempt);
  return { reason: verdict.stop };
}

/** The user cancelled while the model was answering: what was read stays, without its calls (contract T4). */
function keepText(turn: TurnState, attempt: Attempt, end: ModelEnd | undefined): Stop {
  turn.addUsage(end?.usage);
  attempt.discardCalls("cancelled");
  attempt.note("cancelled");
  roundUsage(turn, attempt, end?.usage);
  appendPartial(turn, attempt);
  return { reason: "cancelled" };
}

function appendPartial(turn: TurnState, attempt: Attempt): void {
  const text = attempt.wholeText;
  if (text === "") return;
  attempt.releaseText();
  turn.text += text;
  turn.append({ id: turn.ports.ids(), role: "assistant", content: attempt.content([]), partial: true });
}

/** Announces the round's calls in one synchronous block, then runs them. */
async function runCalls(
  turn: TurnState,
  attempt: Attempt,
  { end, accepted }: { readonly end: ModelEnd; readonly accepted: Accepted },
): Promise<Stop> {
  const { calls, finished } = accepted;
  const text = attempt.wholeText;
  turn.rounds++;
  turn.text += text;
  turn.addUsage(end.usage);
  attempt.releaseText();
  for (const call of accepted.unresolved) attempt.discardCall(call, "unresolved");
  for (const call of accepted.coalesced) attempt.discardCall(call, "coalesced");
  attempt.note();
  roundUsage(turn, attempt, end.usage);
  const results = finished.map((call) => call.block).filter((block) => block !== undefined);
  // Reasoning alone is not a reply: it leaves no message.
  if (calls.length > 0 || text !== "" || results.length > 0) {
    const content = [...results, ...attempt.content(calls)];
    turn.append({ id: turn.ports.ids(), role: "assistant", content } satisfies AssistantMessage);
  }
  for (const call of calls) announce(turn, call);
  for (const call of finished) {
    turn.openProviderCalls.delete(call.toolCallId);
    if (call.block !== undefined) tell(turn, call, call.block);
  }
  for (const call of calls) if (call.model.providerExecuted) passProviderCall(turn, call);
  const ours = calls.filter((call) => !call.model.providerExecuted);
  if (ours.length === 0) return end.stop === "pause" ? undefined : { reason: "answered" };
  const round = new Round(turn, ours);
  const ended = await round.run();
  turn.append({ id: turn.ports.ids(), role: "tool", content: round.results() });
  if (turn.cancel.aborted) return { reason: "cancelled" };
  return ended === "stopped" ? { reason: "stopped" } : undefined;
}

function roundUsage(turn: TurnState, attempt: Attempt, usage: ModelEnd["usage"]): void {
  const { turnId } = turn.ports;
  turn.record({
    type: "round-usage",
    seq: UNSEQUENCED,
    turnId,
    at: turn.now(),
    round: attempt.round,
    usage: usage ?? {},
    attempts: attempt.facts,
  });
}

function failure(error: unknown): Stop {
  const code = CallwireError.is(error) ? error.code : "INTERNAL";
  return { reason: "error", error: { code, message: errorMessage(error), cause: error } };
}

/** Ends the turn: nothing is left open, and an abort that came at the last moment still counts. */
function close(turn: TurnState, stop: Stop): TurnResult {
  endProviderCalls(turn);
  const at = turn.now();
  // Nothing of the host's runs between this last look and the event.
  const cancelled = turn.cancel.aborted;
  turn.cancel.dispose();
  const stopReason = cancelled ? "cancelled" : (stop?.reason ?? "answered");
  const { text, messages, rounds, usage, ports } = turn;
  const error = stopReason === "error" ? stop?.error : undefined;
  const told = error === undefined ? undefined : { error: { code: error.code, message: error.message } };
  turn.record({ type: "turn-end", seq: UNSEQUENCED, turnId: ports.turnId, at, stopReason, ...told, usage });
  turn.close();
  return { text, messages, rounds, stopReason, usage, ...(error !== undefined && { error }) };
}

/** Calls that the provider left running: the turn is over, so nobody will hear of their results. */
function endProviderCalls(turn: TurnState): void {
  const open = [...turn.openProviderCalls.values()];
  if (open.length === 0) return;
  for (const call of open) settle(turn, call, { ok: false, reason: "interrupted", executed: "unknown", text: WORDS.interrupted });
  const content = open.map((call) => call.block).filter((block) => block !== undefined);
  turn.append({ id: turn.ports.ids(), role: "tool", content });
}
