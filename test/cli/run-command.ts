// Runs the real command as a child process, from its source, in an environment without keys.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MAIN = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));
const SOURCE = ["--conditions=callwire-source", "--import", import.meta.resolve("tsx"), MAIN];
const KEYS = /^(OPENAI|ANTHROPIC|CALLWIRE)_|^(NO_COLOR|FORCE_COLOR|NODE_OPTIONS|VITEST)$/;

export interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  /** Null when a signal ended it. */
  readonly code: number | null;
}

export interface RunOptions {
  readonly env?: { readonly [name: string]: string };
  readonly cwd?: string;
  /** Written to the command's input, which then ends. */
  readonly stdin?: string;
}

/** The command line that runs `callwire` from its source. */
export function commandLine(args: readonly string[]): readonly string[] {
  return [process.execPath, ...SOURCE, ...args];
}

/** The environment of a fresh shell: no keys, nothing of the test runner. */
export function cleanEnv(env: RunOptions["env"] = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !KEYS.test(name));
  return { ...Object.fromEntries(inherited), TERM: "xterm", ...env };
}

export interface Running {
  readonly child: ChildProcess;
  /** What was written to stdout so far. */
  readonly stdout: () => string;
  /** Resolves when stdout matches. Rejects when the command ends before. */
  until(pattern: RegExp): Promise<void>;
  readonly finished: Promise<Finished>;
}

// A test that fails in the middle leaves its command behind.
const alive = new Set<ChildProcess>();
afterAll(() => {
  for (const child of alive) child.kill("SIGKILL");
});

/** Starts a program. */
export function start([program = "", ...args]: readonly string[], { env, cwd = ROOT, stdin }: RunOptions = {}): Running {
  const child = spawn(program, args, { cwd, env: cleanEnv(env), stdio: ["pipe", "pipe", "pipe"] });
  alive.add(child);
  child.on("close", () => alive.delete(child));
  let stdout = "";
  let stderr = "";
  const waiting = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A command that has gone does not read its input any more.
  child.stdin.on("error", () => {});
  if (stdin !== undefined) child.stdin.end(stdin);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ stdout, stderr, code }));
  });
  const until = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!pattern.test(stdout)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      finished.then((end) => reject(new Error(`Ended without ${pattern}: ${JSON.stringify(end)}`)), reject);
    });
  return { child, stdout: () => stdout, until, finished };
}

/** Runs `callwire` to its end. Its input is empty unless `stdin` is given. */
export function callwire(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return start(commandLine(args), { stdin: "", ...options }).finished;
}
