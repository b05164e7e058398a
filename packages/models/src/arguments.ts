// Argument text to input: one strict parse, at the end of a good attempt. Decoding, never repair.
import type { CallInput, CallProblem } from "@callwire/wire";

/** Usable arguments, or why they are not. */
export type Decoded =
  | { readonly input: CallInput; readonly problem?: undefined }
  | { readonly problem: CallProblem; readonly input?: undefined };

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Decodes argument text. Blank text and `null` are `{}` where `emptyIsObject` says that the answer was not cut; a JSON string
 * whose whole text is an object is that object.
 */
export function decodeArguments(text: string, emptyIsObject: boolean): Decoded {
  if (text.trim() === "") return decodeValue(undefined, emptyIsObject);
  try {
    return decodeValue(JSON.parse(text), emptyIsObject);
  } catch (error) {
    return invalidJson(`The arguments are not valid JSON: ${parserProblem(error)} (${text.length} characters came).`);
  }
}

/** As `decodeArguments`, for arguments that came as a JSON value instead of text. */
export function decodeValue(value: unknown, emptyIsObject: boolean): Decoded {
  if (isObject(value)) return { input: value };
  if (value === undefined || value === null) {
    return emptyIsObject ? { input: {} } : invalidJson("The arguments are missing: expected a JSON object.");
  }
  const inner = typeof value === "string" ? objectIn(value) : undefined;
  if (inner !== undefined) return { input: inner };
  const kind = Array.isArray(value) ? "an array" : `a ${typeof value}`;
  return { problem: { code: "not-an-object", message: `The arguments must be a JSON object, but they are ${kind}.` } };
}

function objectIn(text: string): CallInput | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function invalidJson(message: string): Decoded {
  return { problem: { code: "invalid-json", message } };
}

/** What `JSON.parse` found wrong, without the piece of payload that engines quote after it. */
export function parserProblem(error: unknown): string {
  const words = (error instanceof Error ? error.message : String(error)).replace(/^JSON Parse error: /, "");
  const token = /^Unexpected token '.'/su.exec(words)?.[0];
  return token ?? (words.split('"')[0]?.replace(/[\s,.]+$/, "") || "it cannot be parsed");
}
