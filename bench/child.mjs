// One measurement in a process of its own: node bench/child.mjs CONTENDER WORKLOAD -> one line of JSON.
import { CONTENDERS } from "./contenders.mjs";
import { Script, WORKLOADS } from "./workloads.mjs";

const [contender, workload] = process.argv.slice(2);
const { script: parts, turns = 1, per, scale } = WORKLOADS[workload];
const script = new Script(parts);
const turn = CONTENDERS[contender](script);

const play = async () => {
  const before = process.cpuUsage();
  const from = performance.now();
  await Promise.all(Array.from({ length: turns }, () => turn()));
  const { user, system } = process.cpuUsage(before);
  script.check(turns);
  return { cpu: (user + system) / 1_000, wall: performance.now() - from };
};

// Two seconds of turns warm up: what is measured is the runtime, not the compiler. Then at least five, for two seconds.
for (const until = performance.now() + 2_000; performance.now() < until; ) await play();
const runs = [];
for (const until = performance.now() + 2_000; runs.length < 5 || performance.now() < until; ) runs.push(await play());
const median = (of) => runs.map(of).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
const each = (ms) => (ms * scale) / per;
console.log(
  JSON.stringify({
    cpu: each(median((r) => r.cpu)),
    // The collector's long pauses fall into a few of the runs: only the mean has them.
    mean: each(runs.reduce((sum, r) => sum + r.cpu, 0) / runs.length),
    wall: each(median((r) => r.wall)),
    rss: process.resourceUsage().maxRSS / 1024,
  }),
);
