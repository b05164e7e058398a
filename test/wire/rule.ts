// One broken rule, one test: the checker says what is broken, and nothing that does not follow from it.
import type { EventCheckOptions } from "@callwire/wire/testing";
import { expect, it } from "vitest";
import { problemsOf, type Step, type Story } from "./story.ts";

interface Broken {
  /** The rule, as a present-tense claim about the checker. */
  readonly claim: string;
  /** A log that breaks it. */
  readonly log: Story | readonly Step[];
  /** What the checker must say. */
  readonly says: RegExp;
  /** What else follows from the same fault. Default: nothing. */
  readonly also?: RegExp;
  readonly options?: EventCheckOptions;
}

export function eachBreaks(cases: readonly Broken[]): void {
  for (const { claim, log, says, also, options } of cases) {
    it(claim, () => {
      const problems = problemsOf("steps" in log ? log.steps : log, options);
      expect(problems).toContainEqual(expect.stringMatching(says));
      expect(problems.filter((problem) => !says.test(problem) && also?.test(problem) !== true)).toEqual([]);
    });
  }
}
