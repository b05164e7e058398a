// All checks after the install: `npm run check` and CI run this file. It goes on after a failing check and ends with one line,
// `N passed, N failed`: vitest's tests count one by one, every other check as one. `npm run check -- lint types` runs only those.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installSize, load, packAndJudge, readPackages } from "./checks/packages.mjs";
import { run } from "./checks/run.mjs";
import { countTests } from "./checks/vitest-report.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const scratch = mkdtempSync(join(tmpdir(), "callwire-check-"));
const report = join(scratch, "vitest.json");
const json = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const npmRun = (script, options) => run("npm", ["run", script, ...(options?.args ?? [])], options);
const packages = readPackages();

/**
 * In this order. `act` resolves to what went wrong, or to undefined. `count` counts tests instead. `seconds`: what the newcomer was
 * promised, doubled for a busy machine; more is a failure.
 */
const CHECKS = [
  { name: "install", act: () => installSize() },
  { name: "lint", act: () => npmRun("lint") },
  { name: "types", act: () => npmRun("typecheck") },
  {
    name: "test",
    seconds: 240,
    act: () => run("npm", ["test", "--", ...json], { minutes: 4 }),
    count: (problem) => countTests(report, problem),
  },
  { name: "build", act: () => npmRun("build") },
  ...packages.map((one) => ({ name: `pack ${one.manifest.name}`, act: () => packAndJudge(one, scratch) })),
  ...packages.map((one) => ({ name: `load ${one.manifest.name}`, act: () => load(one, scratch) })),
  { name: "bun", act: () => npmRun("test:bun", { minutes: 4 }) },
  { name: "demo", seconds: 40, act: () => npmRun("demo", { args: ["--", "--yes"], lastLine: /^\d+ cards: .*\b0 open$/ }) },
  { name: "mutants", act: () => npmRun("mutants", { minutes: 4 }) },
];

const wanted = process.argv.slice(2);
const total = { passed: 0, failed: 0, skipped: 0, failures: [] };

for (const check of CHECKS) {
  if (wanted.length > 0 && !wanted.includes(check.name.split(" ")[0])) continue;
  console.log(`\n== ${check.name}`);
  const started = performance.now();
  const { passed, failed, skipped, failures } = await perform(check, started);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  total.failures.push(...failures.map((failure) => `${check.name}: ${failure}`));
  console.log(`-- ${check.name}: ${failed === 0 ? "ok" : "FAILED"} in ${Math.round((performance.now() - started) / 100) / 10} s`);
}

rmSync(scratch, { recursive: true, force: true });
console.log("");
for (const failure of total.failures) console.log(`FAILED ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;

async function perform(check, started) {
  let problem;
  try {
    problem = await check.act();
  } catch (error) {
    problem = String(error?.stack ?? error);
  }
  const seconds = (performance.now() - started) / 1000;
  if (problem === undefined && check.seconds !== undefined && seconds > check.seconds) {
    problem = `took ${Math.round(seconds)} s, at most ${check.seconds} are promised`;
  }
  if (check.count !== undefined) return check.count(problem);
  return problem === undefined
    ? { passed: 1, failed: 0, skipped: 0, failures: [] }
    : { passed: 0, failed: 1, skipped: 0, failures: [problem] };
}
