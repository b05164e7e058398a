// Runs every example as its user would, and the README's first example as it stands there.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Runs a TypeScript file on the sources and returns what it printed. */
function run(file: string): string {
  const args = ["--conditions=callwire-source", "--import", "tsx", file];
  return execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } });
}

describe("the README's first example", () => {
  it("runs as it stands, in at most ten lines, and prints what the README says", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
    const [, printed = "no output"] = /It prints:\n\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
    const statements = code.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("import "));
    expect(statements.length).toBeLessThanOrEqual(10);
    const file = join(root, "examples", "readme.tmp.ts");
    writeFileSync(file, code);
    try {
      expect(run(file).trim()).toBe(printed.trim());
    } finally {
      rmSync(file);
    }
  });
});

describe("examples", () => {
  const folders = readdirSync(join(root, "examples"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  it.each(folders.map((folder) => folder.name))("%s asserts itself and exits 0", (name) => {
    const file = join(root, "examples", name, "main.ts");
    expect(existsSync(file)).toBe(true);
    run(file);
  });
});
