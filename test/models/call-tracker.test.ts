// Which call a piece belongs to, when a call is named, and what its arguments are in the end.

import { describe, expect, it } from "vitest";
import { CallTracker } from "../../packages/models/src/call-tracker.ts";
import { RecordingSink } from "./recording-sink.ts";
import { type Piece, track, U } from "./track-pieces.ts";

describe("naming a call", () => {
  it("names it once, at the piece that completes id and name, before its arguments [P1a]", () => {
    const { sink } = track([0, "a", "read", ""], [0, undefined, undefined, '{"p"'], [0, undefined, undefined, ":1}"]);
    expect(sink.log).toEqual(["call:0:a:read", 'fragment:0:{"p"', "fragment:0::1}"]);
  });

  it("names it once although every piece repeats id and name", () => {
    const { sink, calls } = track([0, "a", "read", '{"p"'], [0, "a", "read", ":1}"]);
    expect(sink.calls).toHaveLength(1);
    expect(calls()).toEqual([{ slot: 0, id: "a", name: "read", input: { p: 1 } }]);
  });

  it('takes "" for absent in ids and names', () => {
    const { sink, calls } = track([0, "a", "", ""], [0, "", "read", ""], [0, "", "", "{}"]);
    expect(sink.log).toEqual(["call:0:a:read", "fragment:0:{}"]);
    expect(calls()).toEqual([{ slot: 0, id: "a", name: "read", input: {} }]);
  });

  it("waits for a name that comes after arguments, then passes on what it held back", () => {
    const { sink } = track([0, "a", undefined, '{"p"'], [0, undefined, undefined, ":1}"], [0, undefined, "read"]);
    expect(sink.log).toEqual(["call:0:a:read", 'fragment:0:{"p":1}']);
  });

  it("waits for an id that comes late", () => {
    const { sink, calls } = track([0, undefined, "read", "{}"], [0, "late"]);
    expect(sink.log).toEqual(["call:0:late:read", "fragment:0:{}"]);
    expect(calls()[0]).toMatchObject({ id: "late" });
  });

  it("leaves a call without an id to the end value [P1b]", () => {
    const { sink, calls } = track([0, undefined, "read", '{"p":1}']);
    expect(sink.log).toEqual([]);
    expect(calls()).toEqual([{ slot: 0, name: "read", input: { p: 1 } }]);
  });

  it("appends a later name while no argument byte came", () => {
    const { sink, calls } = track([0, "a", "edit_ex", ""], [0, undefined, "isting_file"], [0, undefined, undefined, "{}"]);
    expect(sink.calls.map((call) => call.name)).toEqual(["edit_ex"]);
    expect(calls()[0]).toMatchObject({ name: "edit_existing_file" });
  });

  it("pushes nothing for empty fragments", () => {
    const { sink } = track([0, "a", "f"], [0, undefined, undefined, ""], [0, undefined, undefined, null], [0]);
    expect(sink.log).toEqual(["call:0:a:f"]);
  });
});

