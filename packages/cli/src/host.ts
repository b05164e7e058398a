// What a command sees of the process it runs in. Tests give it another one.
import type { Environment } from "./config.ts";

/** A stream that a command reads: a terminal (`isTTY`), a pipe or a file. */
export type InputStream = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
};

/** A stream that a command writes. `columns` and `rows` are those of a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export interface Host {
  readonly env: Environment;
  /** The current folder. */
  readonly cwd: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** The real process. */
export function processHost(): Host {
  const { env, stdin, stdout, stderr } = process;
  return { env, cwd: process.cwd(), stdin, stdout, stderr };
}
