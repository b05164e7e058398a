// What must hold for every recorded turn: the log, the conversation, the result and the bodies say the same.
import { isDeepStrictEqual } from "node:util";
import type { TurnResult } from "@callwire/agent/turn";
import { isToolCall, type Message, type TurnEvent } from "@callwire/wire";
import { turnEventSchema } from "@callwire/wire/schemas";
import { eventLogProblems, historyProblems } from "@callwire/wire/testing";

/** A piece of argument text that no event may carry before its round is announced. */
export const ARGUMENT_MARK = "secret-argument";

/** A body began when `at` events had been told. */
export interface StartedBody {
  readonly toolCallId: string;
  readonly at: number;
}

/** One recorded turn. */
export interface Recording {
  /** The conversation before the turn. */
  readonly history: readonly Message[];
  readonly events: readonly TurnEvent[];
  readonly result: TurnResult | undefined;
  /** What was wrong while it ran. */
  readonly problems: readonly string[];
  /** The caller aborted when so many events had been told. */
  readonly abortedAt: number | undefined;
  readonly bodies: readonly StartedBody[];
  readonly maxRounds: number;
  /** A denial ends its round. Default false. */
  readonly stopRound?: boolean;
}

type Report = (problem: string) => void;

/** Everything that is wrong with a recorded turn; empty when nothing is. */
export function problemsOf(recording: Recording): string[] {
  const { events, history, result } = recording;
  const problems = [...recording.problems];
  const report: Report = (problem) => problems.push(problem);
  problems.push(...eventLogProblems(events, { input: history, output: result?.messages, text: result?.text }));
  for (const problem of historyProblems(result?.messages ?? [])) report(`I7: ${problem}`);
  for (const event of events) {
    // The schema drops what it does not know: equal means that the event has no member too many.
    const parsed = turnEventSchema.safeParse(event);
    if (!isDeepStrictEqual(parsed.data, event)) report(`E5: the schema has another ${event.type}: ${JSON.stringify(event)}`);
  }
  checkArguments(recording, report);
  checkOrderOfBodies(recording, report);
  checkAfterAbort(recording, report);
  checkAfterRefusal(recording, report);
  checkResult(recording, report);
  return problems;
}

/** I10, T1c: argument text shows in no event before the announcement, except the opted-in `tool-call-delta`; no prototype keys. */
function checkArguments({ events }: Recording, report: Report): void {
  let announced = false;
  for (const event of events) {
    const text = JSON.stringify(event);
    announced ||= event.type === "message" && event.message.role === "assistant";
    if (!announced && event.type !== "tool-call-delta" && text.includes(ARGUMENT_MARK))
      report(`I10: ${event.type} tells arguments`);
    if (text.includes("polluted")) report(`T1c: ${event.type} carries a prototype key`);
    if (event.type === "text-delta" && event.textDelta.includes("LATE")) report("P1c: text after the model's end");
  }
}

/** T3e: a body starts when every earlier call of its round has settled. I12: and once. */
function checkOrderOfBodies({ events, bodies }: Recording, report: Report): void {
  if (new Set(bodies.map(({ toolCallId }) => toolCallId)).size < bodies.length) report("I12: a body started twice");
  for (const { toolCallId, at } of bodies) {
    const told = events.slice(0, at).filter(isToolCall);
    const mine = told.findIndex((event) => event.toolCallId === toolCallId && event.status === "pending");
    for (const earlier of told.slice(0, mine)) {
      if (earlier.status !== "pending" || earlier.providerExecuted || earlier.round !== told[mine]?.round) continue;
      const last = told.findLast((event) => event.toolCallId === earlier.toolCallId);
      if (last?.status !== "completed" && last?.status !== "failed")
        report(`T3e: ${toolCallId} started before ${earlier.toolCallId} settled`);
    }
  }
}

/** T8d: what had not been taken up before the abort goes running and fails before its start. */
function checkAfterAbort({ events, abortedAt }: Recording, report: Report): void {
  if (abortedAt === undefined) return;
  const calls = events.filter(isToolCall);
  for (const { status, toolCallId: id } of events.slice(abortedAt).filter(isToolCall)) {
    if (
      status !== "running" ||
      calls.some((event) => event.toolCallId === id && event.status === "pending" && event.providerExecuted)
    )
      continue;
    const end = calls.findLast((event) => event.toolCallId === id);
    const fits = end?.status === "failed" && (end.reason === "cancelled-before-start" || end.reason === "skipped");
    if (!fits) report(`T8d: ${id} was taken up after the abort and ended ${end?.status}`);
  }
}

/** T7c, T7d: after a cancelled approval, or a denial that stops its round, no body of the round starts; a cancel ends the turn. */
function checkAfterRefusal({ events, bodies, result, stopRound }: Recording, report: Report): void {
  events.forEach((event, index) => {
    if (event.type !== "approval-answered") return;
    if (event.answer !== "cancel" && !(event.answer === "deny" && stopRound)) return;
    const roundOf = (id: string) => events.filter(isToolCall).find((call) => call.toolCallId === id)?.round;
    for (const { toolCallId, at } of bodies) {
      if (at > index && roundOf(toolCallId) === roundOf(event.toolCallId))
        report(`T7: ${toolCallId} started after ${event.toolCallId} was refused`);
    }
    const fits = result?.stopReason === "stopped" || result?.stopReason === "cancelled";
    if (event.answer === "cancel" && !fits) report(`T7d: an approval was cancelled, stopReason ${result?.stopReason}`);
  });
}

/** T8, T12: the result is what the log ends with; an abort is told when it came in time, and only then. */
function checkResult({ events, result, maxRounds, abortedAt }: Recording, report: Report): void {
  const end = events.at(-1);
  if (result === undefined || end?.type !== "turn-end") {
    report("T8b: there is no result, or turn-end is not the last event");
    return;
  }
  const told = { stopReason: end.stopReason, usage: end.usage, error: end.error?.message };
  const given = { stopReason: result.stopReason, usage: result.usage, error: result.error?.message };
  if (!isDeepStrictEqual(told, given)) report(`turn-end says ${JSON.stringify(told)}, the result ${JSON.stringify(given)}`);
  if (result.error?.code === "INTERNAL") report(`INTERNAL: ${result.error.message}`);
  const aborted = abortedAt !== undefined && abortedAt < events.length;
  if (aborted !== (result.stopReason === "cancelled")) report(`T8c: aborted: ${aborted}, stopReason ${result.stopReason}`);
  if (result.rounds > maxRounds) report("more rounds than maxRounds");
}
