// What a turn is asked to do: its options, their defaults, and the checks that name what is wrong with them.
import {
  type Approver,
  CallwireError,
  type Clock,
  type Ids,
  type Message,
  type Model,
  type StopReason,
  type Tool,
  type TurnError,
  type TurnEvent,
  type Usage,
  type UserBlock,
} from "@callwire/wire";
import { isSignal } from "./cancel.ts";
import { pairingProblem } from "./limits.ts";

/** Limits of a turn. */
export interface TurnLimits {
  /** Model answers per turn, at least 1. Default 8. */
  readonly maxRounds?: number;
  /** Characters of one result's text, its notice included. Default 20,000. */
  readonly maxToolResultChars?: number;
  /** Characters of history per request; whole turns are left out from the front. Default 120,000. */
  readonly maxHistoryChars?: number;
  /** Milliseconds in which started bodies may finish after an abort or their timeout; 0 = none. Default 2,000. */
  readonly graceMs?: number;
}

/** What `runTurn` takes. */
export interface TurnOptions extends TurnLimits {
  readonly model: Model;
  readonly prompt: string | readonly UserBlock[];
  /** The conversation so far; not changed. Default none. */
  readonly messages?: readonly Message[];
  /** Instructions that stand before the conversation; not part of `messages`. */
  readonly system?: string;
  readonly tools?: readonly Tool[];
  /** Asked for calls that need approval. Without one such calls fail `no-approver`. */
  readonly approver?: Approver;
  /** After a denial: `continue` with the round's other calls, or `stop-round` (they are skipped). Default `continue`. */
  readonly onDenied?: "continue" | "stop-round";
  /** `live`: text is emitted as it comes and may be withdrawn; `settled`: when its attempt is accepted. Default `live`. */
  readonly liveText?: "live" | "settled";
  /** Emit `tool-call-delta` with argument text while it streams. Default false. */
  readonly argumentDeltas?: boolean;
  /** Ends the turn from outside. */
  readonly signal?: AbortSignal;
  /** Receives every event, synchronously and in order. What it throws is reported and changes nothing. */
  readonly emit?: (event: TurnEvent) => void;
  /** Hears what subscribers, titles and other host code threw. Default: nobody. */
  readonly onError?: (error: unknown, where: string) => void;
  readonly turnId?: string;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** How a turn ended. `runTurn` resolves to it for every outcome and never rejects. */
export interface TurnResult {
  /** The text of all rounds, concatenated. */
  readonly text: string;
  /** The conversation after the turn: every call has exactly one result. */
  readonly messages: readonly Message[];
  /** Accepted model answers. */
  readonly rounds: number;
  readonly stopReason: StopReason;
  readonly usage: Usage;
  /** Present exactly when `stopReason` is `error`. */
  readonly error?: TurnError & { readonly cause?: unknown };
}

export const DEFAULT_LIMITS = { maxRounds: 8, maxToolResultChars: 20_000, maxHistoryChars: 120_000, graceMs: 2_000 } as const;

function wholeNumber(options: TurnOptions, name: keyof TurnLimits, least: number): void {
  const value = options[name];
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  const right = `${name} is a whole number of at least ${least} (default ${DEFAULT_LIMITS[name]})`;
  throw new CallwireError("INVALID_OPTIONS", `${name} is ${String(value)}; ${right}.`);
}

/** True for what may be appended as a user message. */
export function isPrompt(prompt: unknown): prompt is string | readonly UserBlock[] {
  return typeof prompt === "string" || (Array.isArray(prompt) && prompt.length > 0 && prompt.every(isBlock));
}

/** Blocks of other kinds pass: an adapter may know them. */
function isBlock(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const block = value as { readonly [key: string]: unknown };
  const text = (key: string) => typeof block[key] === "string";
  switch (block.type) {
    case "text":
    case "reasoning":
      return text("text");
    case "image":
      return text("data") && text("mediaType");
    case "tool_use":
      return text("id") && text("name") && typeof block.input === "object" && block.input !== null;
    case "tool_result":
      return text("tool_use_id") && Array.isArray(block.content) && block.content.every(isBlock);
    default:
      return text("type");
  }
}

function isMessage(value: unknown): boolean {
  const message = value as Partial<Message> | null | undefined;
  if (typeof message !== "object" || message === null || typeof message.id !== "string" || !ROLES.has(message.role)) return false;
  if (typeof message.content === "string") return message.role === "user" || message.role === "system";
  return Array.isArray(message.content) && message.content.every(isBlock);
}

/** Throws a coded error that names the first wrong option and what would be right. */
export function checkOptions(options: TurnOptions): void {
  const { model } = options;
  if (typeof model !== "object" || model === null || typeof model.run !== "function") {
    throw new CallwireError("INVALID_OPTIONS", "No model: `model` is an object with a `name` and a `run` function.");
  }
  if (!isPrompt(options.prompt)) {
    throw new CallwireError("INVALID_OPTIONS", "No prompt: `prompt` is a string or a list of text and image blocks.");
  }
  wholeNumber(options, "maxRounds", 1);
  wholeNumber(options, "maxToolResultChars", 1);
  wholeNumber(options, "maxHistoryChars", 1);
  wholeNumber(options, "graceMs", 0);
  if (options.tools !== undefined && !Array.isArray(options.tools)) {
    throw new CallwireError("INVALID_OPTIONS", "`tools` is no list: it is a list of tools, for example made with `defineTool`.");
  }
  if (options.signal !== undefined && !isSignal(options.signal)) {
    throw new CallwireError("INVALID_OPTIONS", "`signal` is no AbortSignal.");
  }
  checkHistory(options.messages ?? []);
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function checkHistory(messages: readonly Message[]): void {
  const broken = Array.isArray(messages) ? messages.findIndex((message) => !isMessage(message)) : 0;
  if (broken >= 0) {
    const right = "a message has an `id`, a `role` (system, user, assistant, tool) and a `content` of text or blocks";
    throw new CallwireError("INVALID_HISTORY", `\`messages[${broken}]\` is not a message: ${right}.`);
  }
  const problem = pairingProblem(messages);
  if (problem === undefined) return;
  throw new CallwireError(
    "INVALID_HISTORY",
    `\`messages\` holds ${problem}. Each tool_use needs one tool_result, right after it.`,
  );
}
