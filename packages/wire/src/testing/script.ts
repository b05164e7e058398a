// The language of scripted answers: JSON that says, step by step, what a model streams.
import * as z from "zod";
import type { Usage } from "../attempt-event.ts";
import type { JsonValue } from "../call.ts";
import { ERROR_CODES, type ErrorCode } from "../errors.ts";
import type { ReasoningBlock } from "../message.ts";
import {
  type CallProblem,
  type CallSlot,
  MODEL_STOPS,
  type ModelStop,
  type ProviderProgress,
  type ProviderResult,
} from "../model.ts";
import { callProblemSchema, providerProgressSchema, providerResultSchema } from "../schemas/ports.ts";
import { jsonValueSchema, reasoningBlockSchema, usageSchema } from "../schemas/vocabulary.ts";

interface ScriptCallBase {
  /** Default: its place among the calls of the answer, 0-based. */
  readonly slot?: CallSlot;
  /** The parsed arguments; also streamed as their JSON text. */
  readonly args?: { readonly [key: string]: JsonValue };
  /** The argument text as the model wrote it; parsed strictly. Instead of `args`. Neither: no arguments, that is `{}`. */
  readonly argsText?: string;
  /** Show the call before its arguments are complete. Default true (needs an id and a name). */
  readonly early?: boolean;
  readonly payload?: JsonValue;
}

/** A call that the model asks for. */
export interface ScriptCall extends ScriptCallBase {
  /** Absent: the call appears only at the end of the answer, without an id. */
  readonly id?: string;
  /** Absent: a nameless call. */
  readonly name?: string;
  /** Characters per piece of argument text. Default: all in one. */
  readonly fragment?: number;
  /** Ends with this problem, whatever its arguments. */
  readonly problem?: CallProblem;
}

/** A call that the model's provider runs itself. */
export interface ScriptProviderCall extends ScriptCallBase {
  readonly id: string;
  readonly name: string;
  /** A text, or the whole result. Absent: none yet (with stop `pause`), or none shown. */
  readonly result?: string | ProviderResult;
}

/** How an answer breaks. */
export interface ScriptError {
  /** Default MODEL_SERVER. */
  readonly code?: ErrorCode;
  readonly message?: string;
  /** Default false. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  readonly status?: number;
  readonly usage?: Usage;
  /** Throw a plain `Error`, as a careless adapter does. */
  readonly plain?: boolean;
}

/** One thing that happens while an answer streams. */
export type ScriptStep =
  | { readonly text: string }
  | { readonly reasoning: string | ReasoningBlock }
  | { readonly call: ScriptCall }
  | { readonly providerCall: ScriptProviderCall }
  /** A report of a provider call of this answer or of one that an earlier answer left open. */
  | { readonly providerProgress: ProviderProgress & { readonly id: string } }
  /** Milliseconds on the given clock. */
  | { readonly wait: number }
  /** The response begins anew: what was pushed so far does not count. */
  | { readonly restart: true }
  | { readonly error: ScriptError }
  /** Nothing more, until the request is aborted. */
  | { readonly hang: true }
  /** Ends the answer. Without it, it ends by itself: `tool-calls` if there are calls, else `end`. Steps after it come too late. */
  | { readonly stop: ModelStop; readonly native?: string; readonly usage?: Usage };

/** The answer of one round: its steps, or the steps of each attempt at it. */
export type ScriptRound = readonly ScriptStep[] | { readonly attempts: readonly (readonly ScriptStep[])[] };

/** Answers in the order of the requests. JSON. */
export type Script = readonly ScriptRound[];

const callBase = {
  slot: z.union([z.string(), z.number()]).optional(),
  args: z.record(z.string(), jsonValueSchema).optional(),
  argsText: z.string().optional(),
  early: z.boolean().optional(),
  payload: jsonValueSchema.optional(),
};

const callSchema = z.strictObject({
  ...callBase,
  id: z.string().optional(),
  name: z.string().optional(),
  fragment: z.int().positive().optional(),
  problem: callProblemSchema.optional(),
});

const providerCallSchema = z.strictObject({
  ...callBase,
  id: z.string().min(1),
  name: z.string().min(1),
  result: z.union([z.string(), providerResultSchema]).optional(),
});

const errorSchema = z.strictObject({
  code: z.enum(ERROR_CODES).optional(),
  message: z.string().optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().nonnegative().optional(),
  status: z.int().optional(),
  usage: usageSchema.optional(),
  plain: z.boolean().optional(),
});

const stepSchema = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ reasoning: z.union([z.string(), reasoningBlockSchema]) }),
  z.strictObject({ call: callSchema }),
  z.strictObject({ providerCall: providerCallSchema }),
  z.strictObject({ providerProgress: providerProgressSchema.extend({ id: z.string().min(1) }) }),
  z.strictObject({ wait: z.number().nonnegative() }),
  z.strictObject({ restart: z.literal(true) }),
  z.strictObject({ error: errorSchema }),
  z.strictObject({ hang: z.literal(true) }),
  z.strictObject({ stop: z.enum(MODEL_STOPS), native: z.string().optional(), usage: usageSchema.optional() }),
]);

/** Checks a script that comes from a file. Unknown members are refused: in a hand-written script they are typing errors. */
export const scriptSchema = z.array(
  z.union([z.array(stepSchema), z.strictObject({ attempts: z.array(z.array(stepSchema)).min(1) })]),
);
