// Cards of turns that really ran: what each says is what the model reads, at every ending.
import { cards, countCards, EMPTY_CARDS, reduceCards } from "@callwire/cards";
import { resultText, type Tool, ToolCallError } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, type PlayedTurn, type PlayOptions, playTurn } from "../kit/turn.ts";
import { cardOf, fold, shown } from "./events.ts";

const tools: readonly Tool[] = [
  { name: "add", description: "Adds", execute: ({ a, b }: { readonly a: number; readonly b: number }) => ({ sum: a + b }) },
  {
    name: "fail",
    description: "Fails in its own words",
    execute: () => {
      throw new ToolCallError("no such file");
    },
  },
  { name: "write", description: "Writes", title: "Write a file", requiresApproval: true, execute: () => "written" },
  { name: "wait", description: "Waits", execute: () => new Promise(() => undefined) },
];

const SCRIPT: PlayOptions["script"] = [
  [{ text: "Let me see." }, call("a", "add", { a: 1, b: 2 }), call("b", "fail"), call("c", "ghost"), call("d", "write")],
  [call("e", "write")],
  [{ text: "Done." }],
];

function answers(...given: readonly ("allow" | "deny")[]): PlayOptions["approver"] {
  const rest = [...given];
  return { ask: async () => ({ answer: rest.shift() ?? "deny" }) };
}

function expectTold({ events, blocks }: PlayedTurn): void {
  const state = fold(...events);
  expect(state.diagnostics).toEqual([]);
  for (const block of blocks) {
    const card = cardOf(state, block.tool_use_id);
    expect(card.result).toBe(resultText(block));
    expect([card.status === "failed", card.reason, card.executed]).toEqual([
      block.is_error === true,
      block.meta?.reason,
      block.meta?.executed,
    ]);
    const { title, preparedAt, askedAt, endedAt, output } = block.meta ?? {};
    expect(card).toMatchObject(
      Object.fromEntries(Object.entries({ title, preparedAt, askedAt, endedAt, output }).filter(([, v]) => v !== undefined)),
    );
  }
  expect(countCards(state)).toMatchObject({ open: 0, interrupted: 0 });
}

describe("the cards of a real turn", () => {
  it("say what the model reads, in the model's order [R9]", async () => {
    const played = await playTurn({ script: SCRIPT, tools, approver: answers("allow", "deny") });
    expectTold(played);
    expect(shown(fold(...played.events))).toEqual(["a completed", "b failed", "c failed", "d completed", "e denied"]);
  });

  it("wait for the person who is asked, and show it [R3]", async () => {
    let state = EMPTY_CARDS;
    const waiting: string[][] = [];
    const approver: PlayOptions["approver"] = {
      ask: async ({ toolCallId }) => {
        waiting.push([toolCallId, cardOf(state, toolCallId).state, String(cardOf(state, toolCallId).approval?.answer)]);
        return { answer: "allow" };
      },
    };
    const on: PlayOptions["on"] = (event) => {
      state = reduceCards(state, event);
    };
    await playTurn({ script: SCRIPT, tools, approver, on });
    expect(waiting).toEqual([
      ["d", "awaiting-approval", "undefined"],
      ["e", "awaiting-approval", "undefined"],
    ]);
    expect(cards(state).map((card) => card.approval?.answer)).toEqual([undefined, undefined, undefined, "allow", "allow"]);
  });

  it("are settled when the caller cancels while bodies run or a person is asked [R4]", async () => {
    const script = [[call("a", "wait"), call("b", "add", { a: 1, b: 2 }), call("c", "write")]];
    const played = await playTurn({ script, tools, approver: { ask: () => new Promise(() => undefined) }, abortAt: 10 });
    expectTold(played);
    expect(new Set(cards(fold(...played.events)).map((card) => card.state))).toEqual(new Set(["cancelled"]));
  });

  it("are hidden when the answer is cut [R1, R6]", async () => {
    const script: PlayOptions["script"] = [[call("a", "add", { a: 1, b: 2 }), call("b", "add"), { stop: "length" }]];
    const played = await playTurn({ script, tools });
    expect(played.calls).toMatchObject({ a: "preparing discarded" });
    const state = fold(...played.events);
    expect(cards(state)).toEqual([]);
    expect(cardOf(state, "a").reason).toBe("truncated");
  });
});
