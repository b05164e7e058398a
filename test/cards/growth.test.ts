// What one more event costs does not depend on how many cards there are: counted in reads of the state, not in time.
import { type CardsState, EMPTY_CARDS, reduceCards } from "@callwire/cards";
import { beforeAll, describe, expect, it } from "vitest";
import {
  approvalRequested,
  attemptDiscarded,
  completed,
  discarded,
  fold,
  foldOn,
  liveCall,
  liveState,
  pending,
  preparing,
  progress,
  running,
  turnEnd,
} from "./events.ts";

const SMALL = 10;
const LARGE = 10_000;

/** The state, counting every read of every object and array in it; a copy of a list reads each of its entries. */
function counted(state: CardsState): { readonly state: CardsState; reads(): number } {
  let reads = 0;
  const handler: ProxyHandler<object> = {
    get(target, key, receiver) {
      reads++;
      const value: unknown = Reflect.get(target, key, receiver);
      return typeof value === "object" && value !== null ? new Proxy(value, handler) : value;
    },
  };
  return { state: new Proxy(state, handler) as CardsState, reads: () => reads };
}

function cost(state: CardsState, event: unknown): number {
  const watched = counted(state);
  reduceCards(watched.state, event);
  return watched.reads();
}

/** Turns of 100 settled calls each, then one turn with three open calls `x`, `y`, `z`. */
function conversation(size: number): CardsState {
  let state = EMPTY_CARDS;
  for (let i = 0; i < size; i++) {
    const turn = { turnId: `t${Math.floor(i / 100)}` };
    const id = `call_${i}`;
    state = foldOn(state, preparing(id, turn), pending(id, turn), running(id, turn), completed(id, turn));
    if (i % 100 === 99) state = reduceCards(state, turnEnd(turn));
  }
  return foldOn(state, preparing("x"), pending("y"), pending("z"), running("z"));
}

describe("one more event in a conversation of ten thousand cards", () => {
  const states = new Map<number, CardsState>();
  beforeAll(() => {
    for (const size of [SMALL, LARGE]) states.set(size, conversation(size));
  });

  it.each([
    ["a new preparing call", preparing("new")],
    ["a new pending call", pending("new")],
    ["a call that becomes pending", pending("x")],
    ["a call that becomes running", running("y")],
    ["a call that completes", completed("z")],
    ["a withdrawal", discarded("x")],
    ["progress", progress("z", { message: "half" })],
    ["a question", approvalRequested("z")],
    ["an ignored repetition", running("z")],
    ["the end of an old call again", completed("call_3")],
    ["the end of an attempt", attemptDiscarded()],
    ["a live state", liveState([liveCall("x")])],
    ["the end of the turn", turnEnd()],
  ])("costs what it costs among ten: %s", (_, event) => {
    const [small, large] = [SMALL, LARGE].map((size) => cost(states.get(size) ?? EMPTY_CARDS, event));
    // A step of a tree of width 32 more or less, for each of the lists that an event may change.
    expect(Math.abs((large ?? 0) - (small ?? 0))).toBeLessThan(6 * 32);
    expect(large).toBeGreaterThan(0);
  });

  it("reads nothing for live text, and gives the same state", () => {
    const state = states.get(LARGE) ?? EMPTY_CARDS;
    const text = { type: "text-delta", port: "text", turnId: "turn", at: 1, textDelta: "x", round: 1, attempt: 1 };
    expect(cost(state, text)).toBe(0);
    for (const type of ["text-delta", "reasoning-delta", "tool-call-delta", "message", "round-usage"]) {
      expect(reduceCards(state, { ...text, type })).toBe(state);
    }
  });
});

describe("ten thousand open cards", () => {
  const open = fold(...Array.from({ length: LARGE }, (_, i) => pending(`call_${i}`)));

  it("do not slow one more down", () => {
    const few = fold(...Array.from({ length: SMALL }, (_, i) => pending(`call_${i}`)));
    for (const event of [pending("new"), running("call_7"), completed("call_7")]) {
      expect(Math.abs(cost(open, event) - cost(few, event))).toBeLessThan(6 * 32);
    }
  });

  it("are closed by the end of their turn once, not again by every later one", () => {
    const ended = reduceCards(open, turnEnd());
    expect(cost(ended, turnEnd({ turnId: "next" }))).toBeLessThan(100);
  });
});
