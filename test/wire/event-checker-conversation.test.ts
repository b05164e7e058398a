// What the checker asks of the conversation beside the cards.
import type { Message, ToolResultBlock } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { eachBreaks } from "./rule.ts";
import { CALLS, callSteps, MESSAGES, problemsOf, resultOf, Story } from "./story.ts";

const lone = callSteps("c", { name: "n", round: 1, attempt: 1 });
const story = () => new Story();
const [readResult, writeResult, unknownResult] = resultsOf(MESSAGES[2]);

function resultsOf(message: Message | undefined): readonly [ToolResultBlock, ToolResultBlock, ToolResultBlock] {
  if (message?.role !== "tool") throw new Error("not a tool message");
  const [first, second, third] = message.content;
  if (first === undefined || second === undefined || third === undefined) throw new Error("fewer than three results");
  return [first, second, third];
}

function withResults(...content: readonly ToolResultBlock[]): Story {
  return story().change("results", { message: { id: "m2", role: "tool", content } });
}

describe("the checker on the announcement", () => {
  const answer = (change: (block: { readonly id?: string }) => object) => {
    const blocks = MESSAGES[1]?.content as readonly { readonly id?: string }[];
    return story().change("answer", { message: { ...MESSAGES[1], content: blocks.map(change) } });
  };

  eachBreaks([
    {
      claim: "asks for the assistant message before the pendings",
      log: [
        { type: "turn-start", v: 1, prompt: "", model: "" },
        lone.pending({}),
        lone.running,
        lone.completed(""),
        { type: "message", message: { id: "a", role: "tool", content: [resultOf("c", "")] } },
        { type: "turn-end", stopReason: "answered", usage: {} },
      ],
      says: /c is announced and no assistant message right before it has that call \[T1\]/,
      also: /a result of c without a call right before it/,
    },
    {
      claim: "allows nothing between message and pendings",
      log: story().move("usage 1", "web pending"),
      says: /round-usage\): between an assistant message and the pending of w, g, u \[T1\]/,
    },
    {
      claim: "asks for a pending of every call",
      log: story().without("unknown pending", "unknown running", "unknown failed"),
      says: /never announced: u \[T1\]/,
      also: /between an assistant message and the pending of u|the result of u is in the conversation/,
    },
    {
      claim: "asks for the order of the message",
      log: story().move("write pending", "web pending").change("write pending", { preparedAt: 110 }),
      says: /g is announced where the message has w \[T1\]/,
      also: /w is announced|is announced as|differ in providerExecuted/,
    },
    {
      claim: "asks for the input of the message",
      log: story().change("read pending", { input: { path: "b" } }),
      says: /b is announced with another input than the message's \[T1\]/,
    },
    {
      claim: "asks for the name of the message",
      log: answer((block) => (block.id === "u" ? { ...block, name: "none" } : block)),
      says: /u is announced as nope, the message says none \[T1\]/,
    },
    {
      claim: "asks for the message's providerExecuted",
      log: answer((block) => (block.id === "u" ? { ...block, providerExecuted: true } : block)),
      says: /u: message and pending differ in providerExecuted \[T1\]/,
      also: /\[T10\]/,
    },
    {
      claim: "asks for every pending before a running",
      log: story().move("web running", "write pending"),
      says: /between an assistant message and the pending of g, u \[T1\]/,
      also: /w goes running while g is preparing|is announced after a call of its round went running/,
    },
    {
      claim: "asks for the provider's calls to be settled before others run",
      log: story().move("web completed", "asked"),
      says: /g goes running before the provider's w is settled \[T1\]/,
    },
  ]);
});

