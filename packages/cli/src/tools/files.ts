// Tools for the files of one folder: nothing outside of it can be read, written or deleted.
import { constants } from "node:fs";
import { mkdir, open, readdir, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { defineTool } from "@callwire/agent/turn";
import { errorMessage, type Tool, ToolCallError } from "@callwire/wire";
import * as z from "zod";
import { insidePath, isHidden, isMissing } from "./paths.ts";

const MAX_READ_BYTES = 256 * 1024;
const MAX_ENTRIES = 500;

const pathInput = (what: string) => z.string().min(1).describe(`Path of the ${what}, relative to the working folder`);

/** Runs a file operation; what the system says about it becomes the tool's own words. */
async function inWords<T>(what: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (ToolCallError.is(error)) throw error;
    throw new ToolCallError(`${what} failed: ${errorMessage(error)}`, { cause: error });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
}

async function noSuchFile(shown: string, real: string): Promise<ToolCallError> {
  const siblings = await namesIn(dirname(real)).catch(() => []);
  const there = siblings.filter((name) => !isHidden(name)).slice(0, 20);
  return new ToolCallError(
    `There is no file ${shown}. ${there.length === 0 ? "The folder is empty." : `Files there: ${there.join(", ")}.`}`,
  );
}

async function readText(real: string, shown: string): Promise<string> {
  // Opening a pipe would wait for a writer: what the name stands for is looked at first.
  const facts = await stat(real).catch(async (error: unknown) => {
    throw isMissing(error) ? await noSuchFile(shown, real) : error;
  });
  if (facts.isDirectory()) throw new ToolCallError(`${shown} is a folder; list_files shows what is in it.`);
  if (!facts.isFile()) throw new ToolCallError(`${shown} is not a regular file.`);
  if (facts.size > MAX_READ_BYTES)
    throw new ToolCallError(`${shown} has ${facts.size} bytes; at most ${MAX_READ_BYTES} can be read.`);
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const bytes = await file.readFile();
    if (bytes.includes(0)) throw new ToolCallError(`${shown} is not a text file.`);
    return bytes.toString("utf8");
  } finally {
    await file.close();
  }
}

/** Reads a text file. Hidden files (`.env`, `.git/config`) need approval: they hold keys. */
export function readFileTool(root: string): Tool {
  return defineTool({
    name: "read_file",
    description: "Reads a text file of the working folder.",
    kind: "read",
    input: z.object({ path: pathInput("file") }),
    locations: ({ path }) => (typeof path === "string" ? [{ path }] : undefined),
    requiresApproval: ({ path }) => typeof path === "string" && isHidden(path),
    reach: ["reads a hidden file and shows it to the model"],
    execute: ({ path }) =>
      inWords(`Reading ${path}`, async () => {
        const { real, shown } = await insidePath(root, path);
        return readText(real, shown);
      }),
  });
}

/** Lists one folder, folders marked with a slash. */
export function listFilesTool(root: string): Tool {
  return defineTool({
    name: "list_files",
    description: "Lists the files and folders in one folder of the working folder (not what is below them).",
    kind: "read",
    input: z.object({
      path: z.string().default(".").describe("Folder, relative to the working folder; default: the working folder"),
    }),
    execute: ({ path }) =>
      inWords(`Listing ${path}`, async () => {
        const { real } = await insidePath(root, path);
        const names = await namesIn(real);
        const more = names.length > MAX_ENTRIES ? `\n… and ${names.length - MAX_ENTRIES} more` : "";
        return names.length === 0 ? "The folder is empty." : names.slice(0, MAX_ENTRIES).join("\n") + more;
      }),
  });
}

/** Writes a text file, folders included. */
export function writeFileTool(root: string, { requiresApproval }: { readonly requiresApproval: boolean }): Tool {
  return defineTool({
    name: "write_file",
    description: "Writes a text file of the working folder; an existing file is replaced.",
    kind: "edit",
    input: z.object({ path: pathInput("file"), content: z.string().describe("The whole text of the file") }),
    locations: ({ path }) => (typeof path === "string" ? [{ path }] : undefined),
    requiresApproval,
    reach: ["writes a file in the working folder"],
    execute: ({ path, content }) =>
      inWords(`Writing ${path}`, async () => {
        const { real, shown } = await insidePath(root, path);
        await mkdir(dirname(real), { recursive: true });
        const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW, O_NONBLOCK } = constants;
        const file = await open(real, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK, 0o666);
        try {
          await file.writeFile(content);
        } finally {
          await file.close();
        }
        return `Wrote ${shown} (${Buffer.byteLength(content)} bytes).`;
      }),
  });
}

/** Deletes one file, never a folder. Always needs approval. */
export function deleteFileTool(root: string): Tool {
  return defineTool({
    name: "delete_file",
    description: "Deletes one file of the working folder. It cannot be undone.",
    kind: "delete",
    input: z.object({ path: pathInput("file") }),
    locations: ({ path }) => (typeof path === "string" ? [{ path }] : undefined),
    requiresApproval: true,
    reach: ["deletes a file in the working folder"],
    execute: ({ path }) =>
      inWords(`Deleting ${path}`, async () => {
        // Only the folder is resolved: a link is deleted itself, not what it points to.
        const { real: folder } = await insidePath(root, dirname(path));
        const target = join(folder, basename(path));
        await unlink(target).catch(async (error: unknown) => {
          throw isMissing(error) ? await noSuchFile(path, target) : error;
        });
        return `Deleted ${path}.`;
      }),
  });
}
