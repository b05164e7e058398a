// What the checker asks of a call: its life, its identity, and what each step may say.
import { describe } from "vitest";
import { eachBreaks } from "./rule.ts";
import { CALLS, callSteps, Story } from "./story.ts";

const { old, read, write } = CALLS;
const story = () => new Story();
const stray = callSteps("z", { name: "web", round: 2, attempt: 1 });
const nameless = callSteps("", { name: "web", round: 2, attempt: 1 });

describe("the checker on the life of a call", () => {
  eachBreaks([
    {
      claim: "asks for each step of the table",
      log: story().without("unknown running"),
      says: /u goes from pending to failed \[I1\]/,
      also: /result of u .* while the call is pending|ends while u is pending|begins while u is pending/,
    },
    {
      claim: "allows no second terminal",
      log: story().insert("results", read.completed("42")),
      says: /b goes from completed to completed \[I1\]/,
    },
    {
      claim: "allows nothing after a terminal",
      log: story().insert("results", read.running),
      says: /b goes from completed to running \[I1\]/,
    },
    {
      claim: "allows no second life under one id",
      log: story().insert("reasoning", old.preparing),
      says: /x goes from discarded to preparing \[I1\]/,
    },
    {
      claim: "asks for a terminal of a preparing call before the turn ends",
      log: story().insert("paused preparing", stray.preparing),
      says: /the turn ends while z is preparing \[I5\]/,
      also: /z is neither among|z goes|while z is|showed/,
    },
    {
      claim: "asks for a terminal of a running call before the turn ends",
      log: story().without("paused completed"),
      says: /the turn ends while p is running \[I5\]/,
    },
    {
      claim: "allows no id of the history before",
      log: story(),
      says: /the id b is used in the history already \[T6\]/,
      also: /the call id "b" is used twice \[T10\]/,
      options: { input: [{ id: "h", role: "assistant", content: [{ type: "tool_use", id: "b", name: "n", input: {} }] }] },
    },
    {
      claim: "allows no empty id",
      log: story().insert("paused preparing", nameless.preparing, nameless.discarded("unresolved")),
      says: /the toolCallId is empty \[T6\]/,
      also: /showed/,
    },
    {
      claim: "keeps the name",
      log: story().change("read running", { name: "other" }),
      says: /b changes its name from read to other \[E2\]/,
    },
    {
      claim: "keeps round and attempt",
      log: story().change("read running", { attempt: 1 }),
      says: /b moves from 1\.2 to 1\.1 .*\[E2\]/,
    },
    {
      claim: "keeps the turn",
      log: [
        ...story().without("paused completed").steps,
        { turnId: "t2", type: "turn-start", v: 1, prompt: "", model: "" },
        { turnId: "t2", ...CALLS.paused.completed("late") },
        { turnId: "t2", type: "turn-end", stopReason: "answered", usage: {} },
      ],
      says: /p changes its turn \[E2\]/,
      also: /p is running/,
    },
    {
      claim: "keeps the parent",
      log: story().change("read running", { parentToolCallId: "w" }),
      says: /b changes its parent \[T14\]/,
    },
  ]);
});

describe("the checker on what a step says", () => {
  eachBreaks([
    {
      claim: "allows no input on preparing",
      log: story().change("read preparing", { input: {} }),
      says: /preparing has an input \[E2\]/,
    },
    {
      claim: "allows no input on discarded",
      log: story().change("old discarded", { input: {} }),
      says: /discarded has an input \[E2\]/,
    },
    {
      claim: "asks for input {} beside an inputProblem",
      log: story().change("read pending", { inputProblem: "bad" }),
      says: /b has an inputProblem and an input that is not \{\} \[E2\]/,
      also: /b has an inputProblem and ran|meta\.inputProblem of b/,
    },
    {
      claim: "allows no needsApproval beside an inputProblem",
      log: story().change("write pending", { inputProblem: "bad" }),
      says: /g has an inputProblem and needsApproval \[T1\]/,
      also: /g has an inputProblem and ran|meta\.inputProblem of g/,
    },
    {
      claim: "allows no body for unusable arguments",
      log: story().change("write pending", { inputProblem: "bad" }),
      says: /g has an inputProblem and ran \[T5\]/,
      also: /and needsApproval|meta\.inputProblem of g/,
    },
    {
      claim: "allows no needsApproval on a provider-executed call",
      log: story().change("paused pending", { needsApproval: true }),
      says: /p is run by the provider and needs approval \[T1\]/,
      also: /p ran and was not allowed/,
    },
    {
      claim: "asks preparedAt for the time of preparing",
      log: story().change("web pending", { preparedAt: 1 }),
      says: /w was preparing at 100, preparedAt is 1 \[E2\]/,
    },
    {
      claim: "allows no preparedAt of a call that was never preparing",
      log: story().change("unknown pending", { preparedAt: 1 }),
      says: /u was preparing at no time, preparedAt is 1 \[E2\]/,
      also: /meta\.preparedAt of u/,
    },
    {
      claim: "allows an edited input only for gated calls",
      log: story().change("read running", { input: {} }),
      says: /b runs with an edited input that nobody was asked for \[E2\]/,
    },
    {
      claim: "asks `executed` to fit the reason",
      log: story().change("unknown failed", { executed: "yes" }),
      says: /u failed unknown-tool, executed is yes, not no \[E2\]/,
      also: /meta\.executed of u/,
    },
    {
      claim: "asks a timeout for executed unknown",
      log: story().change("write failed", write.failed("boom", "timeout", "yes")),
      says: /g failed timeout, executed is yes, not unknown \[E2\]/,
      also: /meta\.reason of g/,
    },
  ]);
});

describe("the checker on progress and argument text", () => {
  eachBreaks([
    {
      claim: "allows no progress of pending calls",
      log: story().move("read progress", "read running"),
      says: /progress of b, which is pending \[E\]/,
    },
    {
      claim: "allows no progress of settled calls",
      log: story().move("read progress", "answered"),
      says: /progress of b, which is completed \[E\]/,
    },
    {
      claim: "allows no progress of unknown calls",
      log: story().change("read progress", { toolCallId: "zz" }),
      says: /progress of zz, which is unknown \[E\]/,
    },
    {
      claim: "allows early progress only of provider-executed calls",
      log: story().change("web progress", { toolCallId: "b" }),
      says: /b reported progress while it was preparing \[T1\]/,
    },
    {
      claim: "allows argument text of preparing calls only",
      log: story().move("fragment", "read running"),
      says: /argument text of b, which is pending \[E\]/,
    },
    {
      claim: "allows no empty fragment",
      log: story().change("fragment", { fragment: "" }),
      says: /an empty fragment \[E\]/,
    },
  ]);
});
