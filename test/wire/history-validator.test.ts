// The strict history validator: silent on sound conversations, one complaint per fault.
import type { AssistantBlock, Message, ToolResultBlock, ToolUseBlock } from "@callwire/wire";
import { assertHistory, HistoryChecker, historyProblems } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { MESSAGES, resultOf } from "./story.ts";

let ids = 0;
const user = (content = "x"): Message => ({ id: `u${ids++}`, role: "user", content });
const says = (...content: readonly AssistantBlock[]): Message => ({ id: `a${ids++}`, role: "assistant", content });
const tool = (...content: readonly ToolResultBlock[]): Message => ({ id: `t${ids++}`, role: "tool", content });
const text = { type: "text", text: "x" } as const;
const use = (id: string, more: Partial<ToolUseBlock> = {}): ToolUseBlock => ({
  type: "tool_use",
  id,
  name: "n",
  input: {},
  ...more,
});
const webUse = (id: string) => use(id, { providerExecuted: true });
const result = (id: string) => resultOf(id, "r");
const failed = (id: string, meta: ToolResultBlock["meta"]) => resultOf(id, "r", { is_error: true, meta });

describe("the history validator", () => {
  const sound: readonly (readonly [what: string, messages: readonly Message[]])[] = [
    ["an empty conversation", []],
    ["calls answered in order", [user(), says(text, use("a"), use("b")), tool(result("a"), result("b")), says(text)]],
    ["every message of a whole turn", MESSAGES],
    ["a provider's call with its result in the same message", [user(), says(webUse("w"), result("w"), text)]],
    ["a provider's result in the continuation", [user(), says(webUse("w")), says(result("w"), text)]],
    ["a provider's result after calls of this side", [user(), says(webUse("w"), use("a")), tool(result("a")), says(result("w"))]],
    [
      "an interrupted provider's call in a tool message",
      [user(), says(webUse("w")), tool(failed("w", { reason: "interrupted" }))],
    ],
    [
      "an interrupted one after the round's own results",
      [user(), says(webUse("w"), use("a")), tool(result("a")), tool(failed("w", undefined))],
    ],
    ["kept text", [user(), { ...says(text), partial: true } as Message]],
    [
      "a system message and blocks of a user",
      [
        { id: "s", role: "system", content: "s" },
        { id: "u", role: "user", content: [text] },
      ],
    ],
    [
      "an input without a prototype",
      [user(), says(use("a", { input: Object.assign(Object.create(null), { x: 1 }) })), tool(result("a"))],
    ],
  ];
  for (const [what, messages] of sound) {
    it(`is silent on ${what}`, () => {
      expect(historyProblems(messages)).toEqual([]);
    });
  }

  const faults: readonly (readonly [what: string, messages: readonly Message[], problem: RegExp])[] = [
    [
      "a call without a result at the end",
      [user(), says(use("a"))],
      /message 1: calls without a result: a \(the conversation ends\)/,
    ],
    [
      "a message between call and result",
      [user(), says(use("a")), user(), tool(result("a"))],
      /message 2: calls without a result: a \(the next message has role user\)/,
    ],
    ["an answer instead of the result", [user(), says(use("a")), says(text)], /the next message has role assistant/],
    [
      "a missing result",
      [user(), says(use("a"), use("b")), tool(result("a"))],
      /results are for \[a\], the calls before it are \[a, b\]/,
    ],
    ["results in another order", [user(), says(use("a"), use("b")), tool(result("b"), result("a"))], /\[b, a\].*\[a, b\]/],
    ["two results of one call", [user(), says(use("a")), tool(result("a"), result("a"))], /\[a, a\].*\[a\]/],
    ["a result too many", [user(), says(use("a")), tool(result("a"), result("b"))], /\[a, b\].*\[a\]/],
    ["a result without a call", [user(), tool(result("z"))], /message 1: a result of z without a call right before it/],
    [
      "a second tool message",
      [user(), says(use("a")), tool(result("a")), tool(result("a"))],
      /message 3: a result of a without a call/,
    ],
    ["an empty tool message", [user(), says(text), tool()], /a tool message without results/],
    [
      "a call id used twice",
      [user(), says(use("a")), tool(result("a")), says(use("a")), tool(result("a"))],
      /the call id "a" is used twice/,
    ],
    ["an empty call id", [user(), says(use("")), tool(result(""))], /a call of n has an empty id/],
    ["a call without a name", [user(), says(use("a", { name: "" })), tool(result("a"))], /the call a has no name/],
    [
      "an input that is an array",
      [user(), says(use("a", { input: [] as never })), tool(result("a"))],
      /the input of call a is not a plain object/,
    ],
    [
      "an input that is a class instance",
      [user(), says(use("a", { input: new Map() as never })), tool(result("a"))],
      /not a plain object/,
    ],
    ["an absent input", [user(), says(use("a", { input: undefined as never })), tool(result("a"))], /not a plain object/],
    [
      "a message id used twice",
      [
        { id: "x", role: "user", content: "" },
        { id: "x", role: "user", content: "" },
      ],
      /its id "x" is used twice/,
    ],
    ["an empty message id", [{ id: "", role: "user", content: "" }], /message 0: its id is empty/],
    [
      "a provider's call left open",
      [user(), says(webUse("w"))],
      /provider-executed calls without a result: w \(the conversation ends\)/,
    ],
    [
      "a provider's call left open by the next turn",
      [user(), says(webUse("w")), user(), says(result("w"))],
      /w \(a user message follows\)/,
    ],
    [
      "a provider's result before its call",
      [user(), says(result("w"), webUse("w"), result("w"))],
      /the result of w stands in an assistant message without/,
    ],
    [
      "a result of this side's call in the assistant message",
      [user(), says(use("a"), result("a")), tool(result("a"))],
      /the result of a stands in an assistant message/,
    ],
    ["an answer without content", [user(), says()], /an assistant message without content/],
    ["an answer of empty text", [user(), says({ type: "text", text: "" })], /an assistant message without content/],
    [
      "a partial message with a call",
      [user(), { ...says(use("a")), partial: true } as Message, tool(result("a"))],
      /a partial message carries the call a/,
    ],
    [
      "a failed result whose meta has no reason",
      [user(), says(use("a")), tool(failed("a", { executed: "no" }))],
      /the failed result of a has meta without a reason/,
    ],
    [
      "a good result with a reason",
      [user(), says(use("a")), tool(resultOf("a", "r", { meta: { reason: "denied" } }))],
      /meta\.reason or meta\.executed and is no error/,
    ],
  ];
  for (const [what, messages, problem] of faults) {
    it(`reports ${what}`, () => {
      const problems = historyProblems(messages);
      expect(problems[0]).toMatch(problem);
      // One fault may show at two places, never at more.
      expect(problems.length).toBeLessThanOrEqual(2);
    });
  }

  it("takes a provider's open call in a request, and no open call of this side", () => {
    expect(historyProblems([user(), says(webUse("w"))], { request: true })).toEqual([]);
    expect(historyProblems([user(), says(use("a"))], { request: true })).toHaveLength(1);
  });

  it("goes on where another list ended", () => {
    const problems: string[] = [];
    const checker = new HistoryChecker((problem) => problems.push(problem));
    checker.reserve(MESSAGES);
    checker.push({ id: "m1", role: "user", content: "again" });
    checker.push(says(use("b")));
    checker.push(tool(result("b")));
    checker.end();
    expect(problems).toEqual(['message 0: its id "m1" is used twice', 'message 1: the call id "b" is used twice']);
  });

  it("throws all problems at once where asked to", () => {
    expect(() => assertHistory([user(), says(), says(use("a"))])).toThrow(/not sound:\n- message 1.*\n- message 2/);
    expect(() => assertHistory(MESSAGES)).not.toThrow();
  });
});
