// Ties the requirements manifest to the tests: nothing in scope goes unverified, and no test claims a rule that does not exist.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Mark, marksIn } from "./kit/requirement-marks.ts";
import { sourcePaths } from "./kit/source-tree.ts";
import type { Requirement } from "./requirements/kinds.ts";
import { REQUIREMENTS } from "./requirements.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");

const marks: readonly Mark[] = sourcePaths(ROOT, "test")
  .filter((path) => /\.(test|spec|test-d)\.tsx?$/.test(path) && path !== "test/requirements.test.ts")
  .flatMap((path) => marksIn(path, readFileSync(`${ROOT}/${path}`, "utf8")));

function unverified(requirements: Readonly<Record<string, Requirement>>, found: readonly Mark[]): string[] {
  const verified = new Set(found.map((mark) => mark.id));
  return Object.entries(requirements)
    .filter(([id, { status }]) => status === "in-scope" && !verified.has(id))
    .map(([id, { text }]) => `${id}: ${text}`);
}

function unknown(requirements: Readonly<Record<string, Requirement>>, found: readonly Mark[]): string[] {
  return found.filter(({ id }) => !(id in requirements)).map(({ id, path }) => `${id} in ${path}`);
}

describe("the requirements manifest", () => {
  it("has a test for every rule in scope", () => {
    expect(unverified(REQUIREMENTS, marks)).toEqual([]);
  });

  it("knows every rule that a test claims to verify", () => {
    expect(unknown(REQUIREMENTS, marks)).toEqual([]);
  });

  it("notices a rule without a test and a mark without a rule", () => {
    const rules: Record<string, Requirement> = {
      T1a: { text: "announces", status: "in-scope" },
      T1b: { text: "orders", status: "in-scope" },
      T1c: { text: "waits", status: "later", issue: 3 },
    };
    const found = marksIn("a.test.ts", 'it("announces [T1a]", () => {});\nit("guesses [T9z]", () => {});\n');
    expect(unverified(rules, found)).toEqual(["T1b: orders"]);
    expect(unknown(rules, found)).toEqual(["T9z in a.test.ts"]);
  });
});

describe("marks", () => {
  const ids = (text: string) => marksIn("a.test.ts", text).map((mark) => mark.id);

  it("stand in titles of it, test and describe, several in one pair of brackets", () => {
    expect(ids('describe("calls [E3]", () => { test("settle [T2a, row-18] [fail-denied]", () => {}); });')).toEqual([
      "E3",
      "T2a",
      "row-18",
      "fail-denied",
    ]);
  });

  it("are found behind each, concurrent and template titles", () => {
    const text = `it.each([1])('a [T1a]', f); it.concurrent('b [T1b]', f); it(\`c \${x} [T1c]\`, f);`;
    expect(ids(text)).toEqual(["T1a", "T1b", "T1c"]);
  });

  it("do not count in tests that may not run, in comments, in other calls, or when they are no ids", () => {
    expect(ids("it.skip('[T1a]', f); it.skipIf(x)('[T1b]', f); it.todo('[T1c]'); /* [T1d] */ log('[T1e]');")).toEqual([]);
    expect(ids("it('ends on [DONE] with [] and [text, image]', f);")).toEqual([]);
  });
});
