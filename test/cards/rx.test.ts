// Cards over RxJS: what is emitted when, how it ends, and that nothing is left behind.
import type { Card } from "@callwire/cards";
import { cards$ } from "@callwire/cards/rx";
import { concat, from, NEVER, Observable, of, Subject, take } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { describe, expect, it } from "vitest";
import { completed, discarded, pending, preparing, running, turnEnd } from "./events.ts";

interface Seen {
  readonly lists: (readonly Card[])[];
  readonly words: string[];
}

function watch(events$: Observable<unknown>): Seen & { readonly stop: () => void } {
  const seen: Seen = { lists: [], words: [] };
  const subscription = cards$(events$).subscribe({
    next: (list) => {
      seen.lists.push(list);
      seen.words.push(list.map((card) => `${card.toolCallId} ${card.state}`).join(", "));
    },
    error: (error: unknown) => seen.words.push(`error: ${String(error)}`),
    complete: () => seen.words.push("complete"),
  });
  return { ...seen, stop: () => subscription.unsubscribe() };
}

const TEXT = { type: "text-delta", port: "text", turnId: "turn", at: 1, textDelta: "x", round: 1, attempt: 1 };

describe("cards$", () => {
  it("emits the empty list first, then a list for each event that changes one", () => {
    const events$ = new Subject<unknown>();
    const { words } = watch(events$);
    expect(words).toEqual([""]);
    for (const event of [preparing("a"), pending("a"), pending("b"), running("a"), completed("a")]) events$.next(event);
    expect(words.slice(1)).toEqual([
      "a preparing",
      "a pending",
      "a pending, b pending",
      "a running, b pending",
      "a completed, b pending",
    ]);
  });

  it("emits nothing for what changes no card", () => {
    const events$ = new Subject<unknown>();
    const { words } = watch(events$);
    const idle = [
      TEXT,
      preparing("a"),
      preparing("a"),
      TEXT,
      pending("a"),
      preparing("a"),
      discarded("x"),
      turnEnd({ turnId: "other" }),
    ];
    for (const event of idle) events$.next(event);
    expect(words).toEqual(["", "a preparing", "a pending"]);
  });

  it("keeps the objects of cards that did not change", () => {
    const { lists } = watch(concat(of(pending("a"), pending("b"), running("b")), NEVER));
    expect(lists[3]?.[0]).toBe(lists[2]?.[0]);
    expect(lists[3]?.[1]).not.toBe(lists[2]?.[1]);
  });

  it("ignores the other chunks of its channel", () => {
    const chunks = [{ type: "snapshot", data: {} }, { type: "finish", data: { text: "x" } }, null, "x", { type: "phase" }];
    expect(watch(concat(from(chunks), NEVER)).words).toEqual([""]);
  });

  it("takes the events of Workglow's own AgentTask [R7]", () => {
    const foreign = ["pending", "running", "completed"].map((status) => ({
      type: "tool-call",
      toolCallId: "a",
      name: "n",
      status,
    }));
    expect(watch(from(foreign)).words).toEqual(["", "a pending", "a running", "a completed", "complete"]);
  });

  it("leaves no card busy when its source completes [R4]", () => {
    const { words } = watch(from([preparing("a"), pending("b"), running("c"), completed("d")]));
    expect(words.slice(-2)).toEqual(["b interrupted, c interrupted, d completed", "complete"]);
  });

  it("leaves no card busy when its source fails, and passes the error on [R4]", () => {
    const events$ = new Subject<unknown>();
    const { words } = watch(events$);
    events$.next(preparing("a"));
    events$.next(running("b"));
    events$.error(new Error("lost"));
    expect(words.slice(-2)).toEqual(["b interrupted", "error: Error: lost"]);
  });

  it("repeats no list at the end when nothing was open", () => {
    expect(watch(from([completed("a")])).words).toEqual(["", "a completed", "complete"]);
    expect(watch(from([])).words).toEqual(["", "complete"]);
  });

  it("emits in the frame of the event, neither later nor earlier", () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
    scheduler.run(({ cold, expectObservable }) => {
      const events$ = cold("-p-t-r---|", { p: pending("a"), t: TEXT, r: running("a") });
      const states$ = cards$(events$).pipe(
        (source) =>
          new Observable<string>((out) =>
            source.subscribe({
              next: (list) => out.next(list.map((card) => card.state).join()),
              error: (error: unknown) => out.error(error),
              complete: () => out.complete(),
            }),
          ),
      );
      expectObservable(states$).toBe("0p---r---(i|)", { 0: "", p: "pending", r: "running", i: "interrupted" });
    });
  });

  it("lets go of its source when it is left, and hears nothing more", () => {
    const events$ = new Subject<unknown>();
    const { words, stop } = watch(events$);
    events$.next(pending("a"));
    expect(events$.observed).toBe(true);
    stop();
    expect(events$.observed).toBe(false);
    events$.next(running("a"));
    expect(words).toEqual(["", "a pending"]);
  });

  it("does not touch its source for the first list alone", () => {
    let subscribed = 0;
    const events$ = new Observable<unknown>(() => {
      subscribed++;
    });
    cards$(events$).pipe(take(1)).subscribe();
    expect(subscribed).toBe(0);
  });

  it("folds from the start for every subscriber", () => {
    const list$ = cards$(from([pending("a"), completed("a")]));
    const both = [0, 1].map(() => {
      const states: string[] = [];
      list$.subscribe((list) => states.push(list.map((card) => card.state).join()));
      return states;
    });
    expect(both).toEqual([
      ["", "pending", "completed"],
      ["", "pending", "completed"],
    ]);
  });

  it("keeps the order of events that a reader causes from inside a list", () => {
    const events$ = new Subject<unknown>();
    const words: string[] = [];
    cards$(events$).subscribe((list) => {
      words.push(list.map((card) => card.state).join());
      if (list[0]?.state === "pending") events$.next(running("a"));
      if (list[0]?.state === "running") events$.next(completed("a"));
    });
    events$.next(pending("a"));
    expect(words).toEqual(["", "pending", "running", "completed"]);
  });
});
