// The command on a real terminal: `script` (util-linux) gives it one; what it draws goes through the small screen.
import { execFileSync } from "node:child_process";
import { commandLine, type Running, type RunOptions, start } from "./run-command.ts";

function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

/** Undefined where the command can be put on a terminal; else why not. */
export const NO_TERMINAL = hasScript() ? undefined : "`script` of util-linux is not installed";

export const COLUMNS = 80;

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Starts `callwire` on a terminal of 80 x 24. `keys` types. */
export function onTerminal(args: readonly string[], options: RunOptions = {}): Running & { keys(text: string): void } {
  const command = `stty cols ${COLUMNS} rows 24; exec ${commandLine(args).map(quoted).join(" ")}`;
  const running = start(["script", "--quiet", "--return", "--command", command, "/dev/null"], options);
  return {
    ...running,
    keys: (text) => {
      running.child.stdin?.write(text);
    },
  };
}
