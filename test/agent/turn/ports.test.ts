// P4: time and ids come from ports that a host supplies; where they fail or interfere the turn goes on, or ends, in good order.
import type { Clock } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn } from "../../kit/turn.ts";
import { echo, tool } from "./cast.ts";

const script = oneRound(call("a", "echo", { say: "x" }), call("", "echo", { say: "y" }, { id: undefined }));

describe("ids that fail", () => {
  it("are replaced by the turn's own and reported, one by one [P4, T8g]", async () => {
    for (let broken = 1; broken <= 6; broken++) {
      let count = 0;
      const ids = () => {
        if (++count === broken) throw new Error("no more ids");
        return `m${count}`;
      };
      const { result, reports } = await playTurn({ script, tools: [echo], ids, turnId: undefined });
      expect(result).toMatchObject({ stopReason: "answered", text: "Done." });
      expect(reports).toEqual(["ids"]);
    }
  });
});

describe("a clock that aborts the turn while it is read", () => {
  const play = async (read: number) => {
    let reads = 0;
    let abort = (): void => undefined;
    const bodies: string[] = [];
    const clock: Clock = {
      now: () => {
        if (++reads === read) abort();
        return 0;
      },
      sleep: async () => undefined,
    };
    const turn = await playTurn({
      script: [[call("a", "t")], [{ hang: true }]],
      tools: (stage) => {
        abort = stage.abort;
        return [tool("t", (_input, { toolCallId }) => bodies.push(toolCallId))];
      },
      clock,
      // For a read that never comes.
      abortAt: 50,
    });
    return { ...turn, bodies };
  };

  it("ends it cancelled, at whatever read [T8a, T8c]", async () => {
    for (let read = 1; read <= 12; read++) expect((await play(read)).result.stopReason).toBe("cancelled");
  });

  it("asks no model when the attempt was about to begin [T8a]", async () => {
    expect((await play(3)).requests).toEqual([]);
  });

  it("starts no body when the body was about to begin [T8a]", async () => {
    const started: number[] = [];
    for (let read = 1; read <= 20; read++) started.push((await play(read)).bodies.length);
    // Up to some read nothing has started, after it everything has.
    expect(started).toEqual([...started].sort());
    expect(started.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
    expect(started.at(-1)).toBe(1);
  });
});
