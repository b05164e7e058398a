// The tools and the approver of a random case: every body, gate, schema and answer that a case can name.
import {
  type ApprovalResponse,
  type Approver,
  type StandardSchema,
  type Tool,
  ToolCallError,
  type ToolContext,
  toolOutput,
} from "@callwire/wire";
import * as z from "zod";
import { type Reply, TOOL_NAMES, type ToolSpecCase, type TurnCase } from "./case.ts";

/** What tools and approvers need of the world they run in. */
export interface Backstage {
  step(label: string): Promise<void>;
  /** Notes that something is waited for that never comes by itself. */
  forever(): void;
  abort(): void;
  /** A body begins. */
  bodyStarts(tool: ToolSpecCase, input: unknown, context: ToolContext): void;
}

const never = new Promise<never>(() => undefined);
const SCHEMA = z.object({ n: z.number(), note: z.string() });
const ARGUMENTS = SCHEMA["~standard"];
/** Converted once: thousands of turns make their tools anew. */
const SHAPE: Record<string, unknown> = z.toJSONSchema(SCHEMA);

/** Values that no well-typed tool returns, each in its own way hard to put into words. */
const NONSENSE: readonly (() => unknown)[] = [
  () => {
    const cyclic: Record<string, unknown> = Object.create(null);
    cyclic.self = cyclic;
    return cyclic;
  },
  () => ({ ...toolOutput({}), text: undefined }),
  () => ({ ...toolOutput({ text: "x" }), images: null }),
  () => 10n,
  () => Symbol("s"),
  () => () => 1,
  () => ({ toJSON: () => undefined }),
  () => ({ toJSON: () => thrower("toJSON") }),
  // biome-ignore lint/suspicious/noThenProperty: reading it is the trap
  () => Object.defineProperty({}, "then", { get: () => thrower("then") }),
];

/** Values that no well-meaning tool throws. */
const THROWN: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => "a string",
  () => Object.defineProperty(new Error("x"), "message", { get: () => thrower("message") }),
  () => NONSENSE[0]?.(),
];

function thrower(what: string): never {
  throw new Error(`${what} throws`);
}

function schemaOf(spec: ToolSpecCase, backstage: Backstage): StandardSchema {
  const validate: StandardSchema["~standard"]["validate"] = (value) => {
    if (spec.schema === "json") return ARGUMENTS.validate(value);
    if (spec.schema === "throws") thrower("validate");
    if (spec.schema === "async") return backstage.step("validate").then(() => ARGUMENTS.validate(value));
    backstage.forever();
    return never;
  };
  return { "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: () => SHAPE, output: () => SHAPE } } };
}

/** Deals the odd values one after the other, so that runs of one case are alike. */
interface Turnstile {
  odd: number;
}

async function waiting(spec: ToolSpecCase, context: ToolContext, backstage: Backstage): Promise<unknown> {
  const { signal } = context;
  if (spec.body === "never") return never;
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
  if (spec.body === "heeds") throw signal.reason;
  await backstage.step("late body");
  return "true result";
}

function twice(backstage: Backstage): PromiseLike<unknown> {
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: the point is a promise that is none
    then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
      const again = () => {
        resolve("once");
        resolve("twice");
        reject(new Error("and thrice"));
      };
      backstage.step("thenable").then(again, again);
    },
  };
  return thenable as PromiseLike<unknown>;
}

