// Pins what strangers depend on. A change here is a public decision: say it in the changelog.
// The exported names below are inline snapshots: after a deliberate change run `npx vitest run --project unit test/surface.test.ts -u`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  APPROVAL_ANSWERS,
  CALL_STATUSES,
  DISCARD_REASONS,
  ERROR_CODES,
  EVENT_TYPES,
  EXECUTED,
  FAIL_REASONS,
  MODEL_STOPS,
  STOP_REASONS,
} from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { parseFile, readWorkspace } from "./kit/source-tree.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const { packages } = readWorkspace(ROOT);

/** The names that an entry exports: values, then types, one line per initial letter, so that a change touches one line. */
function exportsOf(specifier: string): string {
  const owner = packages.find(({ manifest }) => specifier === manifest.name || specifier.startsWith(`${manifest.name}/`));
  const source = owner?.manifest.exports?.[`.${specifier.slice(owner.manifest.name.length)}`]?.["callwire-source"];
  if (owner === undefined || source === undefined) throw new Error(`${specifier} is no entry of this workspace`);
  const path = `${owner.folder}/${source.replace("./", "")}`;
  const { exports } = parseFile(path, readFileSync(`${ROOT}/${path}`, "utf8"));
  const names = (typeOnly: boolean) => byInitial(exports.filter((one) => one.typeOnly === typeOnly).map((one) => one.name));
  return [...names(false), ...names(true).map((line) => `type ${line}`)].join("\n");
}

function byInitial(names: readonly string[]): readonly string[] {
  const lines = new Map<string, string>();
  for (const name of names.toSorted()) {
    const initial = name.slice(0, 1);
    const line = lines.get(initial);
    lines.set(initial, line === undefined ? name : `${line} ${name}`);
  }
  return [...lines.values()];
}

describe("the words of the wire are pinned:", () => {
  it("call statuses, in the order of a call's life [E2a]", () => {
    expect(CALL_STATUSES).toEqual(["preparing", "discarded", "pending", "running", "completed", "failed"]);
  });

  it("discard reasons", () => {
    expect(DISCARD_REASONS.join(" ")).toBe(
      "retry fallback cancelled stream-error timeout truncated refused malformed unresolved coalesced",
    );
  });

  it("fail reasons and executed", () => {
    expect(FAIL_REASONS.join(" ")).toBe(
      "unknown-tool invalid-arguments denied no-approver approval-failed tool-error timeout cancelled cancelled-before-start skipped interrupted",
    );
    expect(EXECUTED).toEqual(["no", "yes", "unknown"]);
  });

  it("stop reasons and model stops", () => {
    expect(STOP_REASONS.join(" ")).toBe("answered max-rounds length refusal stopped budget submitted cancelled error");
    expect(MODEL_STOPS).toEqual(["end", "tool-calls", "length", "refusal", "malformed", "pause"]);
  });

  it("approval answers", () => {
    expect(APPROVAL_ANSWERS).toEqual(["allow", "deny", "cancel"]);
  });

  it("event types", () => {
    expect([...EVENT_TYPES].sort().join(" ")).toBe(
      "approval-answered approval-requested attempt-discarded input-answered input-requested live-state message reasoning-delta round-usage text-delta tool-call tool-call-delta tool-call-progress turn-end turn-start",
    );
  });

  it("error codes", () => {
    expect(byInitial(ERROR_CODES).join("\n")).toMatchInlineSnapshot(`
      "ALREADY_RUNNING APPROVER_NOT_BOUND
      DUPLICATE_TOOL
      INTERNAL INVALID_HISTORY INVALID_OPTIONS INVALID_TOOL
      MALFORMED_RESPONSE MISSING_CLIENT MODEL_AUTH MODEL_FAILED MODEL_NOT_A_STREAM MODEL_NOT_BOUND MODEL_OVERLOADED MODEL_RATE_LIMIT MODEL_REQUEST MODEL_SERVER MODEL_STREAM_CUT MODEL_STREAM_ERROR MODEL_UNREACHABLE
      TOOL_FAILED TOOL_NOT_BOUND TURN_CANCELLED"
    `);
  });

  // Workglow's StreamEvent union, released and announced: text-delta is the one that we share, in its own shape.
  it("no event type is one of Workglow's with another shape [E1]", () => {
    const theirs = ["text-delta", "object-delta", "snapshot", "finish", "error", "phase", "usage", "refusal", "binary-delta"];
    expect(EVENT_TYPES.filter((type) => theirs.includes(type))).toEqual(["text-delta"]);
  });
});

