// Makes the model of a chat: the official client for the configured server, and a model name where none was given.
import { openaiChat } from "@callwire/models/openai-chat";
import { errorMessage, type Model } from "@callwire/wire";
import { OpenAI } from "openai";
import type { ModelConfig } from "./config.ts";

/** The server did not say which models it has; `--model` helps. The message holds words of the server: keys are taken out where it is written. */
export class ModelListError extends Error {
  override readonly name = "ModelListError";
}

const LIST_TIMEOUT_MS = 10_000;
/** Models that a server lists beside the ones that chat. */
const NO_CHAT = /embed|rerank|whisper|tts|transcribe|moderation|dall-e/iu;

/** A client that never writes to the console. `apiKey` and `baseURL` are used as they are, whatever the environment says. */
export function makeClient({ apiKey, baseURL }: { readonly apiKey: string; readonly baseURL?: string }): OpenAI {
  return new OpenAI({ apiKey, baseURL: baseURL ?? "https://api.openai.com/v1", logLevel: "off", maxRetries: 0 });
}

/** The system's own words under the layers of client and fetch: `connect ECONNREFUSED 127.0.0.1:11434`. */
function rootMessage(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const message = cause instanceof Error ? rootMessage(cause) : errorMessage(error);
  return message.trim().replace(/\.$/u, "");
}

async function firstModel(client: OpenAI, host: string): Promise<string> {
  let names: string[];
  try {
    const { data } = await client.models.list({ timeout: LIST_TIMEOUT_MS });
    names = data.map(({ id }) => id);
  } catch (error) {
    throw new ModelListError(`${host} did not say which models it has (${rootMessage(error)}). Name one with --model NAME.`);
  }
  const chosen = names.find((name) => !NO_CHAT.test(name)) ?? names[0];
  if (chosen === undefined) throw new ModelListError(`${host} lists no model. Load one there, or name one with --model NAME.`);
  return chosen;
}

/** Connects to the configured server. Throws `ModelListError` when no model was named and the server lists none. */
export async function chatModel(config: ModelConfig): Promise<Model> {
  const client = makeClient(config);
  const model = config.model ?? (await firstModel(client, config.host));
  return openaiChat({ client, model });
}
