// An answer that began and did not come to a good end: errors inside a 200 stream, a cut, or no stream at all.
import { ModelError, type Usage } from "@callwire/wire";
import { isObject } from "./arguments.ts";
import { type Endpoint, isQuota, providerWords, safeWords } from "./http-errors.ts";

/** Where in which answer something went wrong. */
export interface StreamPlace {
  readonly endpoint: Endpoint;
  /** 0-based number of the event, counting all that carried data. */
  readonly event: number;
  /** Tokens reported so far. */
  readonly usage: Usage | undefined;
}

/** The provider said inside its answer that it failed. `payload` is its error object, or its words. */
export function reportedError(payload: unknown, { endpoint, event, usage }: StreamPlace): ModelError {
  const words = providerWords(payload, endpoint) || "it gave no reason";
  const message = `${endpoint.host} reported an error inside its answer (event ${event}${label(payload, endpoint)}): ${words}`;
  return new ModelError("MODEL_STREAM_ERROR", message, { retryable: mayPass(payload), usage });
}

/** An event that no rule covers. `reason` says what is wrong with it, without its payload. */
export function unreadableEvent(reason: string, { endpoint, event, usage }: StreamPlace): ModelError {
  const message = `${endpoint.host} sent an event that cannot be read (event ${event}): ${reason}.`;
  return new ModelError("MODEL_STREAM_ERROR", message, { retryable: true, usage });
}

/** The answer stopped before its end. `event` is the number of events that came. */
export function cutStream({ endpoint, event, usage }: StreamPlace, cause?: unknown): ModelError {
  const message = `The answer from ${endpoint.host} was cut off after ${event} events, before it said that it was complete.`;
  return new ModelError("MODEL_STREAM_CUT", message, { retryable: true, usage, cause });
}

/** Status 200, but the body is JSON or a page. `body` is its beginning; only an error message inside JSON is shown. */
export function notAStream(body: string, endpoint: Endpoint): ModelError {
  const start = body.trimStart();
  const parsed = start.startsWith("{") ? parse(start) : undefined;
  const reported = isObject(parsed) && parsed.error !== undefined ? parsed.error : undefined;
  const kind = start.startsWith("<") ? "an HTML page" : parsed === undefined ? "something else" : "a JSON document";
  const words = reported === undefined ? "" : providerWords(reported, endpoint);
  const why = words === "" ? "Check the base URL, and that this server can stream." : `It says: ${words}`;
  return new ModelError("MODEL_NOT_A_STREAM", `${endpoint.host} answered with ${kind} instead of an event stream. ${why}`, {
    retryable: reported !== undefined && mayPass(reported),
    status: 200,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function label(payload: unknown, endpoint: Endpoint): string {
  if (!isObject(payload)) return "";
  const code = payload.code ?? payload.type ?? payload.status;
  const short = typeof code === "number" || (typeof code === "string" && code.length <= 40);
  return short ? `, ${safeWords(String(code), endpoint)}` : "";
}

/** A refused request stays refused; overload, rate limits and everything unexplained may pass. */
function mayPass(payload: unknown): boolean {
  if (!isObject(payload)) return true;
  // The model wrote a call that the provider itself rejected: another sample may be better.
  if (payload.code === "tool_use_failed") return true;
  if (isQuota(payload)) return false;
  const status = [payload.code, payload.status_code, payload.status].map(Number).find((n) => n >= 400 && n < 600);
  if (status !== undefined) return status >= 500 || status === 408 || status === 409 || status === 429;
  return !/invalid_request|authentication|permission|not_found|invalid_api_key|context_length/i.test(
    `${payload.type} ${payload.code}`,
  );
}
