// Runs one command for a check: its output goes to the log, its end becomes a problem in words or nothing.
import { spawn } from "node:child_process";

// Everything together must end within CI's 15 minutes, the install included.
const deadline = Date.now() + 12 * 60_000;

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, minutes?: number, quiet?: boolean, lastLine?: RegExp }} options `quiet` shows the output only on failure;
 *   `lastLine` must fit the last line of stdout.
 * @returns {Promise<string | undefined>} what went wrong
 */
export function run(command, args, { cwd, minutes = 2, quiet = false, lastLine } = {}) {
  const limit = Math.min(minutes * 60_000, deadline - Date.now());
  if (limit <= 0) return Promise.resolve("no time left");
  return new Promise((resolve) => {
    // A process group of its own, so that a hanging grandchild ends with it.
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
    const chunks = [];
    let stdout = "";
    const hear = (stream) => (chunk) => {
      if (stream === process.stdout) stdout = (stdout + chunk).slice(-4000);
      if (quiet) chunks.push(chunk);
      else stream.write(chunk);
    };
    child.stdout.on("data", hear(process.stdout));
    child.stderr.on("data", hear(process.stderr));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      killGroup(child.pid);
    }, limit);
    child.on("error", (error) => finish(`${command} did not start: ${error.message}`));
    child.on("exit", (code, signal) => {
      // Whoever is left of the group would keep the pipes open.
      killGroup(child.pid);
      if (late) finish(`no end within ${Math.round(limit / 1000)} s`);
      else if (code !== 0) finish(`exit ${code ?? signal}`);
    });
    child.on("close", () => {
      const last = stdout.trimEnd().split("\n").at(-1) ?? "";
      finish(lastLine === undefined || lastLine.test(last) ? undefined : `last line is ${JSON.stringify(last)}, not ${lastLine}`);
    });
    function finish(problem) {
      clearTimeout(timer);
      if (quiet && problem !== undefined) for (const chunk of chunks) process.stdout.write(chunk);
      chunks.length = 0;
      resolve(problem);
    }
  });
}

function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left.
  }
}
