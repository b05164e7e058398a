// `callwire demo`: a written story played by real parts, from a model server's bytes to cards in the terminal.
import { openaiChat } from "@callwire/models/openai-chat";
import { readArguments, standingAnswer } from "../arguments.ts";
import { makeDemoFolder } from "../demo/folder.ts";
import { type Pace, startModelServer } from "../demo/model-server.ts";
import { PROMPT, STORY } from "../demo/story.ts";
import { registerWordCount, WordCountTask } from "../demo/word-count-task.ts";
import { DEMO_HELP } from "../help.ts";
import type { Host } from "../host.ts";
import { makeClient } from "../models.ts";
import { openStreams } from "../output.ts";
import { type PlayedTurn, playTurn, type Staging } from "../play-turn.ts";
import { renderCounts } from "../render.ts";
import { deleteFileTool, readFileTool, writeFileTool } from "../tools/files.ts";

/** Slow enough to see arguments on their way, fast enough to watch. */
const PACE: Pace = { chunkSize: 10, chunkMs: 35 };

/** Runs the command. Resolves to its exit code. */
export async function demo(args: readonly string[], host: Host): Promise<number> {
  const { values } = readArguments(
    args,
    {
      yes: { type: "boolean" },
      no: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    false,
  );
  const streams = openStreams(host);
  const { out, err } = streams;
  if (values.help) {
    out.write(DEMO_HELP);
    return 0;
  }
  const staging: Staging = { streams, json: values.json === true, standing: standingAnswer(values) };
  if (!staging.json) out.write(`> ${PROMPT}\n\n`);
  const { result, counts, interrupted } = await play(staging);
  if (!staging.json) out.write(`${out.live ? "\n" : ""}${renderCounts(counts)}\n`);
  if (interrupted !== undefined) return interrupted;
  if (result.error === undefined) return 0;
  err.write(`callwire demo: ${result.error.code}: ${result.error.message}\n`);
  return 1;
}

async function play(staging: Staging): Promise<PlayedTurn> {
  const folder = await makeDemoFolder();
  const server = await startModelServer(STORY, PACE);
  try {
    registerWordCount();
    const client = makeClient({ apiKey: "demo", baseURL: server.baseURL });
    const tools = [
      writeFileTool(folder.path, { requiresApproval: false }),
      readFileTool(folder.path),
      deleteFileTool(folder.path),
      { taskType: WordCountTask.type, name: "count_words" },
    ];
    return await playTurn({ prompt: PROMPT, model: openaiChat({ client, model: "demo-model" }), tools }, staging);
  } finally {
    await server.close();
    await folder.remove();
  }
}
