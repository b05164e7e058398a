// A folder for the tests of one file, removed when they are over.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Makes the folder at once; the caller's file removes it after its last test. */
export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "callwire-test-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