describe("the checker on results", () => {
  eachBreaks([
    {
      claim: "asks for the text of the block, character for character",
      log: story().change("read completed", { result: "42 " }),
      says: /the result of b is not the text of its block \[T2\]/,
    },
    {
      claim: "asks a provider's result for the text of its block",
      log: story().change("web completed", { result: "" }),
      says: /the result of w is not the text of its block \[T2\]/,
    },
    {
      claim: "asks for is_error on failed calls only",
      log: withResults({ ...readResult, is_error: true, meta: undefined }, writeResult, unknownResult),
      says: /b completed, its block says otherwise \[T2\]/,
    },
    {
      claim: "asks for is_error on failed calls",
      log: withResults(readResult, { ...writeResult, is_error: undefined, meta: undefined }, unknownResult),
      says: /g failed, its block says otherwise \[T2\]/,
    },
    {
      claim: "asks meta for the reason of the event",
      log: withResults(readResult, { ...writeResult, meta: { ...writeResult.meta, reason: "timeout" } }, unknownResult),
      says: /meta\.reason of g differs from its events \[T10\]/,
    },
    {
      claim: "asks meta for the output of the event",
      log: story().change("read completed", { output: { n: 43 } }),
      says: /meta\.output of b differs from its events \[T10\]/,
    },
    {
      claim: "asks meta for the title of the announcement",
      log: story().change("read pending", { title: "Other" }),
      says: /meta\.title of b differs from its events \[T10\]/,
    },
    {
      claim: "allows askedAt only of calls that need approval",
      log: withResults({ ...readResult, meta: { ...readResult.meta, askedAt: 1 } }, writeResult, unknownResult),
      says: /b has askedAt and did not need approval \[T10\]/,
    },
    {
      claim: "asks for a start before an end",
      log: withResults({ ...readResult, meta: { ...readResult.meta, startedAt: 300 } }, writeResult, unknownResult),
      says: /b ended before it started \[T10\]/,
    },
    {
      claim: "asks for the tool message after the last terminal",
      log: story().move("results", "unknown failed"),
      says: /the result of u is in the conversation while the call is running \[T1\]/,
    },
    {
      claim: "asks for a tool message in the round",
      log: story().without("results"),
      says: /b has no result in its round \(round 2 begins\) \[T10\]/,
      also: /has no result in its round|calls without a result: b, g, u/,
    },
    {
      claim: "asks for the results before the next round",
      log: story().move("results", "usage 2"),
      says: /b has no result in its round \(round 2 begins\) \[T10\]/,
      also: /has no result in its round/,
    },
    {
      claim: "asks for the prompt before the first round",
      log: story().move("prompt", "old discarded"),
      says: /the prompt comes late \[T11\]/,
      also: /while an answer is live/,
    },
    {
      claim: "allows no user message while an answer is live",
      log: story().insert("web preparing", { type: "message", message: { id: "x", role: "user", content: "also" } }),
      says: /a message of role user while an answer is live \[T11\]/,
    },
    {
      claim: "asks for results in the order of the calls",
      log: withResults(writeResult, readResult, unknownResult),
      says: /its results are for \[g, b, u\], the calls before it are \[b, g, u\] \[T10\]/,
    },
    {
      claim: "asks for one result per call",
      log: withResults(readResult, writeResult, unknownResult, readResult),
      says: /a second result of b \[T10\]/,
      also: /its results are for|the body of b began/,
    },
    {
      claim: "asks for the result of a paused call in the conversation",
      log: story().change("last answer", { message: { ...MESSAGES[4], content: [{ type: "text", text: "Done." }] } }),
      says: /p, run by the provider, settles before a message has its result \[T1\]/,
      also: /no result for p|without a result: p/,
    },
    {
      claim: "asks for a result of an interrupted call in the conversation",
      log: story()
        .change("last answer", { message: { ...MESSAGES[4], content: [{ type: "text", text: "Done." }] } })
        .change("paused completed", CALLS.paused.failed("gone", "interrupted", "unknown")),
      says: /the conversation has no result for p \[T10\]/,
      also: /without a result: p/,
    },
    {
      claim: "allows no second result of a provider's call",
      log: story().change("last answer", {
        message: { ...MESSAGES[4], content: [resultOf("p", "late"), resultOf("w", "found"), { type: "text", text: "Done." }] },
      }),
      says: /an assistant message has a result of w, which is completed \[T10\]/,
      also: /the result of w stands in an assistant message without/,
    },
    {
      claim: "allows no result of a call that was never announced",
      log: story().change("last answer", {
        message: { ...MESSAGES[4], content: [resultOf("p", "late"), resultOf("zz", ""), { type: "text", text: "Done." }] },
      }),
      says: /a result of zz, which was never announced \[T10\]/,
      also: /zz stands in an assistant message without/,
    },
    {
      claim: "asks for message ids of their own",
      log: story().change("last answer", { message: { ...MESSAGES[4], id: "m3" } }),
      says: /its id "m3" is used twice \[T10\]/,
    },
  ]);

  it("takes the interrupted result of a paused call in a tool message of its own", () => {
    const { paused } = CALLS;
    const meta = { round: 2, reason: "interrupted", executed: "unknown", preparedAt: 340 } as const;
    const content = [resultOf("p", "gone", { is_error: true, meta })];
    const steps = story()
      .change("last answer", { message: { ...MESSAGES[4], content: [{ type: "text", text: "Done." }] } })
      .change("paused completed", paused.failed("gone", "interrupted", "unknown"))
      .insert("end", { type: "message", message: { id: "m5", role: "tool", content } }).steps;
    expect(problemsOf(steps)).toEqual([]);
  });
});
