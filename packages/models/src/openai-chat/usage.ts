// The token counts of Chat Completions and its dialects, by one convention.
import type { Usage } from "@callwire/wire";
import { isObject } from "../arguments.ts";

/** Reads a `usage` object; undefined when it counts nothing. */
export function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined;
  const input = count(raw.prompt_tokens);
  const output = count(raw.completion_tokens);
  const cached = count(detail(raw.prompt_tokens_details, "cached_tokens") ?? raw.prompt_cache_hit_tokens ?? raw.cached_tokens);
  const reasoning = count(detail(raw.completion_tokens_details, "reasoning_tokens") ?? raw.reasoning_tokens);
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {};
  if (input !== undefined) usage.inputTokens = input;
  if (output !== undefined) usage.outputTokens = output + reasoningBeside(count(raw.total_tokens), input, output, reasoning);
  if (cached !== undefined) usage.cachedInputTokens = cached;
  if (reasoning !== undefined) usage.reasoningTokens = reasoning;
  return Object.keys(usage).length === 0 ? undefined : usage;
}

/** Most servers count reasoning inside `completion_tokens`, xAI beside it; only the total tells. */
function reasoningBeside(total: number | undefined, input = 0, output = 0, reasoning = 0): number {
  return reasoning > 0 && total === input + output + reasoning ? reasoning : 0;
}

function detail(details: unknown, key: string): unknown {
  return isObject(details) ? (details[key] ?? undefined) : undefined;
}

function count(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
