// From a model's end value to the calls of a round: judged, named, coalesced, checked.
import type { ModelCall, ModelEnd } from "@callwire/wire";
import type { Attempt, PreparedCall } from "./attempt.ts";
import { planCall } from "./call.ts";
import type { CallRun } from "./call-run.ts";
import { providerBlock } from "./result.ts";
import { canonical } from "./sanitise.ts";
import type { TurnState } from "./turn-state.ts";

/** What becomes of an answer that arrived whole. */
export type Verdict =
  | { readonly kind: "accept" }
  /** The text is kept, no call is. */
  | { readonly kind: "cut"; readonly reason: "truncated" | "refused"; readonly stop: "length" | "refusal" }
  | { readonly kind: "malformed"; readonly message: string };

/** Judges a batch (contract T5). */
export function judge(end: ModelEnd): Verdict {
  if (end.stop === "length") return { kind: "cut", reason: "truncated", stop: "length" };
  if (end.stop === "refusal") return { kind: "cut", reason: "refused", stop: "refusal" };
  if (end.stop === "malformed") {
    const why = end.calls.find((call) => call.problem !== undefined)?.problem?.message;
    const native = end.native === undefined ? "" : ` (${end.native})`;
    return { kind: "malformed", message: `The model's answer is malformed${native}${why === undefined ? "." : `: ${why}`}` };
  }
  for (const call of end.calls) {
    if (call.problem?.code === "identity-conflict") return { kind: "malformed", message: call.problem.message };
    if (call.name === undefined || call.name === "") {
      return { kind: "malformed", message: call.problem?.message ?? "The model asked for a call without a name." };
    }
  }
  return { kind: "accept" };
}

interface Named {
  readonly model: ModelCall;
  readonly prepared: PreparedCall | undefined;
  readonly name: string;
}

/** The calls of an accepted answer, and the cards that end with it instead of becoming calls. */
export interface Accepted {
  /** In the model's order. */
  readonly calls: readonly CallRun[];
  /** Open calls of earlier answers whose result came with this one. */
  readonly finished: readonly CallRun[];
  readonly unresolved: readonly PreparedCall[];
  readonly coalesced: readonly PreparedCall[];
}

function asObject(call: ModelCall): ModelCall {
  const { input } = call;
  if (call.problem !== undefined || (typeof input === "object" && input !== null && !Array.isArray(input))) return call;
  return { ...call, input: undefined, problem: { code: "not-an-object", message: "The arguments are not a JSON object." } };
}

/** Equal calls under one provider id are one call; the one that owns a card stays. */
function coalesce(named: readonly Named[]): { readonly kept: readonly Named[]; readonly dropped: readonly PreparedCall[] } {
  const seen = new Map<string, Map<string, number>>();
  const kept: Named[] = [];
  const dropped: PreparedCall[] = [];
  const repeated = repeatedIds(named);
  if (repeated.size === 0) return { kept: named, dropped: [] };
  for (const call of named) {
    const id = call.model.id;
    if (id === undefined || call.model.problem !== undefined || !repeated.has(id)) {
      kept.push(call);
      continue;
    }
    const fingerprint = `${call.name}\n${call.model.providerExecuted === true}\n${canonical(call.model.input)}`;
    const forId = seen.get(id) ?? new Map<string, number>();
    seen.set(id, forId);
    const at = forId.get(fingerprint);
    const first = at === undefined ? undefined : kept[at];
    if (at === undefined || first === undefined) {
      forId.set(fingerprint, kept.push(call) - 1);
    } else if (first.prepared === undefined) kept[at] = { ...first, prepared: call.prepared };
    else if (call.prepared !== undefined) dropped.push(call.prepared);
  }
  return { kept, dropped };
}

const NONE: ReadonlySet<string> = new Set();

function repeatedIds(named: readonly Named[]): ReadonlySet<string> {
  if (named.length < 2) return NONE;
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { model } of named) {
    if (model.id === undefined || model.id === "" || model.problem !== undefined) continue;
    if (once.has(model.id)) twice.add(model.id);
    once.add(model.id);
  }
  return twice;
}

const NOTHING: Accepted = { calls: [], finished: [], unresolved: [], coalesced: [] };

/**
 * Names and checks the calls of an answer. Nothing is emitted; waits only where a schema waits. When the turn is cancelled
 * meanwhile, the calls are incomplete.
 */
export function acceptCalls(turn: TurnState, attempt: Attempt, end: ModelEnd): Accepted | Promise<Accepted> {
  if (end.calls.length === 0 && attempt.prepared.size === 0) return NOTHING;
  const finished: CallRun[] = [];
  const named: Named[] = [];
  for (const raw of end.calls) {
    const open = raw.providerExecuted && raw.id !== undefined ? turn.openProviderCall(raw.id) : undefined;
    if (open !== undefined && !finished.includes(open)) {
      if (raw.result === undefined && end.stop === "pause") continue;
      open.block = providerBlock(turn, open, raw.result);
      finished.push(open);
    } else named.push({ model: asObject(raw), prepared: takeCard(attempt, raw), name: raw.name ?? "" });
  }
  const { kept, dropped } = coalesce(named);
  const unresolved = [...attempt.prepared.values()].filter((card) => !card.taken);
  const planned = kept.map(({ model, prepared, name }) => {
    const toolCallId = prepared?.toolCallId ?? turn.callIds.reserve(model.id);
    return planCall(
      turn,
      { toolCallId, name, round: attempt.round, attempt: attempt.number, preparedAt: prepared?.preparedAt },
      model,
    );
  });
  const accepted = (calls: readonly CallRun[] = []) => {
    for (const call of calls) if (call.model.providerExecuted) giveProviderResult(turn, call, end);
    return { calls, finished, unresolved, coalesced: dropped };
  };
  const waits = planned.some((call) => call instanceof Promise);
  return waits ? turn.cancel.orAborted(Promise.all(planned)).then(accepted) : accepted(planned as CallRun[]);
}

/** The card of a call: shown in its slot under its id and name. One card is one call's. */
function takeCard(attempt: Attempt, call: ModelCall): PreparedCall | undefined {
  const card = attempt.prepared.get(call.slot);
  if (card === undefined || card.taken || card.name !== call.name) return undefined;
  if (call.id !== undefined && call.id !== card.providerId) return undefined;
  card.taken = true;
  return card;
}

/** A provider that shows no result has still run the call, unless it says that it goes on. */
function giveProviderResult(turn: TurnState, call: CallRun, end: ModelEnd): void {
  const { result } = call.model;
  if (result !== undefined || end.stop !== "pause") call.block = providerBlock(turn, call, result);
}
