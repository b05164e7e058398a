// Strict decoding of argument text, as every adapter does it: nothing is repaired into something executable.
import type { CallInput } from "../call.ts";
import type { CallProblem } from "../model.ts";

export type ParsedArguments = { readonly input: CallInput } | { readonly problem: CallProblem };

/**
 * Blank text and `null` are `{}`; a JSON string whose whole text is an object is that object; any other root is
 * `not-an-object`, anything else `invalid-json`.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { input: {} };
  const value = parse(text);
  if (value === undefined) return invalidJson(text);
  if (value.json === null) return { input: {} };
  if (isObject(value.json)) return { input: value.json };
  const inner = typeof value.json === "string" ? parse(value.json)?.json : undefined;
  if (isObject(inner)) return { input: inner };
  return { problem: { code: "not-an-object", message: `The arguments are a JSON ${kindOf(value.json)}, not a JSON object.` } };
}

function parse(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function invalidJson(text: string): ParsedArguments {
  return { problem: { code: "invalid-json", message: `The arguments are not valid JSON (${text.length} characters).` } };
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : typeof value;
}

function isObject(value: unknown): value is CallInput {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
