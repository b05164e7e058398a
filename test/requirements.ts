// The requirements manifest: each rule of the contract and each row of the transition table, as one testable sentence.
import { EVENT_RULES } from "./requirements/events.ts";
import type { Requirement, RuleSet } from "./requirements/kinds.ts";
import { PORT_RULES } from "./requirements/ports.ts";
import { REDUCER_RULES } from "./requirements/reducer.ts";
import { TABLE_ROWS } from "./requirements/table.ts";
import { TURN_RULES } from "./requirements/turn.ts";

/**
 * Every rule by its id. A test names the rules that it verifies with their ids in square brackets in its title (or in the
 * title of its `describe`): `it("announces every call of a round before any runs [T1a]")`. `requirements.test.ts` fails on an
 * in-scope rule that no test names, and on a mark that is not listed here.
 */
export const REQUIREMENTS: Readonly<Record<string, Requirement>> = merge([
  EVENT_RULES,
  TURN_RULES,
  REDUCER_RULES,
  PORT_RULES,
  TABLE_ROWS,
]);

function merge(sets: readonly RuleSet[]): Readonly<Record<string, Requirement>> {
  const all: Record<string, Requirement> = {};
  for (const set of sets) {
    for (const [id, requirement] of Object.entries(set)) {
      if (id in all) throw new Error(`requirement ${id} is listed twice`);
      all[id] = requirement;
    }
  }
  return all;
}
