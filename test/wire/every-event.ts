// At least one event of every kind, with every optional member once.
import type { TurnEvent } from "@callwire/wire";
import { callSteps, MESSAGES, Story, toLog } from "./story.ts";

const call = callSteps("a", { name: "n", round: 1, attempt: 1, parentToolCallId: "p" });

/** Fresh objects each time. */
export function everyEvent(): readonly TurnEvent[] {
  return [...toLog(new Story().steps), ...rest(), ...MESSAGES.map((message, i) => messageEvent(message, i))];
}

function messageEvent(message: (typeof MESSAGES)[number], i: number): TurnEvent {
  return { type: "message", turnId: "t", at: 1, seq: i + 1, message };
}

function rest(): readonly TurnEvent[] {
  const picture = { type: "image", mediaType: "image/png", data: "AA==" } as const;
  const asked = { toolCallId: "a", name: "n", input: { deep: [{ x: null }] }, parentToolCallId: "p" } as const;
  const shown = { title: "T", kind: "edit", locations: [{ path: "a.ts", line: 3 }, { path: "b.ts" }] };
  const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 4 };
  return toLog([
    call.pending({}, { ...shown, inputProblem: "bad", needsApproval: true, preparedAt: 1, providerExecuted: true }),
    { ...call.running, input: { edited: true } },
    call.completed("ok", { output: [1, { a: "b" }], display: "d" }),
    call.failed("no", "denied", "no"),
    { type: "approval-requested", approvalId: "q", ...asked, ...shown, reach: ["network"] },
    { type: "approval-answered", approvalId: "q", toolCallId: "a", answer: "allow", by: "me", input: {}, parentToolCallId: "p" },
    { type: "input-requested", inputId: "i", ...asked },
    { type: "input-answered", inputId: "i", toolCallId: "a", by: "me", parentToolCallId: "p" },
    {
      type: "tool-call-progress",
      toolCallId: "a",
      progress: 1,
      total: 2,
      message: "m",
      content: [picture],
      parentToolCallId: "p",
    },
    { type: "live-state", round: 0, attempt: 0, text: "", reasoning: "", calls: [] },
    {
      type: "live-state",
      round: 1,
      attempt: 1,
      text: "a",
      reasoning: "b",
      calls: [{ toolCallId: "a", name: "n", status: "running", at: 1, round: 1, attempt: 1, parentToolCallId: "p" }],
    },
    { type: "round-usage", round: 1, usage, cost: 0.1, attempts: [{ n: 1, ms: 3, prepared: ["n"], reason: "timeout" }] },
    { type: "turn-end", stopReason: "error", error: { code: "INTERNAL", message: "x" }, usage },
    { type: "message", message: { id: "s", role: "system", content: [{ type: "text", text: "s" }] } },
    { type: "message", message: { id: "u", role: "user", content: [{ type: "text", text: "u" }, picture] } },
    {
      type: "message",
      message: {
        id: "k",
        role: "assistant",
        partial: true,
        content: [
          { type: "reasoning", text: "", payload: { signature: "s" } },
          { type: "tool_use", id: "a", name: "n", input: {}, payload: [1] },
        ],
      },
    },
    {
      type: "message",
      message: {
        id: "r",
        role: "tool",
        content: [
          {
            type: "tool_result",
            tool_use_id: "a",
            content: [picture],
            is_error: true,
            meta: {
              round: 1,
              reason: "timeout",
              executed: "unknown",
              ...shown,
              inputProblem: "bad",
              input: {},
              preparedAt: 1,
              askedAt: 2,
              startedAt: 3,
              endedAt: 4,
              display: null,
              output: false,
            },
          },
        ],
      },
    },
  ]);
}
