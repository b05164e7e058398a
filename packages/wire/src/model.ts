// The port through which a turn calls a model: a push port, so that a call is seen the moment its name is known.

import type { Usage } from "./attempt-event.ts";
import type { CallInput, JsonValue } from "./call.ts";
import type { ImageBlock, Message, ReasoningBlock, TextBlock } from "./message.ts";

/** A JSON Schema (draft 2020-12), as an object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: its root is an object with `properties`. */
  readonly inputSchema: JsonSchema;
  /** The provider runs this tool itself; `options` is in the provider's own words. */
  readonly provider?: { readonly type: string; readonly options?: JsonValue };
}

export interface ModelRequest {
  /** Instructions that stand before the conversation. */
  readonly system?: string;
  /** Read-only and append-only: an adapter neither changes it nor keeps it after `run` has ended. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** 1-based within the turn. */
  readonly round: number;
  /** 1-based within the round. */
  readonly attempt: number;
}

/** Names one call within one answer: a block or list index, or an id where the wire has no index. */
export type CallSlot = string | number;

/** What a provider tells of a call that it runs itself. */
export interface ProviderProgress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

/** Where a model pushes what it hears, as it hears it. Every method is synchronous and never throws. */
export interface ModelSink {
  /** A piece of the answer's text. */
  text(piece: string): void;
  /** A piece of reasoning, or a whole block with its opaque payload. */
  reasoning(piece: string | ReasoningBlock): void;
  /** Id and name of a call are both known: once per slot, before its arguments are complete. */
  call(slot: CallSlot, id: string, name: string): void;
  /** A piece of argument text. Optional for hosts that look at arguments while they stream. */
  fragment?(slot: CallSlot, piece: string): void;
  /** As `call`, for a call that the provider runs; again with `progress` when it reports. */
  providerCall(slot: CallSlot, id: string, name: string, progress?: ProviderProgress): void;
  /** The response began anew: all that was pushed so far does not count. */
  restart(): void;
}

/** Why the argument text or the identity of a call could not be used. */
export interface CallProblem {
  readonly code: "invalid-json" | "not-an-object" | "nameless" | "identity-conflict";
  /** In words that a model can act on; quotes the problem, not the payload. */
  readonly message: string;
}

/** What the provider returned for a call that it ran. */
export interface ProviderResult {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError?: true;
  readonly display?: JsonValue;
}

interface ModelCallBase {
  readonly slot: CallSlot;
  /** The provider's id. Absent: one is minted. */
  readonly id?: string;
  /** Absent only with a problem. */
  readonly name?: string;
  readonly providerExecuted?: true;
  /** For provider-executed calls, where the provider shows it. */
  readonly result?: ProviderResult;
  /** Opaque; replayed to this provider with the call. */
  readonly payload?: JsonValue;
}

/** A complete call: its arguments, or why there are none. */
export type ModelCall = ModelCallBase &
  ({ readonly input: CallInput; readonly problem?: undefined } | { readonly problem: CallProblem; readonly input?: undefined });

export const MODEL_STOPS = ["end", "tool-calls", "length", "refusal", "malformed", "pause"] as const;
/** Why the model stopped. A content filter counts as refusal. */
export type ModelStop = (typeof MODEL_STOPS)[number];

/** How an answer ended. Complete calls exist only here, so nothing can run before the answer ended well. */
export interface ModelEnd {
  readonly stop: ModelStop;
  /** The wire's own word for the stop reason. */
  readonly native?: string;
  /** In the model's order. */
  readonly calls: readonly ModelCall[];
  readonly usage?: Usage;
}

/**
 * A language model.
 *
 * Contract: `run` pushes what it hears and resolves once the answer ended well, or rejects with a `ModelError`.
 * After the end nothing is pushed; a transport error after the end is ignored. It stops soon after `signal` aborts
 * (the turn does not wait for it). `request.messages` is read-only and not kept. The caller catches whatever is thrown.
 */
export interface Model {
  /** As hosts show it, for example `gpt-4o`. */
  readonly name: string;
  run(request: ModelRequest, sink: ModelSink, options: { readonly signal: AbortSignal }): Promise<ModelEnd>;
}
