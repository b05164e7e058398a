// npm run mutants: breaks the product four ways, one by one, and prints which claims notice.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MUTANTS, type Mutant } from "./mutants.ts";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
    readonly message: string;
  }[];
}

/** Runs the claims suite on a mutant and returns the names of the tests that failed. */
function failing(mutant: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "callwire-mutants-"));
  try {
    const outputFile = join(folder, "report.json");
    const args = [
      "vitest",
      "run",
      "--project",
      "unit",
      "test/mutants/claims.test.ts",
      "--reporter=json",
      `--outputFile=${outputFile}`,
    ];
    spawnSync("npx", args, { env: { ...process.env, CALLWIRE_MUTANT: mutant }, stdio: ["ignore", "ignore", "inherit"] });
    const { testResults } = JSON.parse(readFileSync(outputFile, "utf8")) as Report;
    const broken = testResults.filter((result) => result.assertionResults.length === 0).map((result) => result.message);
    if (broken.length > 0) throw new Error(`The claims suite did not run on ${mutant}: ${broken.join("; ")}`);
    const results = testResults.flatMap((result) => result.assertionResults);
    return results.filter((result) => result.status === "failed").map((result) => result.fullName);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function caught({ caughtBy, exactly }: Mutant, failed: readonly string[]): boolean {
  return caughtBy.every((name) => failed.includes(name)) && (!exactly || failed.length === caughtBy.length);
}

let missed = 0;
for (const mutant of MUTANTS) {
  const failed = failing(mutant.name);
  const ok = caught(mutant, failed);
  if (!ok) missed++;
  console.log(`${ok ? "caught" : "MISSED"}  ${mutant.name}${mutant.exactly ? " (exactly these tests)" : ""}`);
  for (const name of failed) console.log(`          ${name}`);
  if (failed.length === 0) console.log("          no test fails");
}
console.log(`${MUTANTS.length - missed} passed, ${missed} failed`);
process.exitCode = missed === 0 ? 0 : 1;
