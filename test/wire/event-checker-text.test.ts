// What the checker asks of live text: it is in a message, withdrawn, or kept where the contract keeps it.
import type { Message } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { eachBreaks } from "./rule.ts";
import { callSteps, problemsOf, type Step, Story } from "./story.ts";

const story = () => new Story();

describe("the checker on live text", () => {
  const kept: Message = { id: "k", role: "assistant", content: [{ type: "text", text: "abc" }], partial: true };
  const card = callSteps("c", { name: "n", round: 1, attempt: 1 });
  const cut = (stopReason: "length" | "answered", ...middle: readonly Step[]): readonly Step[] => [
    { type: "turn-start", v: 1, prompt: "", model: "" },
    { type: "text-delta", port: "text", textDelta: "abc", round: 1, attempt: 1 },
    card.preparing,
    ...middle,
    { type: "turn-end", stopReason, usage: {} },
  ];
  const keep: Step = { type: "message", message: kept };
  const late: Step = { type: "text-delta", port: "text", textDelta: "d", round: 1, attempt: 1 };
  const withdraw: Step = { type: "attempt-discarded", round: 1, attempt: 1, reason: "truncated" };

  it("is silent on a truncated answer whose text is kept", () => {
    expect(problemsOf(cut("length", card.discarded("truncated"), keep))).toEqual([]);
  });

  eachBreaks([
    {
      claim: "allows no empty text-delta",
      log: story().change("reasoning", { textDelta: "" }),
      says: /an empty reasoning-delta \[E\]/,
    },
    { claim: "asks text-delta for port text", log: story().change("text", { port: "x" }), says: /text-delta has port x \[E\]/ },
    {
      claim: "asks the message for the text that was shown",
      log: story().change("text", { textDelta: "Look" }),
      says: /the text of message m1 is "Look: ", shown live was "Look" \[T4\]/,
    },
    {
      claim: "asks for shown text to be in a message or withdrawn",
      log: cut("length", card.discarded("truncated")),
      says: /live text is neither in a message nor withdrawn: "abc" \(the turn ends\) \[T4\]/,
    },
    {
      claim: "allows no text after the answer was accepted",
      log: story().insert("results", { type: "text-delta", port: "text", textDelta: "x", round: 1, attempt: 2 }),
      says: /text-delta after the answer of round 1 was accepted \[T1\]/,
      also: /live text is neither/,
    },
    {
      claim: "asks for a discarded of each card before kept text",
      log: cut("length", keep, card.discarded("truncated")),
      says: /a partial message comes before the discarded of c \[T4\]/,
    },
    {
      claim: "allows no kept text of a withdrawn attempt",
      log: cut("length", card.discarded("truncated"), withdraw, keep),
      says: /a partial message keeps the text of a withdrawn attempt \[T4\]/,
      also: /shown live was nothing/,
    },
    {
      claim: "allows no text after kept text",
      log: cut("length", card.discarded("truncated"), keep, late),
      says: /text after a partial message \[T4\]/,
      also: /live text is neither/,
    },
    {
      claim: "allows no answer after kept text",
      log: cut("length", card.discarded("truncated"), keep, {
        type: "message",
        message: { ...kept, id: "k2", partial: undefined },
      }),
      says: /an answer follows a partial message \[T4\]/,
      also: /shown live was nothing/,
    },
    {
      claim: "allows kept text only where the turn ends for it",
      log: cut("answered", card.discarded("truncated"), keep),
      says: /an attempt is neither accepted nor withdrawn and stopReason is answered \[T4\]/,
    },
    {
      claim: "asks for attempt-discarded where text is not kept",
      log: [
        { type: "turn-start", v: 1, prompt: "", model: "" },
        card.preparing,
        card.discarded("stream-error"),
        { type: "turn-end", stopReason: "error", error: { code: "X", message: "" }, usage: {} },
      ],
      says: /an attempt is neither accepted nor withdrawn and stopReason is error \[T4\]/,
    },
  ]);
});
