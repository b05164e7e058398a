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

// The first turn warms up; then up to nine, or 1.2 s of them.
await play();
const runs = [];
for (const until = performance.now() + 1_200; runs.length < 3 || (runs.length < 9 && performance.now() < until); )
  runs.push(await play());
const median = (of) => runs.map(of).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
const each = (ms) => (ms * scale) / per;
console.log(
  JSON.stringify({
    cpu: each(median((r) => r.cpu)),
    wall: each(median((r) => r.wall)),
    rss: process.resourceUsage().maxRSS / 1024,
  }),
);
