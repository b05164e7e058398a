// Checks one call of an accepted answer: found, sanitised and validated before anybody is told of it.
import { errorMessage, type ModelCall } from "@callwire/wire";
import { type CallIdentity, CallRun } from "./call-run.ts";
import type { Validated } from "./tools.ts";
import type { TurnState } from "./turn-state.ts";

/** Checks one call. Waits only for a schema that itself waits. */
export function planCall(turn: TurnState, identity: CallIdentity, model: ModelCall): CallRun | Promise<CallRun> {
  if (model.providerExecuted) return new CallRun(identity, model, undefined);
  const call = new CallRun(identity, model, turn.tools.get(identity.name));
  if (model.problem !== undefined) {
    call.refusal = { reason: "invalid-arguments", text: `Invalid arguments for ${call.name}: ${model.problem.message}` };
    return described(turn, call);
  }
  if (typeof call.ready?.tool.execute !== "function") {
    call.refusal = { reason: "unknown-tool", text: unknownTool(turn, call.name) };
    return described(turn, call);
  }
  let validated: Validated | Promise<Validated>;
  try {
    validated = call.ready.validate(call.input);
  } catch (error) {
    validated = { ok: false, details: errorMessage(error) };
  }
  if (!(validated instanceof Promise)) return judged(turn, call, validated);
  return validated.then(
    (late) => judged(turn, call, late),
    (error: unknown) => judged(turn, call, { ok: false, details: errorMessage(error) }),
  );
}

function judged(turn: TurnState, call: CallRun, validated: Validated): CallRun {
  if (validated.ok) call.parsed = validated.value;
  else call.refusal = { reason: "invalid-arguments", text: `Invalid arguments for ${call.name}: ${validated.details}` };
  // A call that will be refused is never put to a person.
  call.needsApproval = validated.ok && gated(turn, call);
  return described(turn, call);
}

/** Adds what the tool says of itself, for cards. */
function described(turn: TurnState, call: CallRun): CallRun {
  const tool = call.ready?.tool;
  if (tool === undefined) return call;
  const { title, locations } = tool;
  call.kind = tool.kind;
  if (typeof title === "string") call.title = title;
  if (call.inputProblem !== undefined) return call;
  if (typeof title === "function") {
    const said = guarded(turn, `${call.name}.title`, () => title(call.input));
    if (typeof said === "string") call.title = said;
  }
  if (locations !== undefined) {
    const found = guarded(turn, `${call.name}.locations`, () => locations(call.input));
    if (Array.isArray(found) && found.every((place) => typeof place?.path === "string")) call.locations = found;
  }
  return call;
}

function unknownTool(turn: TurnState, name: string): string {
  const runnable = [...turn.tools.values()].filter((entry) => typeof entry.tool.execute === "function");
  const names = runnable.map((entry) => entry.tool.name).join(", ");
  return `Unknown tool "${name}". Available: ${names === "" ? "none" : names}.`;
}

/** Fails closed: a rule that throws asks. */
function gated(turn: TurnState, call: CallRun): boolean {
  const rule = call.ready?.tool.requiresApproval;
  if (typeof rule !== "function") return rule === true;
  return guarded(turn, `${call.name}.requiresApproval`, () => rule(call.input)) !== false;
}

function guarded<T>(turn: TurnState, where: string, ask: () => T): T | undefined {
  try {
    return ask();
  } catch (error) {
    turn.report(error, where);
    return undefined;
  }
}
