// Schemas of the conversation.
import * as z from "zod";
import { EXECUTED, FAIL_REASONS } from "../call.ts";
import {
  callInputSchema,
  callLocationsSchema,
  imageBlockSchema,
  jsonValueSchema,
  reasoningBlockSchema,
  shownContentSchema,
  textBlockSchema,
  toolUseBlockSchema,
} from "./vocabulary.ts";

const time = z.number().optional();

export const toolResultMetaSchema = z.object({
  round: z.int().positive().optional(),
  reason: z.enum(FAIL_REASONS).optional(),
  executed: z.enum(EXECUTED).optional(),
  title: z.string().optional(),
  kind: z.string().optional(),
  locations: callLocationsSchema.optional(),
  inputProblem: z.string().optional(),
  input: callInputSchema.optional(),
  preparedAt: time,
  askedAt: time,
  startedAt: time,
  endedAt: time,
  display: jsonValueSchema.optional(),
  output: jsonValueSchema.optional(),
});

export const toolResultBlockSchema = z.object({
  type: z.literal("tool_result"),
  tool_use_id: z.string().min(1),
  content: shownContentSchema,
  is_error: z.literal(true).optional(),
  meta: toolResultMetaSchema.optional(),
});

/** What a user message may hold, apart from a plain string. */
export const userBlockSchema = z.discriminatedUnion("type", [textBlockSchema, imageBlockSchema]);

export const assistantBlockSchema = z.discriminatedUnion("type", [
  textBlockSchema,
  reasoningBlockSchema,
  toolUseBlockSchema,
  toolResultBlockSchema,
]);

const id = z.string().min(1);

export const systemMessageSchema = z.object({
  id,
  role: z.literal("system"),
  content: z.union([z.string(), z.array(textBlockSchema).readonly()]),
});

export const userMessageSchema = z.object({
  id,
  role: z.literal("user"),
  content: z.union([z.string(), z.array(userBlockSchema).readonly()]),
});

export const assistantMessageSchema = z.object({
  id,
  role: z.literal("assistant"),
  content: z.array(assistantBlockSchema).readonly(),
  partial: z.literal(true).optional(),
});

export const toolMessageSchema = z.object({
  id,
  role: z.literal("tool"),
  content: z.array(toolResultBlockSchema).readonly(),
});

export const messageSchema = z.discriminatedUnion("role", [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
]);
