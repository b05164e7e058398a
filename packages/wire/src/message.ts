// The conversation: what the model reads and writes, and the facts that a card needs beyond the result's text.
import type { CallInput, CallLocation, Executed, FailReason, JsonValue } from "./call.ts";

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

export interface ImageBlock {
  readonly type: "image";
  /** For example `image/png`. */
  readonly mediaType: string;
  /** Base64, without a `data:` prefix. */
  readonly data: string;
}

export interface ReasoningBlock {
  readonly type: "reasoning";
  readonly text: string;
  /** Opaque; replayed to the provider that sent it, byte for byte. */
  readonly payload?: JsonValue;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  /** The assigned `toolCallId`. */
  readonly id: string;
  readonly name: string;
  readonly input: CallInput;
  readonly providerExecuted?: true;
  /** Opaque; replayed to the provider that sent it. */
  readonly payload?: JsonValue;
}

/** Facts for cards that stand beside the text; no request to a provider carries them. Times are ms since the epoch. */
export interface ToolResultMeta {
  readonly round?: number;
  /** Absent for completed calls. */
  readonly reason?: FailReason;
  /** Absent for completed calls. */
  readonly executed?: Executed;
  readonly title?: string;
  readonly kind?: string;
  readonly locations?: readonly CallLocation[];
  readonly inputProblem?: string;
  /** Only when a person edited the arguments. */
  readonly input?: CallInput;
  readonly preparedAt?: number;
  /** When a person was asked. */
  readonly askedAt?: number;
  /** When the body began. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly display?: JsonValue;
  readonly output?: JsonValue;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly is_error?: true;
  readonly meta?: ToolResultMeta;
}

/** What a user or a system message may hold, apart from a plain string. */
export type UserBlock = TextBlock | ImageBlock;
export type AssistantBlock = TextBlock | ReasoningBlock | ToolUseBlock | ToolResultBlock;
export type ContentBlock = UserBlock | AssistantBlock;

export interface SystemMessage {
  readonly id: string;
  readonly role: "system";
  readonly content: string | readonly TextBlock[];
}

export interface UserMessage {
  readonly id: string;
  readonly role: "user";
  readonly content: string | readonly UserBlock[];
}

export interface AssistantMessage {
  readonly id: string;
  readonly role: "assistant";
  /** A `tool_result` stands here only after a `tool_use` that the provider ran. */
  readonly content: readonly AssistantBlock[];
  /** Text that was kept of an answer that did not come to its end. */
  readonly partial?: true;
}

export interface ToolMessage {
  readonly id: string;
  readonly role: "tool";
  /** One result per call of the assistant message before it, in the model's order. */
  readonly content: readonly ToolResultBlock[];
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The text of a result as the model reads it: its text blocks joined without separator. */
export function resultText(block: ToolResultBlock): string {
  const { content } = block;
  const first = content[0];
  if (content.length === 1 && first?.type === "text") return first.text;
  let text = "";
  for (const part of content) if (part.type === "text") text += part.text;
  return text;
}
