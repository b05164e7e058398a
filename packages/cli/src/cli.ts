// Chooses the command, and turns wrong usage into words and an exit code.
import { readFileSync } from "node:fs";
import { errorMessage } from "@callwire/wire";
import { readArguments, UsageError } from "./arguments.ts";
import { HELP } from "./help.ts";
import type { Host } from "./host.ts";
import { openStreams } from "./output.ts";

type Command = (args: readonly string[], host: Host) => Promise<number>;

// Loaded when chosen: `callwire --help` does not wait for the parts of a turn.
const COMMANDS: { readonly [name: string]: () => Promise<Command> } = {
  demo: async () => (await import("./commands/demo.ts")).demo,
  chat: async () => (await import("./commands/chat.ts")).chat,
};

function version(): string {
  const file = new URL("../package.json", import.meta.url);
  const { version: stated } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  return stated;
}

async function withoutCommand(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(
    args,
    { help: { type: "boolean", short: "h" }, version: { type: "boolean", short: "v" } },
    false,
  );
  openStreams(host).out.write(values.version ? `${version()}\n` : HELP);
  return 0;
}

function commandOf(name: string): () => Promise<Command> {
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) throw new UsageError(`Unknown command '${name}'; there are: ${Object.keys(COMMANDS).join(", ")}`);
  return load;
}

/** Runs the command line. Resolves to the exit code: 2 for wrong usage, else what the command says. */
export async function runCli(args: readonly string[], host: Host): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name.startsWith("-")) return await withoutCommand(args, host);
    const command = await commandOf(name)();
    return await command(rest, host);
  } catch (error) {
    const usage = error instanceof UsageError;
    openStreams(host).err.write(`callwire: ${errorMessage(error)}${usage ? "\nSee callwire --help." : ""}\n`);
    return usage ? 2 : 1;
  }
}
