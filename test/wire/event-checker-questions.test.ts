// What the checker asks of questions to a person: about calls that wait for them, answered once, and obeyed.
import { describe } from "vitest";
import { eachBreaks } from "./rule.ts";
import { CALLS, Story } from "./story.ts";

const { write } = CALLS;
const story = () => new Story();

describe("the checker on questions to a person", () => {
  eachBreaks([
    {
      claim: "allows a question only about calls that need approval",
      log: story().change("write pending", { needsApproval: undefined }),
      says: /g does not need approval and is asked for \[T7\]/,
      also: /g has askedAt/,
    },
    {
      claim: "allows a question only about running calls",
      log: story().move("asked", "write running"),
      says: /g is asked for and is pending \[T7\]/,
    },
    {
      claim: "allows a question id once",
      log: story().insert("read running", {
        type: "approval-requested",
        approvalId: "q1",
        toolCallId: "g",
        name: "write",
        input: {},
      }),
      says: /the question id "q1" is used twice \[T7\]/,
      also: /g is asked for twice at once/,
    },
    {
      claim: "allows one open question per call",
      log: story().insert("read running", {
        type: "approval-requested",
        approvalId: "q2",
        toolCallId: "g",
        name: "write",
        input: {},
      }),
      says: /g is asked for twice at once \[T7\]/,
    },
    {
      claim: "asks the question for the call's parent",
      log: story().change("asked", { parentToolCallId: "b" }),
      says: /the question about g names another parent \[T14\]/,
    },
    {
      claim: "allows no needsApproval on a call whose arguments are refused",
      log: story().change("write failed", { reason: "invalid-arguments", executed: "no" }),
      says: /g needed approval and its arguments were refused \[T1\]/,
      also: /meta\.(reason|executed) of g/,
    },
    {
      claim: "asks with the input that was announced",
      log: story().change("asked", { input: { path: "x" } }),
      says: /g is asked for with another input than it was announced with \[T7\]/,
    },
    {
      claim: "asks with the call's name",
      log: story().change("asked", { name: "read" }),
      says: /g is asked for as read, its name is write \[T7\]/,
    },
    {
      claim: "allows one answer per question",
      log: story().insert("write failed", { type: "approval-answered", approvalId: "q1", toolCallId: "g", answer: "allow" }),
      says: /the question "q1" is answered twice \[T7\]/,
    },
    {
      claim: "allows no answer to a question that nobody asked",
      log: story().change("answered", { approvalId: "q2" }),
      says: /an answer to the question "q2", which nobody asked \[T7\]/,
    },
    {
      claim: "allows no answer about another call",
      log: story().change("asked", { approvalId: "q1" }).change("answered", { toolCallId: "u" }),
      says: /the question "q1" is about g \[T7\]/,
      also: /u is answered for and is pending|g ran and was not allowed/,
    },
    {
      claim: "allows no answer after the call ended",
      log: story().move("answered", "unknown running"),
      says: /g is answered for and is failed \[T7\]/,
      also: /g ran and was not allowed/,
    },
    {
      claim: "asks for an allow before a gated call runs",
      log: story().change("answered", { answer: "deny" }),
      says: /g ran and was not allowed \[T7\]/,
    },
    {
      claim: "asks for a refusal behind denied",
      log: story().change("write failed", write.failed("boom", "denied", "no")),
      says: /g failed denied and nobody denied it \[T7\]/,
      also: /meta\.(reason|executed) of g/,
    },
    {
      claim: "allows the reasons of a closed gate only for gated calls",
      log: story().change("unknown failed", { reason: "no-approver" }),
      says: /u failed no-approver and did not need approval \[T7\]/,
      also: /meta\.reason of u/,
    },
    {
      claim: "allows no needsApproval on a call of an unknown tool",
      log: story().change("write failed", write.failed("boom", "unknown-tool", "no")),
      says: /g needed approval and its tool is unknown \[T1\]/,
      also: /meta\.(reason|executed) of g/,
    },
    {
      claim: "asks for host inputs of running calls",
      log: story().insert("read running", {
        type: "input-requested",
        inputId: "i1",
        toolCallId: "b",
        name: "read",
        input: { path: "a" },
      }),
      says: /b is asked for and is pending \[T7\]/,
    },
    {
      claim: "allows one answer per host input",
      log: story().insert(
        "read progress",
        { type: "input-requested", inputId: "i1", toolCallId: "b", name: "read", input: { path: "a" } },
        { type: "input-answered", inputId: "i1", toolCallId: "b" },
        { type: "input-answered", inputId: "i1", toolCallId: "b" },
      ),
      says: /the question "i1" is answered twice \[T7\]/,
    },
  ]);
});
