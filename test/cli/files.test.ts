// The file tools on a real folder: what they do, and everything they refuse.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolCallError } from "@callwire/wire";
import { beforeAll, describe, expect, it } from "vitest";
import { deleteFileTool, listFilesTool, readFileTool, writeFileTool } from "../../packages/cli/src/tools/files.ts";
import { asks, runTool } from "./run-tool.ts";
import { tempFolder } from "./temp-folder.ts";

const temp = tempFolder();
const root = join(temp, "root");
const outside = join(temp, "outside.txt");
const read = readFileTool(root);
const list = listFilesTool(root);
const write = writeFileTool(root, { requiresApproval: true });
const remove = deleteFileTool(root);

beforeAll(() => {
  mkdirSync(join(root, "sub"), { recursive: true });
  mkdirSync(join(root, ".git"));
  mkdirSync(`${root}-sibling`);
  writeFileSync(outside, "secret");
  writeFileSync(join(`${root}-sibling`, "x.txt"), "secret");
  writeFileSync(join(root, "a.txt"), "hello é");
  writeFileSync(join(root, ".env"), "KEY=1");
  writeFileSync(join(root, "big.txt"), "x".repeat(300_000));
  writeFileSync(join(root, "binary.dat"), Buffer.from([1, 0, 2]));
  symlinkSync(outside, join(root, "link-out"));
  symlinkSync(temp, join(root, "folder-out"));
  symlinkSync(join(temp, "nowhere.txt"), join(root, "link-nowhere"));
  symlinkSync("a.txt", join(root, "link-in"));
  symlinkSync(".env", join(root, "innocent.txt"));
});

/** What a call says when it fails in its own words. */
async function refusal(run: Promise<unknown>): Promise<string> {
  const error = await run.then(
    (value) => new Error(`It was not refused: ${String(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!ToolCallError.is(error)) throw error;
  return error.message;
}

const ESCAPES = [
  "../outside.txt",
  outside,
  "sub/../../outside.txt",
  "link-out",
  "folder-out/outside.txt",
  "../root-sibling/x.txt",
  "/etc/passwd",
];

describe("paths out of the folder", () => {
  it.each(ESCAPES)("%s can be neither read, nor written, nor listed", async (path) => {
    expect(await refusal(runTool(read, { path }))).toContain("outside of the folder");
    expect(await refusal(runTool(write, { path, content: "changed" }))).toContain("outside of the folder");
    expect(await refusal(runTool(list, { path }))).toContain("outside of the folder");
    expect(readFileSync(outside, "utf8")).toBe("secret");
  });

  it("are not deleted, and a link is deleted itself", async () => {
    for (const path of ["../outside.txt", outside, "folder-out/outside.txt"]) {
      expect(await refusal(runTool(remove, { path }))).toContain("outside of the folder");
    }
    symlinkSync(outside, join(root, "doomed-link"));
    expect(await runTool(remove, { path: "doomed-link" })).toBe("Deleted doomed-link.");
    expect(existsSync(outside)).toBe(true);
  });

  it("are not created through a link that leads nowhere", async () => {
    expect(await refusal(runTool(write, { path: "link-nowhere", content: "x" }))).toContain("link that leads nowhere");
    expect(await refusal(runTool(write, { path: "folder-out/new.txt", content: "x" }))).toContain("outside of the folder");
    expect(existsSync(join(temp, "nowhere.txt"))).toBe(false);
    expect(existsSync(join(temp, "new.txt"))).toBe(false);
  });
});

describe("read_file", () => {
  it("reads text, through links inside the folder too", async () => {
    expect(await runTool(read, { path: "a.txt" })).toBe("hello é");
    expect(await runTool(read, { path: "./sub/../link-in" })).toBe("hello é");
  });

  it.each([
    ["missing.txt", "There is no file missing.txt. Files there: a.txt, big.txt"],
    ["a.txt/below", "There is no file a.txt/below."],
    ["sub", "sub is a folder"],
    ["big.txt", "has 300000 bytes; at most 262144"],
    ["binary.dat", "is not a text file"],
    ["a\u0000b", "NUL"],
  ])("refuses %j in its own words", async (path, words) => {
    expect(await refusal(runTool(read, { path }))).toContain(words);
  });

  it.skipIf(process.platform === "win32")("does not wait at a pipe", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await refusal(runTool(read, { path: "pipe" }))).toContain("not a regular file");
    expect(await refusal(runTool(write, { path: "pipe", content: "x" }))).toContain("Writing pipe failed");
  });

  it("asks before it reads a hidden file, whichever way the path is written", async () => {
    for (const path of [".env", "sub/../.env", ".git/config", "./.env"]) expect(asks(read, { path })).toBe(true);
    for (const path of ["a.txt", "./a.txt", "sub/../a.txt"]) expect(asks(read, { path })).toBe(false);
    expect(await refusal(runTool(read, { path: "innocent.txt" }))).toContain("leads to the hidden file .env");
    expect(await runTool(read, { path: ".env" })).toBe("KEY=1");
  });
});

describe("list_files, write_file, delete_file", () => {
  it("list one folder, with folders marked", async () => {
    expect(String(await runTool(list, { path: "." })).split("\n")).toEqual(expect.arrayContaining(["a.txt", "sub/", ".env"]));
    expect(await runTool(list, { path: "sub" })).toBe("The folder is empty.");
    expect(await refusal(runTool(list, { path: "a.txt" }))).toContain("Listing a.txt failed");
  });

  it("write and replace a file, folders included, and delete it", async () => {
    expect(asks(write, { path: "n.txt", content: "" })).toBe(true);
    expect(await runTool(write, { path: "deep/er/n.txt", content: "longer text" })).toBe("Wrote deep/er/n.txt (11 bytes).");
    expect(await runTool(write, { path: "deep/er/n.txt", content: "é" })).toBe("Wrote deep/er/n.txt (2 bytes).");
    expect(readFileSync(join(root, "deep/er/n.txt"), "utf8")).toBe("é");
    expect(await refusal(runTool(write, { path: "sub", content: "x" }))).toContain("Writing sub failed");
    expect(asks(remove, { path: "n.txt" })).toBe(true);
    expect(await runTool(remove, { path: "deep/er/n.txt" })).toBe("Deleted deep/er/n.txt.");
    expect(await refusal(runTool(remove, { path: "deep/er/n.txt" }))).toContain("There is no file");
    expect(await refusal(runTool(remove, { path: "deep" }))).toContain("Deleting deep failed");
  });
});
