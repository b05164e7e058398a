// Chat Completions as a Model: OpenAI, Azure, and the many servers that speak the same protocol.
import { CallwireError, type Model, type ModelEnd, ModelError, type ModelRequest, type ModelSink } from "@callwire/wire";
import { requestError } from "../http-errors.ts";
import { readEvents } from "../sse.ts";
import { notAStream } from "../stream-errors.ts";
import { type ChatClient, type ClientOptions, type Connection, connect } from "./client.ts";
import { ChatAnswer } from "./events.ts";
import { chatRequest, type RequestOptions } from "./request.ts";
import { vendorOf } from "./vendors.ts";

export type { ChatClient };

/**
 * Options of `openaiChat`: the model, and either a `client` of the `openai` package or what one is made from (`apiKey`,
 * `baseURL`, `headers`; by default the environment's OPENAI_API_KEY and OPENAI_BASE_URL).
 */
export type OpenAIChatOptions = RequestOptions & ClientOptions;

/**
 * A model behind the Chat Completions protocol. Nothing is loaded or sent before the first `run`; each `run` is one request,
 * never repeated by itself.
 *
 * Throws INVALID_OPTIONS for options that cannot work. `run` rejects with a ModelError: MODEL_UNREACHABLE, MODEL_AUTH,
 * MODEL_RATE_LIMIT, MODEL_OVERLOADED, MODEL_SERVER, MODEL_REQUEST, MODEL_NOT_A_STREAM, MODEL_STREAM_ERROR, MODEL_STREAM_CUT,
 * MODEL_FAILED, TURN_CANCELLED, or MISSING_CLIENT where the `openai` package is needed and absent.
 */
export function openaiChat(options: OpenAIChatOptions): Model {
  checkOptions(options);
  let connecting: Promise<Connection> | undefined;
  const connection = () => {
    connecting ??= connect(options).catch((error: unknown) => {
      // A key or a package may be there at the next attempt.
      connecting = undefined;
      throw error;
    });
    return connecting;
  };
  return {
    name: options.model,
    run: async (request, sink, { signal }) => {
      if (signal.aborted) throw cancelled(signal);
      // The client leaves its listener on the signal it gets, so it never gets the caller's.
      const abort = new AbortController();
      const onAbort = () => abort.abort(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      try {
        return await answer(await connection(), { request, sink, options, signal: abort.signal });
      } finally {
        signal.removeEventListener("abort", onAbort);
      }
    },
  };
}

interface Attempt {
  readonly request: ModelRequest;
  readonly sink: ModelSink;
  readonly options: RequestOptions;
  readonly signal: AbortSignal;
}

async function answer({ client, endpoint }: Connection, { request, sink, options, signal }: Attempt): Promise<ModelEnd> {
  const body = chatRequest(request, options, vendorOf(endpoint.host));
  let response: Response;
  try {
    response = await client.chat.completions.create(body, { signal, maxRetries: 0 }).asResponse();
  } catch (error) {
    throw signal.aborted ? cancelled(signal) : requestError(error, endpoint);
  }
  const chat = new ChatAnswer(sink, endpoint);
  if (response.body === null) throw notAStream("", endpoint);
  const end = await readEvents(response.body, chat, signal);
  switch (end.kind) {
    case "aborted":
      throw cancelled(signal);
    case "not-events":
      throw notAStream(end.start, endpoint);
    case "broken":
      return chat.end(end.error);
    case "ended": {
      const type = response.headers.get("content-type") ?? "";
      if (chat.events === 0 && type !== "" && !type.includes("event-stream")) throw notAStream("", endpoint);
      return chat.end();
    }
  }
}

function cancelled(signal: AbortSignal): ModelError {
  return new ModelError("TURN_CANCELLED", "The request to the model was cancelled.", { retryable: false, cause: signal.reason });
}

function checkOptions({ model, client, baseURL }: OpenAIChatOptions): void {
  if (typeof model !== "string" || model === "") throw invalid("`model` must be the name of a model, for example `gpt-4o`.");
  if (client !== undefined && typeof client?.chat?.completions?.create !== "function") {
    throw invalid("`client` must be a client of the `openai` package: it has no chat.completions.create.");
  }
  if (baseURL !== undefined && baseURL !== "" && !(URL.canParse(baseURL) && /^https?:/i.test(baseURL))) {
    throw invalid("`baseURL` must be an http(s) URL, for example `http://localhost:11434/v1`.");
  }
}

function invalid(message: string): CallwireError {
  return new CallwireError("INVALID_OPTIONS", message);
}
