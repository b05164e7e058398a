// Keeps paths that a model wrote inside one folder, links included.
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolCallError } from "@callwire/wire";

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** True when a part of the path begins with a dot: settings, keys, repositories. `.` and `..` do not count. */
export function isHidden(path: string): boolean {
  return path.split(/[\\/]/u).some((part) => part.startsWith(".") && part !== "." && part !== "..");
}

/** Where the path really leads: its nearest existing ancestor is resolved, what does not exist yet is kept as written. */
async function settlePath(path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing.reverse());
    } catch (error) {
      if (!isMissing(error)) throw error;
      // A link to nothing: writing through it would create a file wherever it points.
      if (await exists(at)) throw new ToolCallError(`${basename(at)} is a link that leads nowhere.`);
      if (at === dirname(at)) throw error;
      missing.push(basename(at));
    }
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** True for the error of a file or folder that is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/**
 * Resolves a path that a model wrote against `root`.
 *
 * @returns the real, absolute path and its place below `root`.
 * Throws `ToolCallError` when it leads out of `root`, or through a link to a hidden file that the path does not name.
 */
export async function insidePath(root: string, path: string): Promise<{ readonly real: string; readonly shown: string }> {
  if (path.includes("\0")) throw new ToolCallError("A path cannot contain a NUL character.");
  const realRoot = await realpath(root);
  const real = await settlePath(resolve(realRoot, path));
  if (!isWithin(realRoot, real)) {
    throw new ToolCallError(`${path} is outside of the folder that this tool may use; paths are relative to it.`);
  }
  const shown = relative(realRoot, real) || ".";
  if (isHidden(shown) && !isHidden(path)) {
    throw new ToolCallError(`${path} leads to the hidden file ${shown}; ask for it by that name, so that the user can decide.`);
  }
  return { real, shown };
}
