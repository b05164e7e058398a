// `callwire chat` against a model server over HTTP: configuration, tools, conversations, failures.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TurnEvent } from "@callwire/wire";
import { assertEvents } from "@callwire/wire/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChatServer, startChatServer } from "./chat-server.ts";
import { tempFolder } from "./temp-folder.ts";
import { type Ran, run } from "./test-host.ts";

const folder = tempFolder();
let server: ChatServer;

beforeAll(async () => {
  server = await startChatServer();
  writeFileSync(join(folder, "note.txt"), "milk and bread");
});
afterAll(() => server.close());
beforeEach(() => {
  server.takeRequests();
});

/** Runs a chat in the test's folder, talking to the test's server. */
function chat(args: readonly string[], stdin = "", env: { readonly [name: string]: string } = {}): Promise<Ran> {
  return run(["chat", ...args], { cwd: folder, stdin, env: { OPENAI_BASE_URL: server.baseURL, ...env } });
}

describe("without a model", () => {
  it("says how to set one and exits with 2", async () => {
    const { code, stdout, stderr } = await run(["chat", "hello"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const word of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "Ollama", "vLLM", "llama.cpp", "LM Studio"])
      expect(stderr).toContain(word);
  });

  it("says of a key for Anthropic that its adapter comes later, and does not show it", async () => {
    const { code, stderr } = await run(["chat", "hello"], {
      env: { ANTHROPIC_API_KEY: "sk-ant-very-secret", OPENAI_API_KEY: " " },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/Anthropic's API comes in a later version.*What works now:/u);
    expect(stderr).not.toContain("sk-ant");
  });

  it("refuses a base URL that is none", async () => {
    const { code, stderr } = await run(["chat", "hello"], { env: { OPENAI_BASE_URL: "localhost:11434" } });
    expect({ code, says: stderr.includes("not an http or https address") }).toEqual({ code: 2, says: true });
  });
});

describe("one question", () => {
  it("is answered by the server's first model where none is named", async () => {
    const { code, stdout, stderr } = await chat(["hello", "there"]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Hello to you.\n", stderr: "" });
    expect(server.takeRequests().at(-1)).toEqual(["user: hello there"]);
  });

  it("comes from a pipe, alone or after words and a dash", async () => {
    expect(await chat(["--model", "m"], "hello\nfrom a pipe\n")).toMatchObject({ code: 0, stdout: "Hello to you.\n" });
    expect(await chat(["--model", "m", "hello", "-"], "piped\n")).toMatchObject({ code: 0 });
    expect(server.takeRequests()).toEqual([["user: hello\nfrom a pipe"], ["user: hello\n\npiped"]]);
    expect(await chat([], "\n")).toMatchObject({ code: 2, stderr: expect.stringContaining("No question") });
  });

  it("may use the tools for the current folder", async () => {
    const { code, stdout } = await chat(["--model", "m", "read it"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/completed +read_file {2}path: "note\.txt".*→ milk and bread\n/u);
    expect(stdout).toContain("The tool says: milk and bread\n");
  });

  it("writes nothing where nobody can be asked, and writes with --yes", async () => {
    expect(await chat(["--model", "m", "write it"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("→ no-approver: "),
    });
    expect(existsSync(join(folder, "new.txt"))).toBe(false);
    expect(await chat(["--model", "m", "write it", "--yes"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("→ Wrote new.txt"),
    });
    expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("made");
  });

  it("prints the turn's events with --json", async () => {
    const { stdout } = await chat(["--model", "m", "--json", "read it"]);
    expect(() =>
      assertEvents(
        stdout
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as TurnEvent),
      ),
    ).not.toThrow();
  });
});

describe("a conversation from a pipe", () => {
  it("keeps what was said, through failed turns, until it is reset", async () => {
    const { code, stdout, stderr } = await chat(
      ["-i", "--model", "m"],
      "hello one\nunknown\nhello two\n/what\n/reset\nhello three\n/exit\nhello four\n",
    );
    expect(server.takeRequests()).toEqual([
      ["user: hello one"],
      ["user: hello one", "assistant: Hello to you.", "user: unknown"],
      ["user: hello one", "assistant: Hello to you.", "user: hello two"],
      ["user: hello three"],
    ]);
    expect(stderr).toMatch(/^callwire chat: MODEL_REQUEST: /u);
    expect(stdout).toContain("There is no command /what");
    expect(stdout).toContain("The conversation is forgotten.");
    // A script learns that a turn failed.
    expect(code).toBe(1);
  });

  it("keeps calls and their results", async () => {
    expect(await chat(["-i", "--model", "m"], "read it\nhello\n")).toMatchObject({ code: 0 });
    const [, , last] = server.takeRequests();
    expect(last).toEqual([
      "user: read it",
      "assistant: null",
      "tool: milk and bread",
      "assistant: The tool says: milk and bread",
      "user: hello",
    ]);
  });
});

describe("a failing server", () => {
  it("is named, with exit code 1, when nothing answers", async () => {
    const idle = createServer();
    await new Promise<void>((resolve) => idle.listen(0, "127.0.0.1", resolve));
    const { port } = idle.address() as AddressInfo;
    await new Promise((resolve) => idle.close(resolve));
    const gone = { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const named = await chat(["--model", "m", "hello"], "", gone);
    expect(named.code).toBe(1);
    expect(named.stderr).toMatch(new RegExp(`^callwire chat: MODEL_UNREACHABLE: .*127\\.0\\.0\\.1:${port}`, "u"));
    const listed = await chat(["hello"], "", gone);
    expect(listed.code).toBe(1);
    expect(listed.stderr).toMatch(/did not say which models it has \(.*ECONNREFUSED.*\)\. Name one with --model NAME\.\n$/u);
  });

  it("cannot make the key appear", async () => {
    const key = "sk-test-0123456789abcdef";
    const echo = createServer((request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Bad key: ${request.headers.authorization} ${key}` } }));
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const env = { OPENAI_BASE_URL: `http://127.0.0.1:${(echo.address() as AddressInfo).port}/v1`, OPENAI_API_KEY: key };
    for (const args of [["--model", "m", "hello"], ["hello"], ["--json", "--model", "m", "hello"]]) {
      const { code, stdout, stderr } = await chat(args, "", env);
      expect(code).toBe(1);
      expect(stderr).toContain("Bad key");
      expect(stdout + stderr).not.toContain("0123456789abcdef");
    }
    echo.close();
  });
});
