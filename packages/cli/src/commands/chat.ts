// `callwire chat`: a model of the user's own, a few safe tools, and a conversation around them.
import type { ToolEntry } from "@callwire/agent";
import type { Model } from "@callwire/wire";
import { readArguments, standingAnswer, UsageError } from "../arguments.ts";
import { converse, takeTurn } from "../chat/conversation.ts";
import { pipedPrompts, readAll, typedPrompts } from "../chat/prompts.ts";
import { ChatSession } from "../chat/session.ts";
import { type ModelConfig, readModelConfig } from "../config.ts";
import { CHAT_HELP } from "../help.ts";
import type { Host, InputStream } from "../host.ts";
import { chatModel, ModelListError } from "../models.ts";
import { openStreams } from "../output.ts";
import type { Staging } from "../play-turn.ts";
import { currentTimeTool } from "../tools/current-time.ts";
import { listFilesTool, readFileTool, writeFileTool } from "../tools/files.ts";

const FLAGS = {
  model: { type: "string" },
  interactive: { type: "boolean", short: "i" },
  yes: { type: "boolean" },
  no: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Runs the command. Resolves to its exit code. */
export async function chat(args: readonly string[], host: Host): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS, true);
  if (values.help) {
    openStreams(host).out.write(CHAT_HELP);
    return 0;
  }
  const standing = standingAnswer(values);
  const typed = host.stdin.isTTY === true;
  const conversation = values.interactive === true || (positionals.length === 0 && typed);
  if (conversation && positionals.length > 0) throw new UsageError("--interactive takes no question: type it at the prompt");
  const config = readModelConfig(host.env, values.model);
  if (config.kind === "missing") {
    openStreams(host).err.write(`${config.message}\n`);
    return 2;
  }
  const staging: Staging = { streams: openStreams(host, [config.apiKey]), json: values.json === true, standing };
  const question = conversation ? undefined : await questionOf(positionals, host.stdin);
  const model = await connect(config, staging);
  if (model === undefined) return 1;
  const session = new ChatSession(model, chatTools(host.cwd), staging);
  if (question !== undefined) return (await takeTurn(session, question, staging)).code;
  if (!typed) return converse(session, pipedPrompts(host.stdin), staging);
  greet(staging, model.name, config);
  // Echoed lines are not part of a log of events.
  const echo = host.stdout.isTTY === true && !staging.json ? host.stdout : host.stderr;
  return converse(session, typedPrompts(host.stdin, echo), staging);
}

/** Undefined when the server did not say which models it has; the user is told. */
async function connect(config: ModelConfig, { streams: { err } }: Staging): Promise<Model | undefined> {
  try {
    return await chatModel(config);
  } catch (error) {
    if (!(error instanceof ModelListError)) throw error;
    err.write(`callwire chat: ${error.message}\n`);
    return undefined;
  }
}

/** The words of the command line; `-` among them, or no words at all, stands for what is piped in. */
async function questionOf(words: readonly string[], stdin: InputStream): Promise<string> {
  const piped = words.length === 0 || words.includes("-") ? (await readAll(stdin)).trim() : "";
  const written = words.filter((word) => word !== "-").join(" ");
  const question = [written.trim(), piped].filter((part) => part !== "").join("\n\n");
  if (question === "") throw new UsageError('No question: callwire chat "question", or pipe one in');
  return question;
}

function chatTools(folder: string): readonly ToolEntry[] {
  return [currentTimeTool(), readFileTool(folder), listFilesTool(folder), writeFileTool(folder, { requiresApproval: true })];
}

function greet({ streams: { out, err }, json }: Staging, model: string, { host }: ModelConfig): void {
  (json ? err : out).write(`${model} at ${host}. /reset forgets, /exit leaves, Ctrl-C stops a turn.\n`);
}