function body(
  spec: ToolSpecCase,
  context: ToolContext,
  parts: { readonly backstage: Backstage; readonly turnstile: Turnstile },
): unknown {
  const { backstage, turnstile } = parts;
  const odd = <T>(list: readonly (() => T)[]) => list[turnstile.odd++ % list.length]?.();
  if (spec.progress) context.progress({ progress: 1, total: 2, message: "half" });
  switch (spec.body) {
    case "sync":
      return "text";
    case "json":
      return { rows: [1, 2], note: "a longer text that some limits clamp 😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀" };
    case "image":
      return toolOutput({
        text: "",
        images: [{ type: "image", mediaType: "image/png", data: "AA==" }],
        display: { d: 1 },
        output: 5,
      });
    case "throw":
      throw odd(THROWN);
    case "own-words":
      throw new ToolCallError("in its own words");
    case "nonsense":
      return odd(NONSENSE);
    case "async":
      return backstage.step("body").then(() => {
        context.progress({ message: "nearly" });
        return "async text";
      });
    case "reject":
      return backstage.step("body").then(() => {
        throw new TypeError("rejected");
      });
    case "thenable-twice":
      return twice(backstage);
    case "aborts":
      backstage.abort();
      return "aborted the turn";
    default:
      if (spec.timeoutMs === undefined) backstage.forever();
      return waiting(spec, context, backstage);
  }
}

function gateOf(spec: ToolSpecCase): Tool["requiresApproval"] {
  if (spec.gate === "no") return undefined;
  if (spec.gate === "yes") return true;
  if (spec.gate === "throws") return () => thrower("requiresApproval");
  return () => spec.gate === "asks";
}

/** The tools of a case. */
export function scriptTools({ tools, odd }: TurnCase, backstage: Backstage): Tool[] {
  const turnstile: Turnstile = { odd };
  return tools.map((spec, i) => {
    const name = TOOL_NAMES[i] ?? `t${i}`;
    const host = spec.host === "throws" ? () => thrower("host code") : undefined;
    return {
      name,
      description: name,
      input: schemaOf(spec, backstage),
      execute(input, context) {
        backstage.bodyStarts(spec, input, context);
        return body(spec, context, { backstage, turnstile });
      },
      ...(spec.host !== "none" && {
        title: host ?? ((input) => `n is ${String(input.n)}`),
        locations: host ?? (() => [{ path: "a.txt", line: 1 }]),
      }),
      ...(spec.timeoutMs !== undefined && { timeoutMs: spec.timeoutMs }),
      requiresApproval: gateOf(spec),
    } satisfies Tool;
  });
}

function reply(kind: Reply, backstage: Backstage): Promise<ApprovalResponse> {
  const nonsense = (value: unknown) => value as ApprovalResponse;
  const later = (value: ApprovalResponse) => backstage.step("answer").then(() => value);
  switch (kind) {
    case "throw":
      return thrower("ask");
    case "reject":
      return backstage.step("answer").then(() => thrower("asking"));
    case "never":
      backstage.forever();
      return never;
    case "nonsense":
      return later(nonsense({ answer: "maybe" }));
    case "trap":
      return later(Object.defineProperty(nonsense({}), "answer", { get: () => thrower("answer") }));
    case "undefined":
      return later(nonsense(undefined));
    case "sync":
      return { answer: "allow" } as unknown as Promise<ApprovalResponse>;
    case "edited":
      return later({ answer: "allow", input: { n: 5, note: "edited" } });
    case "twice":
      return twiceAnswered(backstage);
    default:
      return later({ answer: kind, by: "someone" });
  }
}

function twiceAnswered(backstage: Backstage): Promise<ApprovalResponse> {
  const thenable = {
    // biome-ignore lint/suspicious/noThenProperty: the point is a promise that is none
    then(resolve: (value: ApprovalResponse) => void, reject: (error: unknown) => void) {
      const again = () => {
        resolve({ answer: "deny" });
        resolve({ answer: "allow" });
        reject(new Error("and thrice"));
      };
      backstage.step("answer").then(again, again);
    },
  };
  return thenable as unknown as Promise<ApprovalResponse>;
}

/** The approver of a case: one reply per question, the last one repeats. */
export function scriptApprover(replies: readonly Reply[], backstage: Backstage): Approver | undefined {
  if (replies.length === 0) return undefined;
  let asked = 0;
  return { ask: () => reply(replies[Math.min(asked++, replies.length - 1)] ?? "deny", backstage) };
}
