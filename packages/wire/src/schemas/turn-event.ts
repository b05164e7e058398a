// Schemas of everything a turn tells its host, apart from the life of a call.
import * as z from "zod";
import { DISCARD_REASONS } from "../call.ts";
import { APPROVAL_ANSWERS, STOP_REASONS } from "../turn-event.ts";
import { messageSchema } from "./message.ts";
import { durableCallEventSchema, toolCallEventSchema, transientCallEventSchema } from "./tool-call-event.ts";
import { callInputSchema, callLocationsSchema, shownContentSchema, usageSchema } from "./vocabulary.ts";

const transient = { turnId: z.string(), at: z.number() };
const durable = { ...transient, seq: z.int().positive() };
const parentToolCallId = z.string().optional();
const callId = z.string().min(1);
const place = { round: z.int().positive(), attempt: z.int().positive() };

export const turnStartSchema = z.object({
  ...durable,
  type: z.literal("turn-start"),
  v: z.literal(1),
  prompt: z.string(),
  model: z.string(),
});

export const turnErrorSchema = z.object({ code: z.string(), message: z.string() });

export const turnEndSchema = z.object({
  ...durable,
  type: z.literal("turn-end"),
  stopReason: z.enum(STOP_REASONS),
  error: turnErrorSchema.optional(),
  usage: usageSchema,
});

export const messageEventSchema = z.object({ ...durable, type: z.literal("message"), message: messageSchema });

export const approvalRequestedSchema = z.object({
  ...durable,
  type: z.literal("approval-requested"),
  approvalId: z.string().min(1),
  toolCallId: callId,
  name: z.string(),
  input: callInputSchema,
  title: z.string().optional(),
  kind: z.string().optional(),
  locations: callLocationsSchema.optional(),
  reach: z.array(z.string()).readonly().optional(),
  parentToolCallId,
});

export const approvalAnsweredSchema = z.object({
  ...durable,
  type: z.literal("approval-answered"),
  approvalId: z.string().min(1),
  toolCallId: callId,
  answer: z.enum(APPROVAL_ANSWERS),
  by: z.string().optional(),
  input: callInputSchema.optional(),
  parentToolCallId,
});

export const inputRequestedSchema = z.object({
  ...durable,
  type: z.literal("input-requested"),
  inputId: z.string().min(1),
  toolCallId: callId,
  name: z.string(),
  input: callInputSchema,
  parentToolCallId,
});

export const inputAnsweredSchema = z.object({
  ...durable,
  type: z.literal("input-answered"),
  inputId: z.string().min(1),
  toolCallId: callId,
  by: z.string().optional(),
  parentToolCallId,
});

export const toolCallProgressSchema = z.object({
  ...transient,
  type: z.literal("tool-call-progress"),
  toolCallId: callId,
  progress: z.number().optional(),
  total: z.number().optional(),
  message: z.string().optional(),
  content: shownContentSchema.optional(),
  parentToolCallId,
});

export const toolCallDeltaSchema = z.object({
  ...transient,
  type: z.literal("tool-call-delta"),
  toolCallId: callId,
  fragment: z.string(),
});

export const textDeltaSchema = z.object({
  ...transient,
  ...place,
  type: z.literal("text-delta"),
  port: z.literal("text"),
  textDelta: z.string(),
});

export const reasoningDeltaSchema = z.object({
  ...transient,
  ...place,
  type: z.literal("reasoning-delta"),
  textDelta: z.string(),
});

/** Why a whole attempt was abandoned. */
export const attemptDiscardReasonSchema = z.enum(DISCARD_REASONS).exclude(["unresolved", "coalesced"]);

export const attemptDiscardedSchema = z.object({
  ...transient,
  ...place,
  type: z.literal("attempt-discarded"),
  reason: attemptDiscardReasonSchema,
});

export const liveCallSchema = z.object({
  ...place,
  toolCallId: callId,
  name: z.string(),
  status: z.enum(["preparing", "pending", "running"]),
  at: z.number(),
  parentToolCallId,
});

export const liveStateSchema = z.object({
  ...transient,
  type: z.literal("live-state"),
  round: z.int().nonnegative(),
  attempt: z.int().nonnegative(),
  text: z.string(),
  reasoning: z.string(),
  calls: z.array(liveCallSchema).readonly(),
});

export const attemptFactsSchema = z.object({
  n: z.int().positive(),
  reason: attemptDiscardReasonSchema.optional(),
  ms: z.number(),
  prepared: z.array(z.string()).readonly(),
});

export const roundUsageSchema = z.object({
  ...durable,
  type: z.literal("round-usage"),
  round: z.int().positive(),
  usage: usageSchema,
  cost: z.number().optional(),
  attempts: z.array(attemptFactsSchema).readonly(),
});

const durableOptions = [
  turnStartSchema,
  turnEndSchema,
  messageEventSchema,
  approvalRequestedSchema,
  approvalAnsweredSchema,
  inputRequestedSchema,
  inputAnsweredSchema,
  roundUsageSchema,
] as const;

const transientOptions = [
  toolCallProgressSchema,
  toolCallDeltaSchema,
  textDeltaSchema,
  reasoningDeltaSchema,
  attemptDiscardedSchema,
  liveStateSchema,
] as const;

/** What a store keeps. */
export const durableEventSchema = z.discriminatedUnion("type", [...durableOptions, durableCallEventSchema]);

/** What never reaches a store. */
export const transientEventSchema = z.discriminatedUnion("type", [...transientOptions, transientCallEventSchema]);

/** Any event of a turn. */
export const turnEventSchema = z.discriminatedUnion("type", [...durableOptions, ...transientOptions, toolCallEventSchema]);
