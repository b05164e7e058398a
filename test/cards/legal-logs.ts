// Random logs that a turn may emit: rounds, an abandoned attempt before some, every ending, calls that overlap.
import { FAIL_REASONS, type TurnEvent } from "@callwire/wire";
import fc from "fast-check";
import * as make from "./events.ts";

interface CallPlan {
  readonly prepared: boolean;
  readonly asked: boolean;
  readonly progress: boolean;
  readonly look: boolean;
  readonly end: "completed" | (typeof FAIL_REASONS)[number];
}

interface RoundPlan {
  /** Calls of a first attempt that is abandoned. */
  readonly abandoned: number;
  /** Calls that only seemed to come. */
  readonly unresolved: number;
  readonly calls: readonly CallPlan[];
  /** Orders the steps of overlapping calls. */
  readonly picks: readonly number[];
}

const callPlan: fc.Arbitrary<CallPlan> = fc.record({
  prepared: fc.boolean(),
  asked: fc.boolean(),
  progress: fc.boolean(),
  look: fc.boolean(),
  end: fc.constantFrom("completed" as const, ...FAIL_REASONS),
});

const roundPlan: fc.Arbitrary<RoundPlan> = fc.record({
  abandoned: fc.nat({ max: 2 }),
  unresolved: fc.nat({ max: 1 }),
  calls: fc.array(callPlan, { minLength: 1, maxLength: 3 }),
  picks: fc.array(fc.nat({ max: 11 }), { maxLength: 12 }),
});

/** One whole turn. Ids of calls that settle begin with `s`, those of withdrawn ones with `w`. */
export const legalLog: fc.Arbitrary<readonly TurnEvent[]> = fc
  .array(roundPlan, { minLength: 1, maxLength: 3 })
  .map((rounds) => [make.turnStart(), ...rounds.flatMap((plan, i) => roundEvents(plan, i + 1)), make.turnEnd()]);

function roundEvents(plan: RoundPlan, round: number): readonly TurnEvent[] {
  const attempt = plan.abandoned > 0 ? 2 : 1;
  const place = { round, attempt };
  const named = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${round}${i}`);
  const abandoned = named("w", plan.abandoned);
  const unresolved = named("wu", plan.unresolved);
  const calls = plan.calls.map((call, i) => ({ ...call, id: `s${round}${i}` }));
  return [
    ...abandoned.map((id) => make.preparing(id, { round })),
    ...abandoned.map((id) => make.discarded(id, { round, reason: "retry" })),
    ...(plan.abandoned > 0 ? [make.attemptDiscarded({ round })] : []),
    ...calls.filter((call) => call.prepared).map((call) => make.preparing(call.id, place)),
    ...unresolved.map((id) => make.preparing(id, place)),
    ...unresolved.map((id) => make.discarded(id, { ...place, reason: "unresolved" })),
    ...calls.map((call) => make.pending(call.id, { ...place, ...(call.look && { title: `Read ${call.id}`, kind: "read" }) })),
    ...interleaved(
      calls.map((call) => runEvents(call, call.id, place)),
      plan.picks,
    ),
  ];
}

function runEvents(
  call: CallPlan,
  id: string,
  place: { readonly round: number; readonly attempt: number },
): readonly TurnEvent[] {
  const { end } = call;
  return [
    make.running(id, place),
    ...(call.asked
      ? [make.approvalRequested(id, { approvalId: `q-${id}` }), make.approvalAnswered(id, { approvalId: `q-${id}` })]
      : []),
    ...(call.progress ? [make.progress(id, { message: "half" })] : []),
    end === "completed"
      ? make.completed(id, { ...place, output: { id }, display: [id] })
      : make.failed(id, { ...place, reason: end, executed: "unknown" }),
  ];
}

function interleaved(queues: readonly (readonly TurnEvent[])[], picks: readonly number[]): readonly TurnEvent[] {
  const rest = queues.map((queue) => [...queue]);
  const events: TurnEvent[] = [];
  for (let i = 0; rest.some((queue) => queue.length > 0); i++) {
    const open = rest.filter((queue) => queue.length > 0);
    const next = open[(picks[i] ?? 0) % open.length]?.shift();
    if (next !== undefined) events.push(next);
  }
  return events;
}

/** The ids of all calls in a log, in the order of their first event. */
export function callIds(log: readonly TurnEvent[]): readonly string[] {
  return [...new Set(log.flatMap((event) => ("toolCallId" in event ? [event.toolCallId] : [])))];
}
