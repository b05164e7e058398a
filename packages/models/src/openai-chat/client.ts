// The official client: the user's own, or one that is made here. It makes the request; its response is read raw.
import { ModelError } from "@callwire/wire";
import { type Endpoint, endpointOf } from "../http-errors.ts";

/** What is needed of a client of the `openai` package (also its Azure variant). */
export interface ChatClient {
  readonly baseURL?: unknown;
  readonly apiKey?: unknown;
  readonly chat: {
    readonly completions: {
      create(
        body: object,
        options: { readonly signal: AbortSignal; readonly maxRetries: number },
      ): { asResponse(): Promise<Response> };
    };
  };
}

/** How to reach the server: a client that exists already, or what one is made from. */
export type ClientOptions =
  | { readonly client: ChatClient; readonly apiKey?: undefined; readonly baseURL?: undefined; readonly headers?: undefined }
  | {
      readonly client?: undefined;
      /** Default: the environment's `OPENAI_API_KEY`. Servers without keys need none once a base URL is given. */
      readonly apiKey?: string;
      /** For example `http://localhost:11434/v1`. Default: the environment's `OPENAI_BASE_URL`, else OpenAI's own. */
      readonly baseURL?: string;
      /** Sent with every request. */
      readonly headers?: { readonly [name: string]: string };
    };

/** A client, and who answers it. */
export interface Connection {
  readonly client: ChatClient;
  readonly endpoint: Endpoint;
}

/**
 * The connection of a model. Throws MISSING_CLIENT where a client must be made and the `openai` package is not installed, and
 * MODEL_AUTH where neither a key nor a base URL is known.
 */
export async function connect(options: ClientOptions): Promise<Connection> {
  const client = options.client ?? (await makeClient(options));
  const headers = Object.values(options.headers ?? {});
  return { client, endpoint: endpointOf(client.baseURL, [client.apiKey, ...headers]) };
}

async function makeClient(options: Exclude<ClientOptions, { readonly client: ChatClient }>): Promise<ChatClient> {
  const env = typeof process === "undefined" ? {} : process.env;
  const apiKey = options.apiKey || env.OPENAI_API_KEY;
  const baseURL = options.baseURL || env.OPENAI_BASE_URL || undefined;
  if (!apiKey && baseURL === undefined) {
    throw new ModelError(
      "MODEL_AUTH",
      "No API key for api.openai.com: set OPENAI_API_KEY, or pass `apiKey`. For another server set OPENAI_BASE_URL, or pass `baseURL`.",
      { retryable: false },
    );
  }
  const { OpenAI } = await loadPackage();
  // The client insists on a key; servers that want none ignore this one.
  return new OpenAI({ apiKey: apiKey || "none", baseURL, defaultHeaders: options.headers, logLevel: "off", maxRetries: 0 });
}

async function loadPackage(): Promise<typeof import("openai")> {
  try {
    return await import("openai");
  } catch (cause) {
    throw new ModelError(
      "MISSING_CLIENT",
      "The package `openai` could not be loaded: install it beside @callwire/models (npm install openai), or pass your own `client`.",
      { retryable: false, cause },
    );
  }
}
