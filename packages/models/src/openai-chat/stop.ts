// The wire's words for why an answer ended, as data: one row per word, whoever says it.
import type { ModelStop } from "@callwire/wire";

/** Lower-cased words of OpenAI and of the servers that speak its protocol. */
const STOPS: { readonly [word: string]: ModelStop } = {
  stop: "end",
  end_turn: "end",
  eos: "end",
  stop_sequence: "end",
  tool_calls: "tool-calls",
  tool_call: "tool-calls",
  tool_use: "tool-calls",
  function_call: "tool-calls",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  model_length: "length",
  content_filter: "refusal",
  refusal: "refusal",
  safety: "refusal",
  sensitive: "refusal",
  recitation: "refusal",
  blocklist: "refusal",
  prohibited_content: "refusal",
  spii: "refusal",
  malformed_function_call: "malformed",
  unexpected_tool_call: "malformed",
};

/** Words that mean that the answer failed. */
const FAILURES: ReadonlySet<string> = new Set(["error", "network_error", "insufficient_system_resource", "abort"]);

/** Ascending: where a stream gives several reasons, the gravest counts. */
const GRAVITY: readonly ModelStop[] = ["end", "pause", "tool-calls", "malformed", "length", "refusal"];

/** What a word means; undefined for a word that nobody knows. */
export function stopOf(word: string): ModelStop | undefined {
  return STOPS[word.toLowerCase()];
}

export function isFailure(word: string): boolean {
  return FAILURES.has(word.toLowerCase());
}

/** The graver of two stops. */
export function graver(a: ModelStop | undefined, b: ModelStop): ModelStop {
  return a !== undefined && GRAVITY.indexOf(a) >= GRAVITY.indexOf(b) ? a : b;
}

/** True for a stop that takes precedence over a `finish_reason` that says that all is well. */
export function isGrave(stop: ModelStop | undefined): stop is ModelStop {
  return stop === "malformed" || stop === "length" || stop === "refusal";
}
