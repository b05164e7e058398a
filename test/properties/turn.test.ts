// Thousands of random turns under random interleavings: the invariants hold in every one of them.
// CALLWIRE_RUNS sets their number; CALLWIRE_SEED repeats a run.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnCase } from "./arbitraries.ts";
import { problemsOf } from "./check.ts";
import { surprises } from "./oracle.ts";
import { playCase } from "./play.ts";
import { comparable } from "./without-early.ts";

const RUNS = Number(process.env.CALLWIRE_RUNS ?? 2_000);
const SEED = process.env.CALLWIRE_SEED === undefined ? {} : { seed: Number(process.env.CALLWIRE_SEED) };
const TIMEOUT = 20_000 + RUNS * 20;

describe("random turns under random interleavings", () => {
  it("keep every invariant [I1, I2, I3, I4, I5, I6, I7, I10, I12] [E0b, E3, E5, T1a, T2a, T3e, T4a, T8a, T8b, T8c, T8g, T10a, T11a, T13a]", {
    timeout: TIMEOUT,
  }, async () => {
    const property = fc.asyncProperty(turnCase, fc.scheduler(), async (turn, scheduler) => {
      const played = await playCase(turn, scheduler);
      expect([...problemsOf(played), ...surprises(played)]).toEqual([]);
    });
    await fc.assert(property, { numRuns: RUNS, ...SEED });
  });

  it("are the same without early identity, up to renamed ids, preparedAt and attempts [I8, T6g]", {
    timeout: TIMEOUT,
  }, async () => {
    // An adapter that gives one slot to two calls breaks its contract: what it shows early is not what it ends with.
    const tidy = turnCase.map((turn) => ({ ...turn, answers: turn.answers.map((answer) => ({ ...answer, sameSlot: false })) }));
    const property = fc.asyncProperty(tidy, fc.scheduler(), async (turn, scheduler) => {
      const again = fc.hasCloneMethod(scheduler) ? scheduler[fc.cloneMethod]() : scheduler;
      const early = await playCase(turn, scheduler, true);
      const late = await playCase(turn, again, false);
      expect(problemsOf(late)).toEqual([]);
      expect(comparable(early)).toEqual(comparable(late));
    });
    await fc.assert(property, { numRuns: Math.ceil(RUNS / 2), ...SEED });
  });
});
