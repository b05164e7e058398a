// T9: a tool's own timeout fires its signal, waits one grace, and then says truthfully that nobody knows.
import type { Tool } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn, type Stage } from "../../kit/turn.ts";
import { echo, obedient, slow, tool } from "./cast.ts";

const timed = { timeoutMs: 100 } as const;

/** One call of a tool with a timeout of 100 ms. */
const run = (body: (stage: Stage) => Tool, more: PlayOptions = {}) =>
  playTurn({ script: oneRound(call("a", "t")), tools: (stage) => [body(stage)], ...more });

describe("a tool's timeout", () => {
  it("does not matter to a body that is done in time [T9a]", async () => {
    const { event, events } = await run((stage) => slow(stage, "t", 99, timed));
    expect(event("a", "completed")).toMatchObject({ at: 99, result: "t done" });
    expect(events.at(-1)?.at).toBe(99);
  });

  it("fires the signal of the body when it is over [T9a]", async () => {
    let at: number | undefined;
    const body = ({ clock }: Stage) =>
      tool(
        "t",
        async (_input, { signal }) => {
          signal.addEventListener("abort", () => {
            at = clock.now();
          });
          await clock.sleep(500);
        },
        timed,
      );
    await run(body);
    expect(at).toBe(100);
  });

  it("lets a body that returns within the grace settle with its true result [T9a]", async () => {
    const { event, result } = await run((stage) => slow(stage, "t", 2_099, timed));
    expect(event("a", "completed")).toMatchObject({ at: 2_099, result: "t done" });
    expect(result.stopReason).toBe("answered");
  });

  it("lets a body that breaks within the grace fail in its own words [T9a]", async () => {
    const { event } = await run(({ clock }) =>
      tool("t", () => clock.sleep(150).then(() => Promise.reject(new Error("disk full"))), timed),
    );
    expect(event("a", "failed")).toMatchObject({ at: 150, reason: "tool-error", executed: "yes" });
  });

  it("fails a body that outlasts the grace, executed unknown [T9b, row-20, fail-timeout]", async () => {
    const { event, calls } = await run((stage) => slow(stage, "t", 9_000, timed));
    expect(event("a", "failed")).toMatchObject({ at: 2_100, reason: "timeout", executed: "unknown" });
    expect(event("a", "failed").result).toMatch(/^tool call timed out after 100ms/i);
    expect(calls).toEqual({ a: "preparing pending running failed" });
  });

  it("fails a body that gives in to it, at once [T9b, row-20]", async () => {
    const { event } = await run((stage) => obedient(stage, "t", 9_000, timed));
    expect(event("a", "failed")).toMatchObject({ at: 100, reason: "timeout", executed: "unknown" });
  });

  it("waits for no one without a grace [T9b]", async () => {
    const { event } = await run((stage) => slow(stage, "t", 150, timed), { graceMs: 0 });
    expect(event("a", "failed")).toMatchObject({ at: 100, reason: "timeout" });
  });

  it("is the call's own: the round goes on with the next one [T9b]", async () => {
    const script = oneRound(call("a", "t"), call("b", "echo", { say: "x" }));
    const { event, result } = await playTurn({ script, tools: (stage) => [slow(stage, "t", 9_000, timed), echo] });
    expect(event("b", "completed")).toMatchObject({ at: 2_100, result: "x" });
    expect(result.stopReason).toBe("answered");
  });

  it("does not count the time in which a person is asked [T9a, T3g]", async () => {
    const gated = (stage: Stage) => slow(stage, "t", 50, { ...timed, requiresApproval: true });
    const { event } = await run(gated, {
      approver: ({ clock }) => ({ ask: () => clock.sleep(400).then(() => ({ answer: "allow" as const })) }),
    });
    expect(event("a", "completed").at).toBe(450);
  });

  it("of a cancelled turn gives way to the cancellation [T9b, T8f]", async () => {
    const { event, result } = await run((stage) => slow(stage, "t", 9_000, timed), { abortAt: 50 });
    expect(event("a", "failed")).toMatchObject({ at: 2_050, reason: "cancelled", executed: "unknown" });
    expect(result.stopReason).toBe("cancelled");
  });

  it("ends at the earlier of its own grace and that of a cancelled turn [T9b, T8f]", async () => {
    const { event, events } = await run((stage) => slow(stage, "t", 9_000, timed), { abortAt: 1_000 });
    expect(event("a", "failed")).toMatchObject({ at: 2_100, executed: "unknown" });
    expect(events.at(-1)?.at).toBe(2_100);
  });
});

describe("a tool whose abandoned body still lives", () => {
  const again = (gap: number) => [[call("a", "t")], [{ wait: gap }, call("b", "t")], [{ text: "Done." }]];
  const play = (ms: number, gap: number, more: Partial<Tool> = {}) =>
    playTurn({ script: again(gap), tools: (stage) => [slow(stage, "t", ms, { ...timed, ...more }), echo] });

  it("refuses its next call, executed no [T9c]", async () => {
    const { event } = await play(9_000, 0);
    expect(event("b", "failed")).toMatchObject({ reason: "tool-error", executed: "no" });
    expect(event("b", "failed").result).toMatch(/^t was not run: its previous call is still running/);
  });

  it("refuses it in the same round too [T9c]", async () => {
    const script = oneRound(call("a", "t"), call("b", "t"), call("c", "echo", { say: "x" }));
    const { event } = await playTurn({ script, tools: (stage) => [slow(stage, "t", 9_000, timed), echo] });
    expect(event("b", "failed")).toMatchObject({ reason: "tool-error", executed: "no" });
    expect(event("c", "completed").result).toBe("x");
  });

  it("takes calls again once that body has ended [T9c]", async () => {
    const { event } = await playTurn({
      script: again(3_000),
      tools: ({ clock }) => {
        let first = true;
        const body = async () => {
          const ms = first ? 5_000 : 10;
          first = false;
          await clock.sleep(ms);
          return "ok";
        };
        return [tool("t", body, timed)];
      },
    });
    expect(event("a", "failed").at).toBe(2_100);
    expect(event("b", "completed")).toMatchObject({ at: 5_110, result: "ok" });
  });

  it("is not held back when it may overlap [T9c]", async () => {
    const { event } = await play(9_000, 0, { concurrencySafe: () => true });
    expect(event("b", "failed").reason).toBe("timeout");
  });

  it("is held back when it cannot say whether it may overlap [T9c]", async () => {
    const unsure = () => JSON.parse("{") as boolean;
    const { event, reports } = await play(9_000, 0, { concurrencySafe: unsure });
    expect(event("b", "failed")).toMatchObject({ reason: "tool-error", executed: "no" });
    expect(reports).toEqual(["t.concurrencySafe"]);
  });
});
