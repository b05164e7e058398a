// Equal durable facts give equal final cards, whatever order and how often they arrive; order stays as it first was.
import { type Card, type CardsState, cards, EMPTY_CARDS, getCard, reduceCards } from "@callwire/cards";
import type { TurnEvent } from "@callwire/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardOf, fold } from "./events.ts";
import { callIds, legalLog } from "./legal-logs.ts";

/** What only a live stream in its own order tells: transient facts, and the questions of calls that have settled since. */
const LIVE_ONLY = ["preparedAt", "runningAt", "askedAt", "answeredAt", "approval", "progress"] as const;

function settledFacts(card: Card): Partial<Card> {
  const live: readonly string[] = LIVE_ONLY;
  return Object.fromEntries(Object.entries(card).filter(([fact, value]) => value !== undefined && !live.includes(fact)));
}

/** Folds, and after every event checks that each id has one card and that no card moved. */
function foldWatched(log: readonly unknown[], ids: readonly string[]): CardsState {
  let state = EMPTY_CARDS;
  const order: string[] = [];
  for (const event of log) {
    state = reduceCards(state, event);
    for (const id of ids) if (!order.includes(id) && getCard(state, id) !== undefined) order.push(id);
    const list = cards(state).map((card) => card.toolCallId);
    const expected = order.filter((id) => list.includes(id));
    if (list.join() !== expected.join()) throw new Error(`${list.join()} stands where ${expected.join()} stood`);
  }
  return state;
}

function expectSettledAlike(state: CardsState, log: readonly TurnEvent[]): void {
  const whole = fold(...log);
  for (const id of callIds(log).filter((one) => one.startsWith("s"))) {
    expect(settledFacts(cardOf(state, id)), id).toEqual(settledFacts(cardOf(whole, id)));
  }
}

/** The log with the events of one call permuted, and some repeated, in the places that they had. */
const oneCallShuffled = legalLog.chain((log) =>
  fc.constantFrom(...callIds(log)).chain((id) => {
    const own = log.filter((event) => "toolCallId" in event && event.toolCallId === id);
    return fc
      .tuple(fc.shuffledSubarray(own, { minLength: own.length }), fc.array(fc.constantFrom(...own), { maxLength: 4 }))
      .map(([order, again]) => {
        const queue = [...order];
        const shuffled = log.flatMap((event) => (own.includes(event) ? [queue.shift() ?? event] : [event]));
        return { log, shuffled: [...shuffled.slice(0, -1), ...again, ...shuffled.slice(-1)], id };
      });
  }),
);

const allShuffled = legalLog.chain((log) =>
  fc
    .tuple(fc.shuffledSubarray([...log], { minLength: log.length }), fc.array(fc.constantFrom(...log), { maxLength: 8 }))
    .map(([order, again]) => ({ log, shuffled: [...order, ...again] })),
);

describe("a legal log", () => {
  it("leaves every call settled or withdrawn, without a diagnostic [R8, R9]", () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        const state = foldWatched(log, callIds(log));
        expect(state.diagnostics).toEqual([]);
        expect(cards(state).map((card) => card.toolCallId)).toEqual(callIds(log).filter((id) => id.startsWith("s")));
        for (const card of cards(state)) expect(["completed", "failed"]).toContain(card.status);
      }),
    );
  });

  it("gives the same cards when it is told twice, or any part of it again [R8]", () => {
    fc.assert(
      fc.property(legalLog, fc.nat(), fc.nat(), (log, from, count) => {
        const start = from % log.length;
        const again = log.slice(start, start + (count % (log.length - start)) + 1);
        const whole = cards(fold(...log));
        expect(cards(fold(...log, ...log))).toEqual(whole);
        expect(cards(foldWatched([...log, ...again, log.at(-1)], callIds(log)))).toEqual(whole);
      }),
    );
  });

  it("gives the same cards when its transient events are left out, apart from what only they tell [R8, R9]", () => {
    fc.assert(
      fc.property(legalLog, (log) => {
        const durable = log.filter((event) => "seq" in event);
        expectSettledAlike(fold(...durable), log);
      }),
    );
  });
});

describe("a log whose events arrive in another order", () => {
  it("ends in the same facts when one call's events are permuted and repeated [R8, R9]", () => {
    fc.assert(
      fc.property(oneCallShuffled, ({ log, shuffled, id }) => {
        const state = foldWatched(shuffled, callIds(log));
        expectSettledAlike(state, log);
        const whole = fold(...log);
        for (const other of callIds(log)) if (other !== id) expect(getCard(state, other)).toEqual(getCard(whole, other));
      }),
      { numRuns: 200 },
    );
  });

  it("ends in the same facts when all events are permuted and repeated [R8, R9]", () => {
    fc.assert(
      fc.property(allShuffled, ({ log, shuffled }) => {
        expectSettledAlike(foldWatched(shuffled, callIds(log)), log);
      }),
      { numRuns: 200 },
    );
  });

  it("has nothing busy once the turn's end has been heard and nothing came after it [R4, R8]", () => {
    fc.assert(
      fc.property(allShuffled, ({ log, shuffled }) => {
        const state = fold(...shuffled, log.at(-1));
        for (const card of cards(state)) expect(["preparing", "pending", "running"]).not.toContain(card.state);
      }),
    );
  });
});
