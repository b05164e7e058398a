// A host for commands that run in the test's own process: no terminal, no keys, everything written is kept.
import { PassThrough, Writable } from "node:stream";
import { runCli } from "../../packages/cli/src/cli.ts";
import type { Host } from "../../packages/cli/src/host.ts";

export interface HostOptions {
  readonly env?: Host["env"];
  readonly cwd?: string;
  /** What is piped in; the pipe then ends. */
  readonly stdin?: string;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

class Kept extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs `callwire` in this process. */
export async function run(
  args: readonly string[],
  { env = {}, cwd = process.cwd(), stdin = "" }: HostOptions = {},
): Promise<Ran> {
  const input = new PassThrough();
  input.end(stdin);
  const stdout = new Kept();
  const stderr = new Kept();
  const code = await runCli(args, { env, cwd, stdin: input, stdout, stderr });
  return { stdout: stdout.text, stderr: stderr.text, code };
}
