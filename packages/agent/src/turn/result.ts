// The one settle path: whatever ended a call, its result block is built here and the event reads its text off that block.
import {
  type Executed,
  errorMessage,
  type FailReason,
  type ImageBlock,
  isToolOutput,
  type JsonValue,
  type ProviderResult,
  resultText,
  type TextBlock,
  type ToolOutput,
  type ToolResultBlock,
  type ToolResultMeta,
} from "@callwire/wire";
import type { CallRun } from "./call-run.ts";
import { type TurnState, UNSEQUENCED } from "./turn-state.ts";

/** How a call ended, before it is put into words for the model. */
export type Ending =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: FailReason; readonly executed: Executed; readonly text: string };

type MutableMeta = { -readonly [K in keyof ToolResultMeta]: ToolResultMeta[K] };

interface Told {
  readonly text: string;
  readonly images: readonly ImageBlock[];
  readonly output?: JsonValue;
  readonly display?: JsonValue;
}

/** The one clamp: at most `limit` characters, notice included, never half a character. */
export function clamp(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const notice = `… [truncated, ${text.length} chars total]`;
  let keep = Math.max(0, limit - notice.length);
  const last = text.charCodeAt(keep - 1);
  if (keep > 0 && last >= 0xd800 && last <= 0xdbff) keep--;
  return text.slice(0, keep) + notice;
}

/** A tool's return value as text, images and JSON. */
function told(value: unknown): Told {
  if (typeof value === "string") return { text: value, images: [] };
  if (value === undefined) return { text: "", images: [] };
  if (isToolOutput(value)) return toldByOutput(value);
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // Cyclic, BigInt, a throwing toJSON: there is no JSON to tell.
  }
  if (json === undefined) return { text: String(value), images: [] };
  // Parsed anew, so that what the tool does with its object later changes no event.
  return { text: json, images: [], output: JSON.parse(json) as JsonValue };
}

/** Copies, as above; throws for what nobody could read. */
function toldByOutput({ text, images, output, display }: ToolOutput): Told {
  if (typeof text !== "string" || !Array.isArray(images)) throw new TypeError("a tool output has a text and a list of images");
  return { text, images: images.map(imageOf), output: jsonOf(output), display: jsonOf(display) };
}

function imageOf(image: Partial<ImageBlock> | null | undefined): ImageBlock {
  const { type, mediaType, data } = image ?? {};
  if (type === "image" && typeof mediaType === "string" && typeof data === "string") return { type, mediaType, data };
  throw new TypeError("an image of a tool output has type image, a mediaType and base64 data");
}

/** Data beside the text, as JSON has it; what has no JSON is left out. */
function jsonOf(value: unknown): JsonValue | undefined {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(JSON.stringify(value)) as JsonValue;
  } catch {
    return undefined;
  }
}

function toldByProvider(result: ProviderResult | undefined): Told {
  const content = result?.content ?? [];
  const text = content.filter((part): part is TextBlock => part.type === "text").map((part) => part.text);
  const images = content.filter((part): part is ImageBlock => part.type === "image");
  return { text: text.join(""), images, display: result?.display };
}

function metaOf(call: CallRun, ending: Ending, said: Told): ToolResultMeta {
  // The common case as one literal: what is added later costs a store of its own for every call of the history.
  const { round, preparedAt, startedAt, endedAt } = call;
  const timed = preparedAt !== undefined && startedAt !== undefined;
  const meta: MutableMeta = timed ? { round, preparedAt, startedAt, endedAt } : { round, endedAt };
  if (!ending.ok) {
    meta.reason = ending.reason;
    meta.executed = ending.executed;
  }
  if (call.title !== undefined) meta.title = call.title;
  if (call.kind !== undefined) meta.kind = call.kind;
  if (call.locations !== undefined) meta.locations = call.locations;
  if (call.inputProblem !== undefined) meta.inputProblem = call.inputProblem;
  if (!timed && preparedAt !== undefined) meta.preparedAt = preparedAt;
  if (!timed && startedAt !== undefined) meta.startedAt = startedAt;
  if (call.askedAt !== undefined) meta.askedAt = call.askedAt;
  if (said.display !== undefined) meta.display = said.display;
  if (said.output !== undefined) meta.output = said.output;
  return meta;
}

function blockOf(turn: TurnState, call: CallRun, ending: Ending, said: Told): ToolResultBlock {
  const text = clamp(said.text, turn.ports.maxToolResultChars);
  const images = said.images;
  const content = text === "" && images.length > 0 ? images : [{ type: "text" as const, text }, ...images];
  const block = { type: "tool_result" as const, tool_use_id: call.toolCallId, content, meta: metaOf(call, ending, said) };
  return ending.ok ? block : { ...block, is_error: true };
}

/** Ends a call: builds its block, then tells the hosts what that block says. A settled call stays as it is. */
export function settle(turn: TurnState, call: CallRun, ending: Ending): void {
  if (call.stage === "settled") return;
  call.endedAt = turn.now();
  call.block = blockFor(turn, call, ending);
  tell(turn, call, call.block);
}

/** A value that cannot be put into words fails its call: the body ran, and nobody can read what it returned. */
function blockFor(turn: TurnState, call: CallRun, ending: Ending): ToolResultBlock {
  if (!ending.ok) return blockOf(turn, call, ending, { text: ending.text, images: [] });
  try {
    return blockOf(turn, call, ending, told(ending.value));
  } catch (error) {
    const text = `${call.name} failed: its result cannot be read: ${errorMessage(error)}`;
    return blockOf(turn, call, { ok: false, reason: "tool-error", executed: "yes", text }, { text, images: [] });
  }
}

/** As `settle`, for a result that came with the model's answer and already stands in its message. */
export function tell(turn: TurnState, call: CallRun, block: ToolResultBlock): void {
  call.stage = "settled";
  const { toolCallId, name, round, attempt } = call;
  const { turnId } = turn.ports;
  // A provider's result came before the events that announce its call: told now, time does not go back.
  const at = call.model.providerExecuted ? turn.now() : (call.endedAt ?? turn.now());
  const result = resultText(block);
  const { meta } = block;
  if (block.is_error) {
    const reason = meta?.reason ?? "tool-error";
    const executed = meta?.executed ?? "unknown";
    turn.record({
      type: "tool-call",
      seq: UNSEQUENCED,
      status: "failed",
      turnId,
      at,
      toolCallId,
      name,
      round,
      attempt,
      result,
      reason,
      executed,
    });
    return;
  }
  const event = {
    type: "tool-call" as const,
    seq: UNSEQUENCED,
    status: "completed" as const,
    turnId,
    at,
    toolCallId,
    name,
    round,
    attempt,
    result,
  };
  if (meta?.output === undefined && meta?.display === undefined) turn.record(event);
  else {
    turn.record({
      ...event,
      ...(meta.output !== undefined && { output: meta.output }),
      ...(meta.display !== undefined && { display: meta.display }),
    });
  }
}

/** The block of a call that the provider ran; built before its message, told after it. */
export function providerBlock(turn: TurnState, call: CallRun, result: ProviderResult | undefined): ToolResultBlock {
  call.endedAt = turn.now();
  const said = toldByProvider(result);
  if (!result?.isError) return blockOf(turn, call, { ok: true, value: undefined }, said);
  // A failed call has no display: its event could not tell it.
  const { text, images } = said;
  return blockOf(turn, call, { ok: false, reason: "tool-error", executed: "yes", text }, { text, images });
}
