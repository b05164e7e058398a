// What the benchmark plays: one script per workload, the same for every contender, and the proof that the work was done.

const TEXT = "lorem ";
const RESULT = "y".repeat(64);
export const TOOL = "work";

/** One instant, in-process model: `rounds` answers that ask for `calls` calls each, `deltas` text deltas an answer. */
export class Script {
  constructor({ rounds = 1, calls = 0, deltas = 0, argBytes = 64 }) {
    this.rounds = calls > 0 ? rounds : 0;
    this.calls = calls;
    this.deltas = deltas;
    this.pad = "x".repeat(Math.max(0, argBytes - JSON.stringify({ r: 100, i: 1000, p: "" }).length));
    this.seen = { deltas: 0, settled: 0 };
  }

  /** Pushes answer number `k` (0-based): `text(s)`, `call(i, id)`, `fragment(i, s)`; returns true when it asks for tools. */
  play(k, out) {
    const asks = k < this.rounds;
    if (asks || this.rounds === 0) for (let n = 0; n < this.deltas; n++) out.text(TEXT);
    else out.text("done");
    if (!asks) return false;
    for (let i = 0; i < this.calls; i++) {
      const args = this.args(k, i);
      out.call(i, `call_${k}_${i}`);
      for (let o = 0; o < args.length; o += 16) out.fragment(i, args.slice(o, o + 16));
    }
    return true;
  }

  args(k, i) {
    return `{"r":${k},"i":${i},"p":"${this.pad}"}`;
  }

  async tool(args) {
    if (args.p.length !== this.pad.length) throw new Error("the tool got wrong arguments");
    return RESULT;
  }

  delta(text) {
    if (text.length === 0) throw new Error("an empty delta");
    this.seen.deltas++;
  }

  settled(text) {
    if (text !== RESULT) throw new Error("a call settled with another text than its tool returned");
    this.seen.settled++;
  }

  /** Throws unless the host saw every delta and every settled call of `turns` turns. */
  check(turns) {
    const answers = this.rounds > 0 ? this.rounds : 1;
    const deltas = turns * (answers * this.deltas + (this.rounds > 0 ? 1 : 0));
    const settled = turns * this.rounds * this.calls;
    const { seen } = this;
    if (seen.deltas !== deltas || seen.settled !== settled) {
      throw new Error(`work not done: ${seen.deltas} of ${deltas} deltas, ${seen.settled} of ${settled} calls`);
    }
    this.seen = { deltas: 0, settled: 0 };
  }
}

/** Per workload: the script, how its cost is counted, and how many turns run at once. */
export const WORKLOADS = {
  deltas: { script: { deltas: 50_000 }, per: 50_000, unit: "ns/delta", scale: 1e6 },
  "calls-250": { script: { calls: 250 }, per: 250, unit: "us/call", scale: 1e3 },
  "calls-1000": { script: { calls: 1_000 }, per: 1_000, unit: "us/call", scale: 1e3 },
  "calls-4000": { script: { calls: 4_000 }, per: 4_000, unit: "us/call", scale: 1e3 },
  "rounds-20": { script: { rounds: 20, calls: 1, deltas: 5 }, per: 20, unit: "us/round", scale: 1e3 },
  "rounds-80": { script: { rounds: 80, calls: 1, deltas: 5 }, per: 80, unit: "us/round", scale: 1e3 },
  "rounds-320": { script: { rounds: 320, calls: 1, deltas: 5 }, per: 320, unit: "us/round", scale: 1e3 },
  "rounds-1280": { script: { rounds: 1_280, calls: 1, deltas: 5 }, per: 1_280, unit: "us/round", scale: 1e3 },
  megabyte: { script: { calls: 1, argBytes: 1 << 20 }, per: 1, unit: "ms", scale: 1 },
  concurrent: { script: { rounds: 3, calls: 2, deltas: 10 }, turns: 1_000, per: 1_000, unit: "us/turn", scale: 1e3 },
};
