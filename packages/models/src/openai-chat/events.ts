// One Chat Completions answer: parsed events in, pushes on the sink at once, and one ModelEnd when it ended well.
import type { JsonValue, ModelEnd, ModelSink, ModelStop, Usage } from "@callwire/wire";
import { isObject, parserProblem } from "../arguments.ts";
import { CallTracker } from "../call-tracker.ts";
import type { Endpoint } from "../http-errors.ts";
import type { EventConsumer } from "../sse.ts";
import { cutStream, reportedError, type StreamPlace, unreadableEvent } from "../stream-errors.ts";
import { graver, isFailure, isGrave, stopOf } from "./stop.ts";
import { readUsage } from "./usage.ts";

type Json = { readonly [key: string]: unknown };

/** Some servers keep a connection alive with events of their own instead of comments. */
const KEEP_ALIVE: ReadonlySet<string> = new Set(["ping", "heartbeat", "keepalive", "keep-alive"]);

/** Consumes the events of one answer. Throws a ModelError at the event that fails it. */
export class ChatAnswer implements EventConsumer {
  done = false;
  readonly #sink: ModelSink;
  readonly #endpoint: Endpoint;
  readonly #calls: CallTracker;
  #count = 0;
  #stop: ModelStop | undefined;
  #native: string | undefined;
  #usage: Usage | undefined;
  #said = false;
  #refused = false;

  constructor(sink: ModelSink, endpoint: Endpoint) {
    this.#sink = sink;
    this.#endpoint = endpoint;
    this.#calls = new CallTracker(sink);
  }

  /** How many events came. */
  get events(): number {
    return this.#count;
  }

  /**
   * True once the answer is complete: a `finish_reason` or `[DONE]` was seen. What some gateways still send after a
   * `finish_reason` (usage, errors, the rest of the text) counts; nothing counts after `[DONE]`.
   */
  get complete(): boolean {
    return this.done || this.#native !== undefined;
  }

  event(data: string, type: string | undefined, last: boolean): void {
    const chunk = this.#parse(data, type, last);
    if (chunk !== undefined) this.#chunk(chunk, type);
    this.#count++;
  }