describe("finding the call of a piece [T6i]", () => {
  const inputs = (pieces: readonly Piece[]) =>
    track(...pieces)
      .calls()
      .map((call) => [call.id, call.input]);

  it("goes by index when calls are interleaved", () => {
    const pieces: Piece[] = [
      [0, "a", "f"],
      [1, "b", "f"],
      [1, U, U, '{"n"'],
      [0, U, U, '{"n"'],
      [0, U, U, ":0}"],
      [1, U, U, ":1}"],
    ];
    expect(inputs(pieces)).toEqual([
      ["a", { n: 0 }],
      ["b", { n: 1 }],
    ]);
  });

  it("opens a new call for another id with a name at an occupied index", () => {
    const pieces: Piece[] = [
      [0, "a", "f", '{"n":0}'],
      [0, "b", "f", '{"n":1}'],
      [0, "c", "g", '{"n":2}'],
    ];
    expect(inputs(pieces)).toEqual([
      ["a", { n: 0 }],
      ["b", { n: 1 }],
      ["c", { n: 2 }],
    ]);
    expect(track(...pieces).slots).toEqual([0, 1, 2]);
  });

  it("goes by id when every index is 0 and fragments carry their id", () => {
    const pieces: Piece[] = [
      [0, "a", "f"],
      [0, "b", "f"],
      [0, "a", U, '{"n":0}'],
      [0, "b", U, '{"n":1}'],
    ];
    expect(inputs(pieces)).toEqual([
      ["a", { n: 0 }],
      ["b", { n: 1 }],
    ]);
  });

  it("keeps one id at two indexes apart", () => {
    const pieces: Piece[] = [
      [0, "x", "f", '{"n":0}'],
      [1, "x", "f", '{"n":'],
      [1, U, U, "1}"],
    ];
    expect(inputs(pieces)).toEqual([
      ["x", { n: 0 }],
      ["x", { n: 1 }],
    ]);
  });

  it("appends to the last call when an index was never opened and nothing names a call", () => {
    expect(
      inputs([
        [0, "a", "f", '{"n"'],
        [1, U, U, ":"],
        [2, U, U, "0}"],
      ]),
    ).toEqual([["a", { n: 0 }]]);
  });

  it("goes by id without an index", () => {
    const pieces: Piece[] = [
      [U, "a", "f"],
      [U, "b", "f"],
      [U, "a", U, '{"n":0}'],
      [U, "b", U, '{"n":1}'],
    ];
    expect(inputs(pieces)).toEqual([
      ["a", { n: 0 }],
      ["b", { n: 1 }],
    ]);
  });

  it("appends to the last call without index and id, and opens one for a name", () => {
    const pieces: Piece[] = [
      [U, U, "f", '{"n"'],
      [U, U, U, ":0}"],
      [U, U, "f", '{"n":1}'],
    ];
    expect(inputs(pieces)).toEqual([
      [undefined, { n: 0 }],
      [undefined, { n: 1 }],
    ]);
  });

  it("adopts an id and a name that come late and without an index", () => {
    expect(track([U, U, "f", "{}"], [U, "late"]).sink.log).toEqual(["call:0:late:f", "fragment:0:{}"]);
    expect(track([U, "a"], [U, U, "f", "{}"]).sink.log).toEqual(["call:0:a:f", "fragment:0:{}"]);
  });

  it("keeps the order of first sight", () => {
    expect(
      inputs([
        [1, "b", "f", "{}"],
        [0, "a", "f", "{}"],
      ]).map(([id]) => id),
    ).toEqual(["b", "a"]);
  });
});

describe("identity conflicts [T5e]", () => {
  it("finds a second id in one slot", () => {
    const { calls } = track([0, "a", "f", "{}"], [0, "b"]);
    expect(calls()).toMatchObject([{ id: "a", problem: { code: "identity-conflict" } }]);
  });

  it("finds another name after argument bytes", () => {
    const { calls } = track([0, "a", "f", '{"x"'], [0, undefined, "g", ":1}"]);
    expect(calls()).toMatchObject([{ name: "f", problem: { code: "identity-conflict" } }]);
  });

  it("finds a call without a name", () => {
    const { sink, calls } = track([0, "a", undefined, "{}"]);
    expect(sink.log).toEqual([]);
    expect(calls()).toMatchObject([{ id: "a", problem: { code: "nameless" } }]);
  });
});

describe("the whole", () => {
  it("gives a payload back with its call", () => {
    const { tracker, slots } = track([0, "a", "f", "{}"]);
    tracker.setPayload(slots[0] ?? -1, { signature: "s" });
    expect(tracker.calls(true)).toEqual([{ slot: 0, id: "a", name: "f", payload: { signature: "s" }, input: {} }]);
  });

  it("forgets everything at a restart", () => {
    const { tracker, sink } = track([0, "a", "f", '{"old":']);
    tracker.restart();
    tracker.add(0, "b", "g", "{}");
    expect(tracker.calls(true)).toEqual([{ slot: 0, id: "b", name: "g", input: {} }]);
    expect(sink.calls.map((call) => call.id)).toEqual(["a", "b"]);
  });

  it("puts a megabyte of small fragments together in linear time", () => {
    const cost = (fragments: number) => {
      const tracker = new CallTracker({
        ...new RecordingSink(),
        text() {},
        reasoning() {},
        call() {},
        providerCall() {},
        restart() {},
      });
      const started = process.cpuUsage();
      tracker.add(0, "a", "f", '{"t":"');
      for (let i = 0; i < fragments; i++) tracker.add(0, undefined, undefined, "0123456789abcdef");
      tracker.add(0, undefined, undefined, '"}');
      expect(tracker.calls(true)[0]?.input?.t).toHaveLength(fragments * 16);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    cost(65_536);
    // 16 times the work; quadratic growth would be 256 times the cost.
    expect(cost(262_144)).toBeLessThan(Math.max(cost(16_384), 5_000) * 80);
  });
});
