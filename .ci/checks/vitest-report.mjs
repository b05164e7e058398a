// Counts the tests in a report of vitest's json reporter.
import { readFileSync } from "node:fs";

/**
 * @param {string} path of the report
 * @param {string | undefined} problem of the run itself: when no single test explains it, it counts as one failure
 * @returns {{ passed: number, failed: number, skipped: number, failures: string[] }}
 */
export function countTests(path, problem) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: [problem ?? "vitest left no report"] };
  }
  const failures = [];
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === "failed");
    for (const test of failed) failures.push(`${file.name}: ${test.fullName}`);
    // A file that does not load has no tests to blame.
    if (file.status === "failed" && failed.length === 0) failures.push(`${file.name}: ${file.message}`);
  }
  if (failures.length === 0 && problem !== undefined) failures.push(problem);
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: failures.length, skipped, failures };
}
