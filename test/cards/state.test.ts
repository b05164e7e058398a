// The state is an immutable value: old ones stay as they were, equal events give equal ones, and it survives a clone.
import { cards, countCards, EMPTY_CARDS, getCard, reduceCards } from "@callwire/cards";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardOf, completed, discarded, failed, fold, foldOn, pending, preparing, running, shown, turnEnd } from "./events.ts";
import { legalLog } from "./legal-logs.ts";

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

describe("the state", () => {
  it("is never changed, nor is an event", () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        deepFreeze(log);
        let state = deepFreeze(EMPTY_CARDS);
        const seen: { readonly list: readonly unknown[]; readonly copy: unknown; readonly again: () => readonly unknown[] }[] =
          [];
        for (const event of log) {
          state = deepFreeze(reduceCards(state, event));
          const then = state;
          seen.push({ list: cards(then), copy: structuredClone(cards(then)), again: () => cards(then) });
        }
        for (const { list, copy, again } of seen) {
          expect(again()).toBe(list);
          expect(list).toEqual(copy);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("may be gone on from twice, each branch for itself", () => {
    const root = fold(preparing("a"), pending("b"));
    const left = foldOn(root, pending("c"), completed("b"), turnEnd());
    const right = foldOn(root, pending("d"), pending("a"), failed("b"));
    expect(shown(root)).toEqual(["a preparing", "b pending"]);
    expect(shown(left)).toEqual(["b completed", "c interrupted"]);
    expect(shown(right)).toEqual(["a pending", "b failed", "d pending"]);
    expect(getCard(root, "c")).toBeUndefined();
    expect(getCard(right, "c")).toBeUndefined();
  });

  it("is equal for equal events, and differs for others", () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        expect(fold(...log)).toEqual(fold(...structuredClone(log)));
        expect(fold(...log.slice(0, 2))).not.toEqual(fold(...log.slice(0, 1)));
      }),
      { numRuns: 50 },
    );
  });

  it("goes on from a clone, and from its JSON", () => {
    fc.assert(
      fc.property(legalLog, fc.nat(), (log, cut) => {
        const at = cut % log.length;
        const half = fold(...log.slice(0, at));
        for (const copy of [structuredClone(half), JSON.parse(JSON.stringify(half))]) {
          expect(cards(foldOn(copy, ...log.slice(at)))).toEqual(cards(fold(...log)));
        }
      }),
      { numRuns: 50 },
    );
  });

  it("lists the same array until a card changes, and the same objects for cards that did not", () => {
    const before = fold(pending("a"), pending("b"));
    const list = cards(before);
    expect(cards(before)).toBe(list);
    expect(cards(reduceCards(before, { type: "nonsense" }))).toBe(list);
    const after = cards(reduceCards(before, running("b")));
    expect(after).not.toBe(list);
    expect(after[0]).toBe(list[0]);
  });

  it("finds every one of many cards, also where the hashes of ids are equal, and lists them in their order", () => {
    const ids = Array.from({ length: 3000 }, (_, i) => `toolu_${(i * 7919) % 3000}`);
    const state = fold(...ids.map((id) => pending(id)), ...ids.map((id) => completed(id)));
    expect(state.store.index.flat(2).some((positions) => positions.length > 1)).toBe(true);
    expect(cards(state).map((card) => card.toolCallId)).toEqual(ids);
    expect(ids.every((id) => cardOf(state, id).toolCallId === id)).toBe(true);
    expect(getCard(state, "toolu_3000")).toBeUndefined();
    expect(countCards(state)).toMatchObject({ total: 3000, completed: 3000 });
  });
});

describe("countCards", () => {
  it("counts every card that was ever shown, once", () => {
    const state = fold(
      ...[preparing("a"), preparing("b"), discarded("b"), pending("c"), running("d"), completed("e"), completed("f")],
      ...[failed("g"), failed("h", { reason: "denied" }), running("i", { turnId: "old" }), turnEnd({ turnId: "old" })],
    );
    expect(countCards(state)).toEqual({
      total: 9,
      preparing: 1,
      pending: 1,
      running: 1,
      completed: 2,
      failed: 2,
      discarded: 1,
      interrupted: 1,
      open: 3,
    });
  });

  it("adds up", () => {
    fc.assert(
      fc.property(legalLog, fc.nat(), (log, cut) => {
        const {
          total,
          completed: good,
          failed: bad,
          discarded: gone,
          interrupted,
          open,
        } = countCards(fold(...log.slice(0, cut % log.length)));
        expect(good + bad + gone + interrupted + open).toBe(total);
      }),
    );
  });
});
