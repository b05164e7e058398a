// What a model is made from, and what is said when that cannot work.
import { spawnSync } from "node:child_process";
import { openaiChat } from "@callwire/models/openai-chat";
import { afterEach, describe, expect, it, vi } from "vitest";
import { freePort } from "../local-server.ts";
import { runOnce } from "../recording-sink.ts";

describe("options", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    [{ model: "" }, "`model` must be"],
    [{ model: "m", client: {} }, "`client` must be"],
    [{ model: "m", baseURL: "localhost:11434/v1" }, "`baseURL` must be"],
    [{ model: "m", baseURL: "not a url" }, "`baseURL` must be"],
  ])("refuses %j", (options, words) => {
    const make = () => openaiChat(options as never);
    expect(make).toThrow(words);
    expect(make).toThrow(expect.objectContaining({ code: "INVALID_OPTIONS" }));
  });

  it("says how to give a key when neither key nor base URL is known, and takes one later", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    const model = openaiChat({ model: "m" });
    const { error } = await runOnce(model);
    expect(error).toMatchObject({ code: "MODEL_AUTH", retryable: false });
    expect(error?.message).toContain("OPENAI_API_KEY");
    const port = await freePort();
    vi.stubEnv("OPENAI_BASE_URL", `http://127.0.0.1:${port}/v1`);
    expect((await runOnce(model)).error?.message).toContain(`127.0.0.1:${port}`);
  });

  // Bun installs what is missing by itself, so there the package cannot be absent.
  it.skipIf(process.versions.bun !== undefined)("says that the client is missing where the package is not installed", () => {
    // A process in which `openai` cannot be resolved, as on a machine that never installed it.
    const hooks = `export const resolve = (name, context, next) => {
      if (name === "openai") throw Object.assign(new Error("Cannot find package 'openai'"), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, context);
    };`;
    const script = `
      import { register } from "node:module";
      register("data:text/javascript,${encodeURIComponent(hooks)}");
      const { openaiChat } = await import("@callwire/models/openai-chat");
      const request = { messages: [], tools: [], round: 1, attempt: 1 };
      await openaiChat({ model: "m", apiKey: "k" })
        .run(request, {}, { signal: new AbortController().signal })
        .catch((error) => console.log(error.code, error.message));`;
    const args = ["--conditions=callwire-source", "--import", "tsx", "--input-type=module", "-e", script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: new URL("../../..", import.meta.url), encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^MISSING_CLIENT .*npm install openai.*pass your own `client`/);
  });
});
