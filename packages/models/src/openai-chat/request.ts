// A conversation as a Chat Completions request.
import type {
  AssistantMessage,
  ImageBlock,
  JsonValue,
  Message,
  ModelRequest,
  SystemMessage,
  ToolResultBlock,
  ToolSpec,
  ToolUseBlock,
  UserBlock,
} from "@callwire/wire";
import { resultText } from "@callwire/wire";
import { isObject } from "../arguments.ts";
import type { Vendor } from "./vendors.ts";

type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: JsonValue;
}

/** A message as the wire has it. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly Part[] }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly WireCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** What shapes a request beside the conversation. */
export interface RequestOptions {
  /** As the server names it, for example `gpt-4o`. */
  readonly model: string;
  /** Limit of the answer in tokens, reasoning included. Default: the server's. */
  readonly maxTokens?: number;
  /** On the server's scale. Default: the server's. */
  readonly temperature?: number;
  /**
   * Further parameters in the wire's own words, for example `{ parallel_tool_calls: false }`. They win over what is made here;
   * one that is undefined takes a parameter out (`{ stream_options: undefined }` for a server that refuses it).
   */
  readonly body?: { readonly [key: string]: unknown };
}

/** The body of the request. */
export function chatRequest(request: ModelRequest, options: RequestOptions, vendor: Vendor): { readonly [key: string]: unknown } {
  const body: { [key: string]: unknown } = {
    model: options.model,
    messages: chatMessages(request.system, request.messages),
    stream: true,
    stream_options: { include_usage: true },
  };
  if (request.tools.length > 0) body.tools = request.tools.map(chatTool);
  if (options.maxTokens !== undefined) body[vendor.maxTokens] = options.maxTokens;
  if (options.temperature !== undefined) body.temperature = options.temperature;
  return { ...body, ...options.body };
}

function chatTool({ name, description, inputSchema, provider }: ToolSpec): { readonly [key: string]: unknown } {
  if (provider !== undefined) return { type: provider.type, ...(isObject(provider.options) ? provider.options : {}) };
  return { type: "function", function: { name, description, parameters: inputSchema } };
}

/**
 * The messages of the request. Results stand right behind their calls, in the order of the calls, whatever stood between them;
 * images of results follow in a user message, since tool messages hold text only. Neighbours of one role are merged where the
 * wire's stricter dialects want the roles to alternate. Reasoning, results without a call and calls that another provider ran
 * itself are left out.
 */
export function chatMessages(system: string | undefined, messages: readonly Message[]): ChatMessage[] {
  const out: ChatMessage[] = [];
  if (system !== undefined && system !== "") out.push({ role: "system", content: system });
  messages.forEach((message, at) => {
    // Tool messages are taken by the assistant message before them.
    if (message.role === "system") pushSystem(out, message);
    else if (message.role === "user") pushUser(out, userParts(message.content));
    else if (message.role === "assistant") pushAssistant(out, message, messages, at);
  });
  return out;
}

function pushSystem(out: ChatMessage[], { content }: SystemMessage): void {
  const text = typeof content === "string" ? content : content.map((block) => block.text).join("\n\n");
  const last = out[out.length - 1];
  if (text === "") return;
  if (last?.role === "system") out[out.length - 1] = { role: "system", content: `${last.content}\n\n${text}` };
  else out.push({ role: "system", content: text });
}

function userParts(content: string | readonly UserBlock[]): readonly Part[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((block) => (block.type === "text" ? { type: "text", text: block.text } : imagePart(block)));
}

function imagePart({ mediaType, data }: ImageBlock): Part {
  return { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } };
}

function pushUser(out: ChatMessage[], parts: readonly Part[]): void {
  const last = out[out.length - 1];
  if (last?.role !== "user") out.push({ role: "user", content: userContent(parts) });
  else {
    const before: readonly Part[] = typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
    out[out.length - 1] = { role: "user", content: userContent([...before, ...parts]) };
  }
}

/** A plain string where there is only text: not every server takes lists. Empty texts are refused by some. */
function userContent(parts: readonly Part[]): string | readonly Part[] {
  const full = parts.filter((part) => part.type !== "text" || part.text !== "");
  if (full.some((part) => part.type !== "text")) return full;
  return full.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
}

function pushAssistant(out: ChatMessage[], message: AssistantMessage, messages: readonly Message[], at: number): void {
  let text = "";
  const calls: ToolUseBlock[] = [];
  for (const block of message.content) {
    if (block.type === "text") text += block.text;
    else if (block.type === "tool_use" && !block.providerExecuted) calls.push(block);
  }
  if (calls.length > 0) {
    out.push({ role: "assistant", content: text === "" ? null : text, tool_calls: calls.map(wireCall) });
    pushResults(out, calls, resultsAfter(messages, at));
    return;
  }
  if (text === "") return;
  const last = out[out.length - 1];
  if (last?.role !== "assistant" || last.tool_calls !== undefined) out.push({ role: "assistant", content: text });
  else out[out.length - 1] = { role: "assistant", content: `${last.content ?? ""}${text}` };
}

function wireCall({ id, name, input, payload }: ToolUseBlock): WireCall {
  // A history from elsewhere may hold a string here; the wire's next answer to that would be a refusal, for ever.
  const args = JSON.stringify(isObject(input) ? input : {});
  const call: WireCall = { id, type: "function", function: { name, arguments: args } };
  return isObject(payload) && isObject(payload.extra_content)
    ? { ...call, extra_content: payload.extra_content as JsonValue }
    : call;
}

/** The results between the assistant message at `at` and the next one, by the id of their call. */
function resultsAfter(messages: readonly Message[], at: number): ReadonlyMap<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (let i = at + 1; i < messages.length; i++) {
    const message = messages[i];
    if (message === undefined || message.role === "assistant") break;
    if (message.role === "tool") for (const block of message.content) results.set(block.tool_use_id, block);
  }
  return results;
}

function pushResults(out: ChatMessage[], calls: readonly ToolUseBlock[], results: ReadonlyMap<string, ToolResultBlock>): void {
  const pictures: Part[] = [];
  for (const { id, name } of calls) {
    const result = results.get(id);
    if (result === undefined) continue;
    const images = result.content.filter((part) => part.type === "image");
    out.push({ role: "tool", tool_call_id: id, content: toolText(resultText(result), images.length) });
    if (images.length > 0) pictures.push({ type: "text", text: `Returned by ${name} (${id}):` }, ...images.map(imagePart));
  }
  if (pictures.length > 0) pushUser(out, pictures);
}

function toolText(text: string, images: number): string {
  if (images === 0) return text;
  const note = images === 1 ? "[1 image, shown in the next message]" : `[${images} images, shown in the next message]`;
  return text === "" ? note : `${text}\n${note}`;
}
