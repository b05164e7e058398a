// The schemas of the wire (zod). Unknown members are dropped, not refused: an event of a newer version stays readable, and a
// reader sees exactly the types of `@callwire/wire`. A relay forwards what it received, not what it parsed.
export {
  assistantBlockSchema,
  assistantMessageSchema,
  messageSchema,
  systemMessageSchema,
  toolMessageSchema,
  toolResultBlockSchema,
  toolResultMetaSchema,
  userBlockSchema,
  userMessageSchema,
} from "./message.ts";
export {
  approvalRequestSchema,
  approvalResponseSchema,
  callProblemSchema,
  providerProgressSchema,
  providerResultSchema,
} from "./ports.ts";
export {
  callCompletedSchema,
  callDiscardedSchema,
  callFailedSchema,
  callPendingSchema,
  callPreparingSchema,
  callRunningSchema,
  toolCallEventSchema,
} from "./tool-call-event.ts";
export {
  approvalAnsweredSchema,
  approvalRequestedSchema,
  attemptDiscardedSchema,
  attemptFactsSchema,
  durableEventSchema,
  inputAnsweredSchema,
  inputRequestedSchema,
  liveCallSchema,
  liveStateSchema,
  messageEventSchema,
  reasoningDeltaSchema,
  roundUsageSchema,
  textDeltaSchema,
  toolCallDeltaSchema,
  toolCallProgressSchema,
  transientEventSchema,
  turnEndSchema,
  turnErrorSchema,
  turnEventSchema,
  turnStartSchema,
} from "./turn-event.ts";
export {
  callInputSchema,
  callLocationSchema,
  imageBlockSchema,
  jsonValueSchema,
  reasoningBlockSchema,
  textBlockSchema,
  toolUseBlockSchema,
  usageSchema,
} from "./vocabulary.ts";
