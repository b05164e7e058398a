// The schemas and the hand-written types are one: each is assignable to the other, and neither has a member more.
import type * as wire from "@callwire/wire";
import type * as schemas from "@callwire/wire/schemas";
import type { Script, scriptSchema } from "@callwire/wire/testing";
import { describe, expectTypeOf, it } from "vitest";
import type { z } from "zod";

type Out<S extends z.ZodType> = z.output<S>;

/** The members of a type, of each member of a union: optional ones are seen here and not by assignability. */
type Keys<T> = T extends unknown ? keyof T : never;
type SameKeys<A, B> = [Keys<A>, Keys<B>] extends [Keys<B>, Keys<A>]
  ? true
  : { readonly onlyHere: Exclude<Keys<A>, Keys<B>>; readonly onlyThere: Exclude<Keys<B>, Keys<A>> };
type Mutual<A, B> = [A, B] extends [B, A] ? SameKeys<A, B> : "not assignable to each other";

declare function same<A, B>(): Mutual<A, B>;

describe("the schemas", () => {
  it("give exactly the types of the root", () => {
    expectTypeOf(same<Out<typeof schemas.turnEventSchema>, wire.TurnEvent>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.durableEventSchema>, wire.DurableEvent>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.transientEventSchema>, wire.TransientEvent>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolCallEventSchema>, wire.ToolCallEvent>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.messageSchema>, wire.Message>()).toEqualTypeOf<true>();
  });

  it("give each step of a call", () => {
    expectTypeOf(same<Out<typeof schemas.callPreparingSchema>, wire.CallPreparing>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callDiscardedSchema>, wire.CallDiscarded>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callPendingSchema>, wire.CallPending>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callRunningSchema>, wire.CallRunning>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callCompletedSchema>, wire.CallCompleted>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callFailedSchema>, wire.CallFailed>()).toEqualTypeOf<true>();
  });

  it("give each event", () => {
    expectTypeOf(same<Out<typeof schemas.turnStartSchema>, wire.TurnStart>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.turnEndSchema>, wire.TurnEnd>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.turnErrorSchema>, wire.TurnError>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.messageEventSchema>, wire.MessageEvent>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.approvalRequestedSchema>, wire.ApprovalRequested>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.approvalAnsweredSchema>, wire.ApprovalAnswered>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.inputRequestedSchema>, wire.InputRequested>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.inputAnsweredSchema>, wire.InputAnswered>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolCallProgressSchema>, wire.ToolCallProgress>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolCallDeltaSchema>, wire.ToolCallDelta>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.textDeltaSchema>, wire.TextDelta>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.reasoningDeltaSchema>, wire.ReasoningDelta>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.attemptDiscardedSchema>, wire.AttemptDiscarded>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.liveStateSchema>, wire.LiveState>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.liveCallSchema>, wire.LiveCall>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.roundUsageSchema>, wire.RoundUsage>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.attemptFactsSchema>, wire.AttemptFacts>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.usageSchema>, wire.Usage>()).toEqualTypeOf<true>();
  });

  it("give each message and block", () => {
    expectTypeOf(same<Out<typeof schemas.systemMessageSchema>, wire.SystemMessage>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.userMessageSchema>, wire.UserMessage>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.assistantMessageSchema>, wire.AssistantMessage>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolMessageSchema>, wire.ToolMessage>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.textBlockSchema>, wire.TextBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.imageBlockSchema>, wire.ImageBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.reasoningBlockSchema>, wire.ReasoningBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolUseBlockSchema>, wire.ToolUseBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolResultBlockSchema>, wire.ToolResultBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.toolResultMetaSchema>, wire.ToolResultMeta>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.assistantBlockSchema>, wire.AssistantBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.userBlockSchema>, wire.UserBlock>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callLocationSchema>, wire.CallLocation>()).toEqualTypeOf<true>();
  });

  it("give what crosses a port", () => {
    expectTypeOf(same<Out<typeof schemas.approvalRequestSchema>, wire.ApprovalRequest>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.approvalResponseSchema>, wire.ApprovalResponse>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.callProblemSchema>, wire.CallProblem>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.providerProgressSchema>, wire.ProviderProgress>()).toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.providerResultSchema>, wire.ProviderResult>()).toEqualTypeOf<true>();
  });

  it("read scripts that the scripted model takes", () => {
    expectTypeOf<Out<typeof scriptSchema>>().toExtend<Script>();
  });

  it("would be told apart from a type with one optional member less", () => {
    expectTypeOf(same<Out<typeof schemas.usageSchema>, Omit<wire.Usage, "reasoningTokens">>()).not.toEqualTypeOf<true>();
    expectTypeOf(same<Out<typeof schemas.textBlockSchema>, Omit<wire.TextBlock, "text">>()).not.toEqualTypeOf<true>();
  });
});

describe("the event union", () => {
  it("has exactly one member per status [E2a]", () => {
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "preparing" }>>().toEqualTypeOf<wire.CallPreparing>();
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "discarded" }>>().toEqualTypeOf<wire.CallDiscarded>();
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "pending" }>>().toEqualTypeOf<wire.CallPending>();
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "running" }>>().toEqualTypeOf<wire.CallRunning>();
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "completed" }>>().toEqualTypeOf<wire.CallCompleted>();
    expectTypeOf<Extract<wire.ToolCallEvent, { status: "failed" }>>().toEqualTypeOf<wire.CallFailed>();
  });

  it("narrows to the steps of a call by its guard", () => {
    const read = (chunk: unknown, guards: typeof wire) => {
      if (!guards.isTurnEvent(chunk) || !guards.isToolCall(chunk) || chunk.status !== "failed") return;
      expectTypeOf(chunk.reason).toEqualTypeOf<wire.FailReason>();
    };
    expectTypeOf(read).toBeFunction();
  });
});
