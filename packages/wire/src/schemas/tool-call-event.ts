// Schemas of the six steps in the life of a call.
import * as z from "zod";
import { DISCARD_REASONS, EXECUTED, FAIL_REASONS } from "../call.ts";
import { callInputSchema, callLocationsSchema, jsonValueSchema } from "./vocabulary.ts";

const common = {
  type: z.literal("tool-call"),
  turnId: z.string(),
  at: z.number(),
  toolCallId: z.string().min(1),
  name: z.string(),
  round: z.int().positive(),
  attempt: z.int().positive(),
  parentToolCallId: z.string().optional(),
};
const durable = { ...common, seq: z.int().positive() };

export const callPreparingSchema = z.object({ ...common, status: z.literal("preparing") });

export const callDiscardedSchema = z.object({
  ...common,
  status: z.literal("discarded"),
  reason: z.enum(DISCARD_REASONS),
});

export const callPendingSchema = z.object({
  ...durable,
  status: z.literal("pending"),
  input: callInputSchema,
  inputProblem: z.string().optional(),
  title: z.string().optional(),
  kind: z.string().optional(),
  locations: callLocationsSchema.optional(),
  needsApproval: z.literal(true).optional(),
  preparedAt: z.number().optional(),
  providerExecuted: z.literal(true).optional(),
});

export const callRunningSchema = z.object({ ...durable, status: z.literal("running"), input: callInputSchema.optional() });

export const callCompletedSchema = z.object({
  ...durable,
  status: z.literal("completed"),
  result: z.string(),
  output: jsonValueSchema.optional(),
  display: jsonValueSchema.optional(),
});

export const callFailedSchema = z.object({
  ...durable,
  status: z.literal("failed"),
  result: z.string(),
  reason: z.enum(FAIL_REASONS),
  executed: z.enum(EXECUTED),
});

export const toolCallEventSchema = z.discriminatedUnion("status", [
  callPreparingSchema,
  callDiscardedSchema,
  callPendingSchema,
  callRunningSchema,
  callCompletedSchema,
  callFailedSchema,
]);

/** The steps that a store keeps. */
export const durableCallEventSchema = z.discriminatedUnion("status", [
  callPendingSchema,
  callRunningSchema,
  callCompletedSchema,
  callFailedSchema,
]);

/** The steps that never reach a store. */
export const transientCallEventSchema = z.discriminatedUnion("status", [callPreparingSchema, callDiscardedSchema]);
