// A turn's log with everything taken out that early identity may change: previews, renamed ids, facts for pictures.
import { type AssistantBlock, isToolCall, type Message, type TurnEvent } from "@callwire/wire";
import type { Played } from "./play.ts";

/** What must be the same with and without early identity (contract T6). */
export function comparable(played: Played): unknown {
  const names = new Map<string, string>();
  for (const event of played.events.filter(isToolCall)) {
    if (event.status === "pending") names.set(event.toolCallId, `#${names.size}`);
  }
  const events = played.events.filter((event) => stays(event, names)).map((event) => rename(withoutPictures(event), names));
  return { events, result: rename({ ...played.result, messages: played.result?.messages.map(withoutPlaces) }, names) };
}

function stays(event: TurnEvent, announced: ReadonlyMap<string, string>): boolean {
  if (event.type === "tool-call") return event.status !== "preparing" && event.status !== "discarded";
  // The provider's reports exist only for calls whose identity is known.
  if (event.type === "tool-call-progress") return event.message !== "searching" && announced.has(event.toolCallId);
  return event.type !== "tool-call-delta";
}

function withoutPictures(event: TurnEvent): object {
  if (event.type === "round-usage") return { ...event, attempts: undefined };
  if (event.type === "message") return { ...event, message: withoutPlaces(event.message) };
  return event;
}

/**
 * Where a call stands among the texts of its message is known only with early identity: without it calls stand at the end.
 * So the comparison is of the texts, the reasoning and the calls, each in their order.
 */
function withoutPlaces(message: Message): Message {
  if (message.role !== "assistant") return message;
  const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const thoughts = message.content.map((block) => (block.type === "reasoning" ? block.text : "")).join("");
  const calls = message.content.filter(
    (block): block is AssistantBlock => block.type === "tool_use" || block.type === "tool_result",
  );
  return { ...message, content: [{ type: "reasoning", text: thoughts }, { type: "text", text }, ...calls] };
}

const IDS: ReadonlySet<string> = new Set(["toolCallId", "tool_use_id", "id"]);

function rename(value: object, names: ReadonlyMap<string, string>): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => {
      if (key === "preparedAt") return undefined;
      return IDS.has(key) && typeof item === "string" ? (names.get(item) ?? item) : item;
    }),
  );
}