  /** The end value. Throws MODEL_STREAM_CUT (with `cause`) when the answer is not complete. */
  end(cause?: unknown): ModelEnd {
    if (!this.complete) throw cutStream(this.#place, cause);
    const named = this.#stop === "tool-calls";
    const calls = this.#calls.calls(named);
    const end: { stop: ModelStop; native?: string; calls: ModelEnd["calls"]; usage?: Usage } = { stop: this.#finalStop(), calls };
    if (this.#native !== undefined) end.native = this.#native;
    if (this.#usage !== undefined) end.usage = this.#usage;
    return end;
  }

  #finalStop(): ModelStop {
    if (this.#refused) return "refusal";
    const any = this.#calls.size > 0;
    // Calls are announced but none came, and nothing else: that is no answer, though it looks like an empty one.
    if (this.#stop === "tool-calls" && !any && !this.#said) return "malformed";
    return this.#stop ?? (any ? "tool-calls" : "end");
  }

  get #place(): StreamPlace {
    return { endpoint: this.#endpoint, event: this.#count, usage: this.#usage };
  }

  #parse(data: string, type: string | undefined, last: boolean): Json | undefined {
    // The norm needs no trimmed copy.
    const text = data.startsWith("{") ? data : data.trim();
    if (text === "[DONE]") {
      this.done = true;
      return undefined;
    }
    if (text === "" || text === "null" || (type !== undefined && KEEP_ALIVE.has(type))) return undefined;
    let reason = "it is not a JSON object";
    try {
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return value;
    } catch (error) {
      reason = `it is not JSON: ${parserProblem(error)}`;
    }
    if (type === "error") throw reportedError(text, this.#place);
    if (this.complete) return undefined;
    throw last ? cutStream(this.#place) : unreadableEvent(reason, this.#place);
  }

  #chunk(chunk: Json, type: string | undefined): void {
    const usage = chunk.usage ?? (isObject(chunk.x_groq) ? chunk.x_groq.usage : undefined);
    if (usage !== undefined && usage !== null) this.#usage = readUsage(usage) ?? this.#usage;
    const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
    const error = errorIn(chunk) ?? (isObject(choice) ? errorIn(choice) : undefined);
    if (error !== undefined) throw reportedError(error, this.#place);
    if (type === "error" || chunk.object === "error") throw reportedError(chunk, this.#place);
    if (!isObject(choice)) return;
    if (isObject(choice.usage)) this.#usage = readUsage(choice.usage) ?? this.#usage;
    const delta = choice.delta ?? choice.message;
    if (isObject(delta)) this.#delta(delta);
    this.#finish(choice.finish_reason, choice.native_finish_reason);
  }

  #delta(delta: Json): void {
    const reasoning = delta.reasoning_content || delta.reasoning || delta.reasoning_text;
    if (typeof reasoning === "string") this.#sink.reasoning(reasoning);
    const { content, refusal } = delta;
    if (typeof content === "string") this.#text(content);
    else if (Array.isArray(content)) this.#parts(content);
    if (typeof refusal === "string" && refusal !== "") {
      this.#refused = true;
      this.#text(refusal);
    }
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) if (isObject(call)) this.#call(call);
    if (isObject(delta.function_call)) this.#legacyCall(delta.function_call);
  }

  #text(text: string): void {
    if (text === "") return;
    this.#said = true;
    this.#sink.text(text);
  }

  /** Mistral sends a list of parts once a model reasons. */
  #parts(parts: readonly unknown[]): void {
    for (const part of parts) {
      if (!isObject(part)) continue;
      if (part.type === "text" && typeof part.text === "string") this.#text(part.text);
      if (part.type !== "thinking" || !Array.isArray(part.thinking)) continue;
      for (const thought of part.thinking) {
        if (isObject(thought) && typeof thought.text === "string" && thought.text !== "") this.#sink.reasoning(thought.text);
      }
    }
  }

  #call(call: Json): void {
    const free = isObject(call.custom);
    const body = free ? call.custom : call.function;
    const { name, arguments: args, input } = isObject(body) ? body : NOTHING;
    const index = typeof call.index === "number" ? call.index : undefined;
    const slot = this.#calls.add(index, this.#word(call.id, "id"), this.#word(name, "name"), free ? input : args);
    if (free) this.#calls.markFreeText(slot);
    // A proxy of Gemini wants its thought signature back with the call.
    if (isObject(call.extra_content)) this.#calls.setPayload(slot, { extra_content: call.extra_content as JsonValue });
  }

  /** The deprecated form of a single call: it has no id. */
  #legacyCall({ name, arguments: args }: Json): void {
    this.#calls.add("function_call", undefined, this.#word(name, "name"), args);
  }

  #word(value: unknown, field: string): string | undefined {
    if (typeof value === "string") return value;
    if (value === undefined || value === null) return undefined;
    throw unreadableEvent(`the ${field} of a tool call is a ${typeof value}`, this.#place);
  }

  #finish(reason: unknown, native: unknown): void {
    if (typeof native === "string") {
      const stop = stopOf(native);
      // The only trace of a cut that the gateway calls `tool_calls`.
      if (isGrave(stop)) this.#stop = graver(this.#stop, stop);
    }
    if (typeof reason !== "string" || reason === "") return;
    if (isFailure(reason)) throw reportedError(`finish_reason is ${reason}`, this.#place);
    const before = this.#stop;
    this.#stop = graver(before, stopOf(reason) ?? "end");
    if (this.#native === undefined || this.#stop !== before) this.#native = reason;
  }
}

const NOTHING: Json = {};

/** A chunk may carry `error: null` or an empty one. */
function errorIn(holder: Json): unknown {
  const { error } = holder;
  if (!error || (isObject(error) && Object.keys(error).length === 0)) return undefined;
  return error;
}
