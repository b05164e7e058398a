// Schemas of the small words: JSON values, usage, content blocks.
import * as z from "zod";
import type { CallInput, JsonValue } from "../call.ts";
import { isJsonValue } from "./json-value.ts";

/** A JSON value of any depth, checked without recursion and handed on uncopied. */
export const jsonValueSchema = z.unknown().refine(isJsonValue, "not a JSON value") as unknown as z.ZodType<JsonValue>;

/** Parsed arguments: a JSON object. Its values are not looked at. */
export const callInputSchema: z.ZodType<CallInput> = z.record(z.string(), z.unknown());

const tokens = z.number().nonnegative().optional();
export const usageSchema = z.object({
  inputTokens: tokens,
  outputTokens: tokens,
  cachedInputTokens: tokens,
  reasoningTokens: tokens,
});

export const callLocationSchema = z.object({ path: z.string(), line: z.int().positive().optional() });
/** An empty list is legal, and so is none. */
export const callLocationsSchema = z.array(callLocationSchema).readonly();

export const textBlockSchema = z.object({ type: z.literal("text"), text: z.string() });

export const imageBlockSchema = z.object({ type: z.literal("image"), mediaType: z.string(), data: z.string() });

export const reasoningBlockSchema = z.object({
  type: z.literal("reasoning"),
  text: z.string(),
  payload: jsonValueSchema.optional(),
});

export const toolUseBlockSchema = z.object({
  type: z.literal("tool_use"),
  id: z.string().min(1),
  name: z.string().min(1),
  input: callInputSchema,
  providerExecuted: z.literal(true).optional(),
  payload: jsonValueSchema.optional(),
});

/** What a result or a progress report shows. */
export const shownContentSchema = z.array(z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema])).readonly();
