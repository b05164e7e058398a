// Schemas of what crosses a port as JSON: approvals that a host answers, and what a provider tells of its own calls.
import * as z from "zod";
import { APPROVAL_ANSWERS } from "../turn-event.ts";
import { callInputSchema, callLocationsSchema, jsonValueSchema, shownContentSchema } from "./vocabulary.ts";

export const approvalRequestSchema = z.object({
  approvalId: z.string().min(1),
  toolCallId: z.string().min(1),
  name: z.string(),
  input: callInputSchema,
  title: z.string().optional(),
  kind: z.string().optional(),
  locations: callLocationsSchema.optional(),
  reach: z.array(z.string()).readonly().optional(),
});

export const approvalResponseSchema = z.object({
  answer: z.enum(APPROVAL_ANSWERS),
  remember: z.boolean().optional(),
  input: callInputSchema.optional(),
  by: z.string().optional(),
});

export const callProblemSchema = z.object({
  code: z.enum(["invalid-json", "not-an-object", "nameless", "identity-conflict"]),
  message: z.string(),
});

export const providerProgressSchema = z.object({
  progress: z.number().optional(),
  total: z.number().optional(),
  message: z.string().optional(),
});

export const providerResultSchema = z.object({
  content: shownContentSchema,
  isError: z.literal(true).optional(),
  display: jsonValueSchema.optional(),
});
