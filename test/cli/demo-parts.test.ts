// The parts of the demo: its folder leaves nothing behind, its server is silent and on loopback only, its task counts.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { makeDemoFolder } from "../../packages/cli/src/demo/folder.ts";
import { startModelServer } from "../../packages/cli/src/demo/model-server.ts";
import { STORY } from "../../packages/cli/src/demo/story.ts";
import { registerWordCount, WordCountTask } from "../../packages/cli/src/demo/word-count-task.ts";

describe("the demo's folder", () => {
  it("holds the draft and is removed with all that was written", async () => {
    const listeners = process.listenerCount("exit");
    const { path, remove } = await makeDemoFolder();
    expect(readFileSync(join(path, "draft.txt"), "utf8")).toContain("Lisbon");
    writeFileSync(join(path, "more.txt"), "x");
    await remove();
    expect(existsSync(path)).toBe(false);
    expect(process.listenerCount("exit")).toBe(listeners);
  });

  it("is removed when the process exits in the middle", () => {
    const folder = new URL("../../packages/cli/src/demo/folder.ts", import.meta.url).href;
    const code = `const { makeDemoFolder } = await import(${JSON.stringify(folder)});
      console.log((await makeDemoFolder()).path);
      process.exit(3);`;
    const args = ["--conditions=callwire-source", "--import", import.meta.resolve("tsx"), "--input-type=module", "--eval", code];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect(status).toBe(3);
    expect(stdout.trim()).toMatch(/callwire-demo-/u);
    expect(existsSync(stdout.trim())).toBe(false);
  });
});

describe("the demo's model server", () => {
  it("listens on loopback only, prints nothing, and frees its port", async () => {
    const printed = (["log", "info", "warn", "error"] as const).map((name) => vi.spyOn(console, name));
    const server = await startModelServer(STORY, { chunkSize: 10, chunkMs: 0 });
    const { hostname, port } = new URL(server.baseURL);
    expect(hostname).toBe("127.0.0.1");
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "x" }] });
    const ask = (host: string) =>
      fetch(`http://${host}:${port}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    expect((await ask("127.0.0.1")).status).toBe(200);
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((one) => one !== undefined && !one.internal && one.family === "IPv4");
    for (const other of others) await expect(ask(other?.address ?? "")).rejects.toThrow();
    await server.close();
    await expect(ask("127.0.0.1")).rejects.toThrow();
    for (const print of printed) expect(print).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});

describe("the demo's task", () => {
  it("counts words, lines and characters, and reports its progress", async () => {
    registerWordCount();
    registerWordCount();
    const task = new WordCountTask();
    const progress: (number | undefined)[] = [];
    task.on("progress", (share) => progress.push(share));
    expect(await task.run({ text: "one two\n\n three" })).toEqual({ words: 3, lines: 3, characters: 15 });
    expect(progress.slice(0, 3)).toEqual([33, 67, 100]);
  });

  it("stops at once when it is aborted", async () => {
    const task = new WordCountTask();
    const run = task.run({ text: "line\n".repeat(10_000) });
    task.on("progress", () => task.abort());
    await expect(run).rejects.toThrow();
  });
});
