// From the options of a turn to its state: ports, defaults, and what must hold before anything is checked.
import type { Message } from "@callwire/wire";
import { CallIds } from "./call-ids.ts";
import { Cancel } from "./cancel.ts";
import { countedIds, systemClock } from "./clock.ts";
import { HistoryBudget } from "./limits.ts";
import { DEFAULT_LIMITS, type TurnOptions } from "./options.ts";
import { type TurnPorts, TurnState, tellHook } from "./turn-state.ts";

/** The host's ids. Where they fail the turn takes its own: it never stops for want of a name. */
function idsOf({ ids, onError }: TurnOptions): () => string {
  if (ids === undefined) return countedIds();
  let own: (() => string) | undefined;
  return () => {
    try {
      return ids();
    } catch (error) {
      tellHook(onError, error, "ids");
      own ??= countedIds();
      return own();
    }
  };
}

/** Takes whatever it is given: what is wrong with it is told once the turn is open. */
export function openTurn(options: TurnOptions): TurnState {
  const ids = idsOf(options);
  const messages: Message[] = Array.isArray(options.messages) ? [...options.messages] : [];
  const limits = { ...DEFAULT_LIMITS };
  for (const name of Object.keys(limits) as (keyof typeof limits)[])
    Object.assign(limits, options[name] !== undefined && { [name]: options[name] });
  const ports: TurnPorts = {
    turnId: options.turnId ?? ids(),
    model: options.model,
    system: options.system,
    approver: options.approver,
    clock: options.clock ?? systemClock,
    ids,
    ...limits,
    stopRoundOnDenial: options.onDenied === "stop-round",
    holdText: options.liveText === "settled",
    argumentDeltas: options.argumentDeltas === true,
  };
  return new TurnState({
    ports,
    messages,
    budget: new HistoryBudget(messages, limits.maxHistoryChars),
    callIds: new CallIds(messages, ids),
    cancel: new Cancel(options.signal),
    emit: options.emit,
    onError: options.onError,
  });
}
