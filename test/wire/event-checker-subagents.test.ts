// What the checker asks of calls that a sub-agent makes: a group of their own, inside the life of their parent.
import { describe, expect, it } from "vitest";
import { eachBreaks } from "./rule.ts";
import { callSteps, problemsOf, Story } from "./story.ts";

const story = () => new Story();

describe("the checker on calls of sub-agents", () => {
  const parentToolCallId = "b";
  const child = (id: string, round = 1) => callSteps(id, { name: "n", round, attempt: 1, parentToolCallId });
  const k = child("k");
  const l = child("l");
  const life = (id: string, round: number) => [
    child(id, round).pending({}),
    child(id, round).running,
    child(id, round).completed(""),
  ];

  it("groups them apart from the rounds of the turn", () => {
    const steps = story().insert("read progress", k.preparing, k.pending({}, { preparedAt: 270 }), k.running, k.completed(""));
    expect(problemsOf(steps.insert("read completed", ...life("k2", 2)).steps)).toEqual([]);
  });

  eachBreaks([
    {
      claim: "asks for a running parent",
      log: story().insert("read running", ...life("k", 1)),
      says: /k belongs to b, which is not running \[T14\]/,
    },
    {
      claim: "asks for their ends before the parent's",
      log: story().insert("read completed", k.pending({}), k.running).insert("answered", k.completed("")),
      says: /b settles while its sub-agent's call k is running \[T14\]/,
    },
    {
      claim: "asks their progress for the parent",
      log: story().insert(
        "read progress",
        k.pending({}),
        k.running,
        { type: "tool-call-progress", toolCallId: "k" },
        k.completed(""),
      ),
      says: /progress of k names another parent \[T14\]/,
    },
    {
      claim: "asks for every pending of their round before a running",
      log: story().insert("read progress", k.pending({}), k.running, l.pending({}), k.completed(""), l.running, l.completed("")),
      says: /l is announced after a call of its round went running \[T1\]/,
    },
    {
      claim: "asks for no preparing of their round when one runs",
      log: story().insert("read progress", l.preparing, k.pending({}), k.running, l.discarded("unresolved"), k.completed("")),
      says: /k goes running while l is preparing \[I3\]/,
      also: /l is discarded after the answer/,
    },
    {
      claim: "asks for their rounds in order",
      log: story().insert("read progress", ...life("k", 1), ...life("l", 3)),
      says: /pending of round 3 follows round 1 \[T4\]/,
    },
  ]);
});