describe("packages and entries are pinned:", () => {
  it("each package with its entries and commands", () => {
    const entries = packages.map(({ manifest: { name, exports = {}, bin = {} } }) => {
      const commands = Object.keys(bin).map((command) => `command ${command}`);
      return `${name}: ${[...Object.keys(exports), ...commands].join(" ")}`;
    });
    expect(entries.sort()).toEqual([
      "@callwire/agent: . ./turn",
      "@callwire/cards: . ./rx",
      "@callwire/models: ./openai-chat",
      "@callwire/wire: . ./schemas ./testing",
      "callwire: command callwire",
    ]);
  });

  it("@callwire/wire", () => {
    expect(exportsOf("@callwire/wire")).toMatchInlineSnapshot(`
      "APPROVAL_ANSWERS
      CALL_STATUSES CallwireError Channel
      DISCARD_REASONS
      ERROR_CODES EVENT_TYPES EXECUTED
      FAIL_REASONS
      LiveFold
      MODEL_STOPS ModelError
      NEXT
      STOP_REASONS
      TOOL_OUTPUT ToolCallError
      arrival
      canFollow
      errorMessage
      isDurable isSettled isTerminal isToolCall isToolOutput isTurnEvent
      resultText
      toolOutput
      type ApprovalAnswer ApprovalAnswered ApprovalRequest ApprovalRequested ApprovalResponse Approver Arrival AssistantBlock AssistantMessage AttemptDiscardReason AttemptDiscarded AttemptFacts
      type CallCompleted CallDiscarded CallFailed CallInput CallLocation CallPending CallPreparing CallProblem CallRunning CallSlot CallState CallStatus Clock ContentBlock
      type DiscardReason DurableEvent
      type ErrorCode Executed
      type FailReason
      type Ids ImageBlock InFlightPolicy InferInput InputAnswered InputRequested InputSchema
      type Journal JsonSchema JsonValue
      type LiveCall LiveState
      type Message MessageEvent Model ModelCall ModelEnd ModelRequest ModelSink ModelStop
      type ProgressUpdate ProviderProgress ProviderResult
      type ReasoningBlock ReasoningDelta RoundUsage
      type StandardSchema StopReason SystemMessage
      type TextBlock TextDelta Tool ToolCallDelta ToolCallEvent ToolCallProgress ToolContext ToolMessage ToolOutput ToolResultBlock ToolResultMeta ToolSpec ToolUseBlock TransientEvent TurnEnd TurnError TurnEvent TurnSource TurnSourceContext TurnStart
      type Unsequenced Usage UserBlock UserMessage"
    `);
  });

  it("@callwire/wire/schemas", () => {
    expect(exportsOf("@callwire/wire/schemas")).toMatchInlineSnapshot(`
      "approvalAnsweredSchema approvalRequestSchema approvalRequestedSchema approvalResponseSchema assistantBlockSchema assistantMessageSchema attemptDiscardedSchema attemptFactsSchema
      callCompletedSchema callDiscardedSchema callFailedSchema callInputSchema callLocationSchema callPendingSchema callPreparingSchema callProblemSchema callRunningSchema
      durableEventSchema
      imageBlockSchema inputAnsweredSchema inputRequestedSchema
      jsonValueSchema
      liveCallSchema liveStateSchema
      messageEventSchema messageSchema
      providerProgressSchema providerResultSchema
      reasoningBlockSchema reasoningDeltaSchema roundUsageSchema
      systemMessageSchema
      textBlockSchema textDeltaSchema toolCallDeltaSchema toolCallEventSchema toolCallProgressSchema toolMessageSchema toolResultBlockSchema toolResultMetaSchema toolUseBlockSchema transientEventSchema turnEndSchema turnErrorSchema turnEventSchema turnStartSchema
      usageSchema userBlockSchema userMessageSchema"
    `);
  });

  it("@callwire/wire/testing", () => {
    expect(exportsOf("@callwire/wire/testing")).toMatchInlineSnapshot(`
      "EventChecker
      HistoryChecker
      assertEvents assertHistory
      eventLogProblems
      historyProblems
      manualClock
      scriptSchema scriptedModel
      type EventCheckOptions
      type HistoryOptions
      type ManualClock
      type Script ScriptCall ScriptError ScriptProviderCall ScriptRound ScriptStep ScriptedModel ScriptedModelOptions ScriptedRequest"
    `);
  });

  it("@callwire/models/openai-chat", () => {
    expect(exportsOf("@callwire/models/openai-chat")).toMatchInlineSnapshot(`
      "openaiChat
      type ChatClient
      type OpenAIChatOptions"
    `);
  });

  it("@callwire/agent", () => {
    expect(exportsOf("@callwire/agent")).toMatchInlineSnapshot(`
      "AgentCancelledError AgentConfigurationError AgentFailedError AgentInputError AgentTask AgentTimeoutError
      CALLWIRE_ALLOW_UNASKED CALLWIRE_APPROVERS CALLWIRE_CLOCKS CALLWIRE_MODELS CALLWIRE_TOOLS
      DEFAULT_LIMITS
      bindApprover bindClock bindModel bindTool
      defineTool
      fromAgent fromGraph
      onTurnEvent
      runTurn
      streamTurn
      turnEvents
      type AgentTaskInput AgentTaskOutput
      type NamedToolEntry
      type TaskToolEntry TaskTurnEvent ToolDefinition ToolEntry TurnEventListener TurnEventTarget TurnLimits TurnOptions TurnResult TurnStream"
    `);
  });

  it("@callwire/agent/turn", () => {
    expect(exportsOf("@callwire/agent/turn")).toMatchInlineSnapshot(`
      "DEFAULT_LIMITS
      defineTool
      fromAgent
      runTurn
      streamTurn systemClock
      type ToolDefinition TurnLimits TurnOptions TurnResult TurnStream"
    `);
  });

  it("@callwire/cards", () => {
    expect(exportsOf("@callwire/cards")).toMatchInlineSnapshot(`
      "EMPTY_CARDS
      cards countCards
      endCards
      getCard
      isCardEvent
      reduceCards
      type Card CardApproval CardCounts CardProgress CardQuestion CardState CardsState
      type Diagnostic DiagnosticKind"
    `);
  });

  it("@callwire/cards/rx", () => {
    expect(exportsOf("@callwire/cards/rx")).toMatchInlineSnapshot(`"cards$"`);
  });
});

describe("the guide", () => {
  it("says in its first paragraph that cards are drawn from tool-call events, not from messages [T11c]", () => {
    const [, opening] = readFileSync(`${ROOT}/CLAUDE.md`, "utf8").split(/\n{2,}/);
    expect(opening).toMatch(/draw cards from `tool-call` events\. `message` events .*not for drawing/i);
  });
});
