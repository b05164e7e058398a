// Which model `callwire chat` talks to: read from the environment and the command line, and explained where nothing is set.

export type Environment = { readonly [name: string]: string | undefined };

/** A server that speaks the Chat Completions protocol. */
export interface ModelConfig {
  readonly kind: "ready";
  /** A word without meaning for servers that need no key. */
  readonly apiKey: string;
  /** Undefined: OpenAI's own. */
  readonly baseURL: string | undefined;
  /** Undefined: the server is asked which models it has. */
  readonly model: string | undefined;
  /** Host and port, for people. */
  readonly host: string;
}

/** Nothing usable is set; `message` says what to do. */
export interface NoModel {
  readonly kind: "missing";
  readonly message: string;
}

/** What OpenAI's own API is asked for when no model is named. */
export const DEFAULT_MODEL = "gpt-4.1-mini";

const HOW_TO = `Set a key, or the address of a server that speaks OpenAI's Chat Completions protocol:

  export OPENAI_API_KEY=...                           OpenAI (model: --model NAME, default ${DEFAULT_MODEL})
  export OPENAI_BASE_URL=http://localhost:11434/v1    Ollama; no key needed
  export OPENAI_BASE_URL=http://localhost:8000/v1     vLLM
  export OPENAI_BASE_URL=http://localhost:8080/v1     llama.cpp (llama-server)
  export OPENAI_BASE_URL=http://localhost:1234/v1     LM Studio

and run \`callwire chat\` again. A base URL alone is enough where the server wants no key; without --model the
first model that the server lists is used. \`callwire demo\` needs neither key nor network.`;

const NO_MODEL = "No model is set.";
const ANTHROPIC_LATER =
  "ANTHROPIC_API_KEY is set, but the adapter for Anthropic's API comes in a later version of Callwire. What works now:";

function missing(first: string): NoModel {
  return { kind: "missing", message: `${first}\n\n${HOW_TO}` };
}

function set(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === undefined || trimmed === "" ? undefined : trimmed;
}

/** Reads OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL; `model` is what `--model` says and wins. */
export function readModelConfig(env: Environment, model?: string): ModelConfig | NoModel {
  const apiKey = set(env.OPENAI_API_KEY);
  const baseURL = set(env.OPENAI_BASE_URL);
  if (apiKey === undefined && baseURL === undefined) {
    return missing(set(env.ANTHROPIC_API_KEY) === undefined ? NO_MODEL : ANTHROPIC_LATER);
  }
  const named = set(model) ?? set(env.OPENAI_MODEL);
  if (baseURL === undefined) {
    return { kind: "ready", apiKey: apiKey ?? "", baseURL, model: named ?? DEFAULT_MODEL, host: "api.openai.com" };
  }
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    return missing("OPENAI_BASE_URL is not an http or https address, for example http://localhost:11434/v1.");
  }
  return { kind: "ready", apiKey: apiKey ?? "none", baseURL, model: named, host: url.host };
}
