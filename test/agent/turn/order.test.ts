// T3: one at a time, in the model's order; asking is concurrent, bodies are not.
import { describe, expect, it } from "vitest";
import { call, oneRound, playTurn, type Stage } from "../../kit/turn.ts";
import { ALLOW, DENY, replies, slow, tool } from "./cast.ts";

const gated = { requiresApproval: true } as const;

/** Tools `w1`, `w2` ... that need approval and work for 10 ms; `s` works for 100 ms without. */
const workers = (stage: Stage) => [
  slow(stage, "s", 100),
  ...[1, 2, 3].map((n) => slow(stage, `w${n}`, 10, gated)),
  slow(stage, "quick", 0),
];

/** When each call was running, and when it ended. */
async function timesOf(options: Parameters<typeof playTurn>[0]) {
  const { event, words, block, calls, blocks } = await playTurn({ tools: workers, ...options });
  const of = (id: string) => {
    const end = calls[id]?.endsWith("failed") ? event(id, "failed") : event(id, "completed");
    return {
      running: event(id, "running").at,
      started: block(id).meta?.startedAt,
      asked: block(id).meta?.askedAt,
      ended: end.at,
    };
  };
  return { of, words, order: blocks.map((found) => found.tool_use_id) };
}

describe("calls that need nobody", () => {
  it("run one at a time, in the model's order [T3b, P8c]", async () => {
    const { of, words } = await timesOf({ script: oneRound(call("a", "s"), call("b", "quick"), call("c", "s")) });
    expect(of("a")).toMatchObject({ running: 0, ended: 100 });
    expect(of("b")).toMatchObject({ running: 100, ended: 100 });
    expect(of("c")).toMatchObject({ running: 100, ended: 200 });
    const life = words.filter((word) => /^(running|completed)/.test(word));
    expect(life).toEqual(["running a", "completed a", "running b", "completed b", "running c", "completed c"]);
  });

  it("do not overlap even when they say that they could [T3b]", async () => {
    let open = 0;
    let most = 0;
    const careful = ({ clock }: Stage) => [
      tool(
        "t",
        async () => {
          most = Math.max(most, ++open);
          await clock.sleep(10);
          open--;
        },
        { concurrencySafe: () => true },
      ),
    ];
    await playTurn({ script: oneRound(call("a", "t"), call("b", "t"), call("c", "t")), tools: careful });
    expect(most).toBe(1);
  });
});

describe("calls that need a person", () => {
  it("go running and are asked together, right after the announcement [T3c]", async () => {
    const script = oneRound(call("a", "s"), call("b", "w1"), call("c", "quick"), call("d", "w2"));
    const { words } = await timesOf({ script, approver: replies() });
    const after = words.slice(words.indexOf("pending d") + 1, words.indexOf("completed a"));
    expect(after.filter((word) => word !== "approval-answered")).toEqual([
      "running b",
      "approval-requested",
      "running d",
      "approval-requested",
      "running a",
    ]);
  });

  it("are all asked before anything starts, even when asking for one fails at once [T3c]", async () => {
    const script = oneRound(call("a", "w1"), call("b", "quick"), call("c", "w2"));
    const dead = () => ({
      ask: () => {
        throw new Error("the phone is dead");
      },
    });
    const { words } = await timesOf({ script, approver: dead });
    expect(words.indexOf("running c")).toBeLessThan(words.indexOf("running b"));
  });

  it("do not start a body a second time when they are answered while it works [T3e, I12]", async () => {
    let bodies = 0;
    const counting = ({ clock }: Stage) => [
      tool("s", () => clock.sleep(100).then(() => ++bodies)),
      ...workers({ clock } as Stage).slice(1),
    ];
    const script = oneRound(call("a", "s"), call("b", "w1"), call("c", "w2"));
    await playTurn({ script, tools: counting, approver: replies({ b: { ms: 5, ...ALLOW }, c: { ms: 6, ...DENY } }) });
    expect(bodies).toBe(1);
  });

  it("are refused at once, also while earlier calls still work [T3d, row-15]", async () => {
    const script = oneRound(call("a", "s"), call("b", "w1"));
    const { of } = await timesOf({ script, approver: replies({ b: { ms: 5, ...DENY } }) });
    expect(of("b").ended).toBe(5);
    expect(of("a").ended).toBe(100);
  });

  it("start when their answer is there and every earlier call has settled [T3e, T3g]", async () => {
    const script = oneRound(call("a", "s"), call("b", "w1"));
    const { of } = await timesOf({ script, approver: replies({ b: { ms: 5, ...ALLOW } }) });
    expect(of("b")).toEqual({ running: 0, asked: 0, started: 100, ended: 110 });
  });

  it("hold up the calls after them until they are answered [T3e]", async () => {
    const script = oneRound(call("a", "w1"), call("b", "quick"));
    const { of } = await timesOf({ script, approver: replies({ a: { ms: 40, ...ALLOW } }) });
    expect(of("a")).toEqual({ running: 0, asked: 0, started: 40, ended: 50 });
    expect(of("b").running).toBe(50);
  });

  it("start in the model's order, whatever the order of the answers [T3e]", async () => {
    const script = oneRound(call("a", "w1"), call("b", "w2"), call("c", "w3"));
    const approver = replies({ a: { ms: 30, ...ALLOW }, b: { ms: 20, ...ALLOW }, c: { ms: 10, ...ALLOW } });
    const { of } = await timesOf({ script, approver });
    expect([of("a").started, of("b").started, of("c").started]).toEqual([30, 40, 50]);
  });

  it("do not wait for an answer to a later one [T3e]", async () => {
    const script = oneRound(call("a", "w1"), call("b", "w2"));
    const { of } = await timesOf({ script, approver: replies({ a: { ms: 1, ...ALLOW }, b: { ms: 500, ...ALLOW } }) });
    expect(of("a")).toMatchObject({ started: 1, ended: 11 });
    expect(of("b")).toMatchObject({ started: 500, ended: 510 });
  });
});

describe("the order of ends", () => {
  it("is completion order for events and the model's order for results [T3a]", async () => {
    const script = oneRound(call("a", "s"), call("b", "w1"), call("c", "w2"));
    const approver = replies({ b: { ms: 50, ...DENY }, c: { ms: 20, ...DENY } });
    const { words, order } = await timesOf({ script, approver });
    expect(words.filter((word) => /^(completed|failed)/.test(word))).toEqual(["failed c", "failed b", "completed a"]);
    expect(order).toEqual(["a", "b", "c"]);
  });
});

describe("the times of a call", () => {
  it("tell asking from working [T3g, T10b]", async () => {
    const { of } = await timesOf({
      script: oneRound({ wait: 7 }, call("a", "w1")),
      approver: replies({ a: { ms: 20, ...ALLOW } }),
    });
    expect(of("a")).toEqual({ running: 7, asked: 7, started: 27, ended: 37 });
  });

  it("have no start where no body began [T3g]", async () => {
    const { of } = await timesOf({ script: oneRound(call("a", "w1")), approver: replies({ a: { ms: 20, ...DENY } }) });
    expect(of("a")).toEqual({ running: 0, asked: 0, started: undefined, ended: 20 });
  });
});
