// A request that failed, in coded words: what the official clients throw becomes a ModelError that says what to check.
import { CallwireError, type ErrorCode, errorMessage, ModelError } from "@callwire/wire";
import { isObject } from "./arguments.ts";

/** Who was asked, for error messages. */
export interface Endpoint {
  /** Host and port; never credentials, paths or queries. */
  readonly host: string;
  /** Strings that no message may show: keys, tokens. */
  readonly secrets: readonly string[];
}

const MAX_WORDS = 300;
/** Shorter strings are no secrets, and hiding them would garble the message. */
const MIN_SECRET = 6;

/** The endpoint of a client, as far as it tells. */
export function endpointOf(baseURL: unknown, secrets: readonly unknown[]): Endpoint {
  let host = "the model server";
  try {
    host = new URL(String(baseURL)).host || host;
  } catch {
    // A client without a readable address is named by the general word.
  }
  return {
    host,
    secrets: secrets.filter((secret) => typeof secret === "string").filter((secret) => secret.length >= MIN_SECRET),
  };
}

/** A provider's words without keys, on one line and of bounded length. */
export function safeWords(words: string, endpoint: Endpoint): string {
  let text = words;
  for (const secret of endpoint.secrets) text = text.replaceAll(secret, "[key]");
  text = text
    .replace(/\b(?:sk|pk|gsk|xai|key)-[\w-]{8,}/g, "[key]")
    .replace(/\b(Bearer|Basic)\s+[^\s"',]+/gi, "$1 [key]")
    .replace(/([?&][\w-]*(?:key|token|sig)[\w-]*=)[^&\s"']+/gi, "$1[key]")
    .replace(/\/\/[^/\s@]+@/g, "//")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text;
}

/** The message inside an error body of any of the usual shapes; "" when there is none. */
export function providerWords(body: unknown, endpoint: Endpoint): string {
  const found = isObject(body) ? (isObject(body.error) ? body.error.message : (body.message ?? body.error ?? body.detail)) : body;
  // An HTML page is for browsers, not for people who read an error message.
  if (typeof found !== "string" || found.trimStart().startsWith("<")) return "";
  return safeWords(found, endpoint);
}

/**
 * What a client threw instead of giving a response: an HTTP status (by class), or no connection at all. Anything else is
 * MODEL_FAILED.
 */
export function requestError(thrown: unknown, endpoint: Endpoint): ModelError {
  if (thrown instanceof ModelError) return thrown;
  const { status } = isObject(thrown) ? thrown : {};
  if (typeof status === "number") return statusError(status, thrown, endpoint);
  const cause = rootCause(thrown);
  if (CallwireError.is(thrown) || (cause === undefined && !isConnectionError(thrown))) {
    const words = safeWords(errorMessage(thrown), endpoint);
    return new ModelError("MODEL_FAILED", `The request to ${endpoint.host} could not be made: ${words}`, {
      retryable: false,
      cause: thrown,
    });
  }
  return unreachable(thrown, cause, endpoint);
}

interface StatusClass {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly what: string;
  readonly advice?: string;
}

const BAD_KEY: StatusClass = {
  code: "MODEL_AUTH",
  retryable: false,
  what: "refused the credentials",
  advice: "Check the API key and what it may use.",
};
const OVERLOADED: StatusClass = { code: "MODEL_OVERLOADED", retryable: true, what: "is overloaded" };
const TRY_AGAIN: StatusClass = { code: "MODEL_REQUEST", retryable: true, what: "did not take the request" };

const BY_STATUS: { readonly [status: number]: StatusClass } = {
  401: BAD_KEY,
  403: BAD_KEY,
  404: {
    code: "MODEL_REQUEST",
    retryable: false,
    what: "does not know this model or address",
    advice: "Check the model's name and the base URL.",
  },
  408: TRY_AGAIN,
  409: TRY_AGAIN,
  425: TRY_AGAIN,
  429: { code: "MODEL_RATE_LIMIT", retryable: true, what: "limits the rate of requests" },
  503: OVERLOADED,
  529: OVERLOADED,
};

function classOf(status: number): StatusClass {
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 500) return { code: "MODEL_SERVER", retryable: true, what: "failed" };
  return { code: "MODEL_REQUEST", retryable: false, what: "refused the request" };
}

function statusError(status: number, thrown: unknown, endpoint: Endpoint): ModelError {
  const { error, headers, message } = isObject(thrown) ? thrown : {};
  const { code, retryable, what, advice } = classOf(status);
  const words = providerWords(error ?? bodyText(message, status), endpoint);
  const id = header(headers, "x-request-id") ?? header(headers, "request-id");
  const parts = [`${endpoint.host} ${what} (HTTP ${status})${words === "" ? "." : `: ${words}`}`];
  if (advice !== undefined) parts.push(advice);
  if (id !== undefined) parts.push(`[request ${safeWords(id, endpoint)}]`);
  const asked = header(headers, "x-should-retry");
  return new ModelError(code, parts.join(" "), {
    retryable: asked === undefined ? retryable && !isQuota(error) : asked === "true",
    retryAfterMs: retryAfterMs(headers),
    status,
  });
}

/** The clients put a body that is no JSON behind the status, and their own words where there is none. */
function bodyText(message: unknown, status: number): string {
  const text = String(message ?? "").replace(new RegExp(`^${status}\\s*`), "");
  return text === "status code (no body)" ? "" : text;
}

/** A quota that is used up does not come back within a retry. */
export function isQuota(error: unknown): boolean {
  const inner = isObject(error) && isObject(error.error) ? error.error : error;
  return isObject(inner) && /insufficient_quota|billing/i.test(`${inner.code} ${inner.type}`);
}

/** The delay that a response asks for, in ms; undefined when it asks for none. */
export function retryAfterMs(headers: unknown): number | undefined {
  const ms = Number.parseFloat(header(headers, "retry-after-ms") ?? "");
  if (Number.isFinite(ms)) return Math.max(0, ms);
  const value = header(headers, "retry-after");
  if (value === undefined) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  // A date is meant on the server's clock, which it usually sends along.
  const now = Date.parse(header(headers, "date") ?? "");
  const wait = Date.parse(value) - (Number.isFinite(now) ? now : Date.now());
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function header(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  const bag = headers as { readonly [key: string]: unknown };
  const value: unknown = typeof bag.get === "function" ? bag.get(name) : bag[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

interface Unreachable {
  readonly test: RegExp;
  readonly words: string;
  readonly retryable: boolean;
}

const UNREACHABLE: readonly Unreachable[] = [
  {
    test: /^ECONNREFUSED|^ConnectionRefused/,
    words: "nothing answers there. Check that the server runs and that host and port of the base URL are right.",
    retryable: true,
  },
  {
    test: /^ENOTFOUND/,
    words: "there is no host of that name. Check the base URL and the network.",
    retryable: false,
  },
  { test: /^EAI_AGAIN/, words: "the name could not be looked up. Check the network.", retryable: true },
  { test: /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL/, words: "its certificate is not trusted.", retryable: false },
  { test: /^HPE_|EPROTO/, words: "it does not speak HTTP there. Check scheme and port of the base URL.", retryable: false },
  { test: /TIMEDOUT|TIMEOUT|TimeoutError/i, words: "no answer came in time.", retryable: true },
  { test: /^ECONNRESET|^EPIPE|^UND_ERR_SOCKET/, words: "the connection was closed before an answer came.", retryable: true },
];

function unreachable(thrown: unknown, cause: { readonly code: string } | undefined, endpoint: Endpoint): ModelError {
  const code = cause?.code ?? (/timed? ?out/i.test(errorMessage(thrown)) ? "TIMEOUT" : "");
  const known = UNREACHABLE.find(({ test }) => test.test(code));
  const words = known?.words ?? `the connection failed${code === "" ? "" : ` (${code})`}.`;
  return new ModelError("MODEL_UNREACHABLE", `Cannot reach the model server at ${endpoint.host}: ${words}`, {
    retryable: known?.retryable ?? true,
    cause: cause ?? thrown,
  });
}

/** The clients' connection errors are their HTTP errors without a status. */
function isConnectionError(thrown: unknown): boolean {
  return isObject(thrown) && "status" in thrown && thrown.status === undefined;
}

/** The system's own error, with its code, under the layers that fetch and client put around it. */
function rootCause(thrown: unknown): (Error & { readonly code: string }) | undefined {
  let error = thrown;
  for (let depth = 0; depth < 6 && error instanceof Error; depth++) {
    if (!CallwireError.is(error) && hasCode(error)) return error;
    error = error.cause;
  }
  return undefined;
}

function hasCode(error: Error): error is Error & { readonly code: string } {
  return "code" in error && typeof error.code === "string";
}
