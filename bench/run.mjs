// npm run bench [-- --reps 5 --only deltas,calls-1000]: every contender on every workload, interleaved, as ratios of one run.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { WORKLOADS } from "./workloads.mjs";

const { values } = parseArgs({
  options: { reps: { type: "string", default: "5" }, only: { type: "string" }, json: { type: "string" } },
});
const names = values.only?.split(",") ?? Object.keys(WORKLOADS);
const contenders = ["bare", "task-run", "turn", "agent"];
const child = new URL("child.mjs", import.meta.url).pathname;

const samples = {};
for (let rep = 0; rep < Number(values.reps); rep++) {
  for (const workload of names) {
    for (const contender of contenders) {
      const line = execFileSync(process.execPath, ["--expose-gc", child, contender, workload], { encoding: "utf8" });
      samples[workload] ??= {};
      samples[workload][contender] ??= [];
      samples[workload][contender].push(JSON.parse(line));
    }
  }
  process.stderr.write(`repetition ${rep + 1} of ${values.reps}\n`);
}

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const cpu = (workload, contender) => median(samples[workload][contender].map((s) => s.cpu));
const mean = (workload, contender) => median(samples[workload][contender].map((s) => s.mean));
const fixed = (n) => (n >= 100 ? n.toFixed(0) : n.toFixed(2));
const row = (cells) => console.log(`| ${cells.join(" | ")} |`);

row([
  "workload (process CPU)",
  "unit",
  ...contenders,
  "turn / bare",
  "agent / bare",
  "(agent - turn) / (task-run - bare)",
  "agent / bare, means with GC",
]);
row(Array(10).fill("---"));
for (const workload of names) {
  const [bare, task, turn, agent] = contenders.map((contender) => cpu(workload, contender));
  const shell = task > bare ? (agent - turn) / (task - bare) : Number.NaN;
  row([
    workload,
    WORKLOADS[workload].unit,
    ...[bare, task, turn, agent, turn / bare, agent / bare, shell, mean(workload, "agent") / mean(workload, "bare")].map(fixed),
  ]);
}

const growth = (small, large, factor) => {
  if (!(small in samples) || !(large in samples)) return;
  const exponent = (contender) => 1 + Math.log(cpu(large, contender) / cpu(small, contender)) / Math.log(factor);
  console.log(`growth exponent ${small} -> ${large}: ${contenders.map((c) => `${c} ${exponent(c).toFixed(2)}`).join(", ")}`);
};
growth("calls-250", "calls-1000", 4);
growth("calls-1000", "calls-4000", 4);
growth("rounds-80", "rounds-320", 4);
growth("rounds-320", "rounds-1280", 4);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(samples, null, 1));
