// A log that keeps the contract and uses most of it, and the tools to break one rule of it at a time.
import type { DurableEvent, Message, ToolResultBlock, TransientEvent, TurnEvent } from "@callwire/wire";
import { type EventCheckOptions, eventLogProblems } from "@callwire/wire/testing";

type Loose<E> = E extends unknown ? Omit<E, "turnId" | "at" | "seq"> & { readonly turnId?: string; readonly at?: number } : never;
/** An event before the turn gave it its id, time and number. */
export type Step = Loose<DurableEvent> | Loose<TransientEvent>;

const TRANSIENT_STATUSES = ["preparing", "discarded"];
const TRANSIENT_TYPES = [
  "tool-call-progress",
  "tool-call-delta",
  "text-delta",
  "reasoning-delta",
  "attempt-discarded",
  "live-state",
];

function isTransient(step: Step): boolean {
  return step.type === "tool-call" ? TRANSIENT_STATUSES.includes(step.status) : TRANSIENT_TYPES.includes(step.type);
}

/** Gives steps their turn id, a time each (10, 20, 30 ...) and, where durable, their seq. */
export function toLog(steps: readonly Step[], firstSeq = 1): TurnEvent[] {
  let seq = firstSeq;
  return steps.map((step, i) => {
    const event = { turnId: "t1", at: (i + 1) * 10, ...step };
    return (isTransient(step) ? event : { seq: seq++, ...event }) as TurnEvent;
  });
}

/** What the checker says of these steps. */
export function problemsOf(steps: readonly Step[], options?: EventCheckOptions): readonly string[] {
  return eventLogProblems(toLog(steps), options);
}

interface CallFacts {
  readonly name: string;
  readonly round: number;
  readonly attempt: number;
  readonly parentToolCallId?: string;
}

/** The steps of one call. */
export function callSteps(toolCallId: string, facts: CallFacts) {
  const common = { type: "tool-call" as const, toolCallId, ...facts };
  return {
    preparing: { ...common, status: "preparing" } as const,
    discarded: (reason: "retry" | "unresolved" | "truncated" | "cancelled" | "coalesced" | "stream-error") =>
      ({ ...common, status: "discarded", reason }) as const,
    pending: (input: { readonly [key: string]: unknown }, more: object = {}) =>
      ({ ...common, status: "pending", input, ...more }) as const,
    running: { ...common, status: "running" } as const,
    completed: (result: string, more: object = {}) => ({ ...common, status: "completed", result, ...more }) as const,
    failed: (
      result: string,
      reason: "tool-error" | "unknown-tool" | "denied" | "interrupted" | "timeout",
      executed: "no" | "yes" | "unknown",
    ) => ({ ...common, status: "failed", result, reason, executed }) as const,
  };
}

/** A result block of one text. */
export function resultOf(id: string, text: string, more: Partial<ToolResultBlock> = {}): ToolResultBlock {
  return { type: "tool_result", tool_use_id: id, content: [{ type: "text", text }], ...more };
}

const old = callSteps("x", { name: "read", round: 1, attempt: 1 });
const read = callSteps("b", { name: "read", round: 1, attempt: 2 });
const web = callSteps("w", { name: "web", round: 1, attempt: 2 });
const write = callSteps("g", { name: "write", round: 1, attempt: 2 });
const unknown = callSteps("u", { name: "nope", round: 1, attempt: 2 });
const orphan = callSteps("o", { name: "orphan", round: 1, attempt: 2 });
const paused = callSteps("p", { name: "web", round: 2, attempt: 1 });
export const CALLS = { old, read, web, write, unknown, orphan, paused };

export const MESSAGES: readonly Message[] = [
  { id: "m0", role: "user", content: "go" },
  {
    id: "m1",
    role: "assistant",
    content: [
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Look: " },
      { type: "tool_use", id: "b", name: "read", input: { path: "a" } },
      { type: "tool_use", id: "w", name: "web", input: { q: "x" }, providerExecuted: true },
      resultOf("w", "found"),
      { type: "tool_use", id: "g", name: "write", input: {} },
      { type: "tool_use", id: "u", name: "nope", input: {} },
    ],
  },
  {
    id: "m2",
    role: "tool",
    content: [
      resultOf("b", "42", {
        meta: { round: 1, title: "Reads a", preparedAt: 80, startedAt: 230, endedAt: 250, output: { n: 42 } },
      }),
      resultOf("g", "boom", {
        is_error: true,
        meta: { round: 1, reason: "tool-error", executed: "yes", preparedAt: 110, askedAt: 220 },
      }),
      resultOf("u", "Unknown tool.", { is_error: true, meta: { round: 1, reason: "unknown-tool", executed: "no" } }),
    ],
  },
  { id: "m3", role: "assistant", content: [{ type: "tool_use", id: "p", name: "web", input: {}, providerExecuted: true }] },
  { id: "m4", role: "assistant", content: [resultOf("p", "late"), { type: "text", text: "Done." }] },
];

function message(i: number): Step {
  return { type: "message", message: MESSAGES[i] as Message };
}
const place = { round: 1, attempt: 2 };
const approval = { approvalId: "q1", toolCallId: "g" };

/** Named, so that a test says which event it breaks. */
const NAMED = {
  start: { type: "turn-start", v: 1, prompt: "m0", model: "m" },
  prompt: message(0),
  "old text": { type: "text-delta", port: "text", textDelta: "Let", round: 1, attempt: 1 },
  "old preparing": old.preparing,
  "old discarded": old.discarded("retry"),
  withdrawn: { type: "attempt-discarded", round: 1, attempt: 1, reason: "retry" },
  reasoning: { type: "reasoning-delta", textDelta: "hm", ...place },
  "read preparing": read.preparing,
  text: { type: "text-delta", port: "text", textDelta: "Look: ", ...place },
  "web preparing": web.preparing,
  "write preparing": write.preparing,
  "web progress": { type: "tool-call-progress", toolCallId: "w", message: "searching" },
  fragment: { type: "tool-call-delta", toolCallId: "b", fragment: "{" },
  "orphan preparing": orphan.preparing,
  "orphan discarded": orphan.discarded("unresolved"),
  "usage 1": {
    type: "round-usage",
    round: 1,
    usage: { inputTokens: 5 },
    attempts: [
      { n: 1, ms: 1, prepared: ["read"], reason: "retry" },
      { n: 2, ms: 2, prepared: ["read", "web", "write", "orphan"] },
    ],
  },
  answer: message(1),
  "read pending": read.pending({ path: "a" }, { preparedAt: 80, title: "Reads a" }),
  "web pending": web.pending({ q: "x" }, { preparedAt: 100, providerExecuted: true }),
  "write pending": write.pending({}, { preparedAt: 110, needsApproval: true }),
  "unknown pending": unknown.pending({}),
  "web running": web.running,
  "web completed": web.completed("found"),
  "write running": write.running,
  asked: { type: "approval-requested", ...approval, name: "write", input: {} },
  "read running": read.running,
  "read progress": { type: "tool-call-progress", toolCallId: "b", progress: 1 },
  "read completed": read.completed("42", { output: { n: 42 } }),
  answered: { type: "approval-answered", ...approval, answer: "allow" },
  "write failed": write.failed("boom", "tool-error", "yes"),
  "unknown running": unknown.running,
  "unknown failed": unknown.failed("Unknown tool.", "unknown-tool", "no"),
  results: message(2),
  "paused preparing": paused.preparing,
  "usage 2": { type: "round-usage", round: 2, usage: {}, attempts: [{ n: 1, ms: 1, prepared: ["web"] }] },
  "paused answer": message(3),
  "paused pending": paused.pending({}, { preparedAt: 340, providerExecuted: true }),
  "paused running": paused.running,
  "last text": { type: "text-delta", port: "text", textDelta: "Done.", round: 3, attempt: 1 },
  "usage 3": {
    type: "round-usage",
    round: 3,
    usage: { inputTokens: 2, outputTokens: 1 },
    attempts: [{ n: 1, ms: 1, prepared: [] }],
  },
  "last answer": message(4),
  "paused completed": paused.completed("late"),
  end: { type: "turn-end", stopReason: "answered", usage: { inputTokens: 7, outputTokens: 1 } },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof NAMED;

/** The good log, with its times fixed so that a change of order does not change them. */
export class Story {
  readonly #steps: { readonly name: string; readonly step: Step }[];

  constructor() {
    this.#steps = Object.entries(NAMED).map(([name, step], i) => ({ name, step: { at: (i + 1) * 10, ...step } as Step }));
  }

  get steps(): readonly Step[] {
    return this.#steps.map(({ step }) => step);
  }

  /** The steps up to and including the named one. */
  upTo(name: StepName): readonly Step[] {
    return this.steps.slice(0, this.#at(name) + 1);
  }

  without(...names: readonly StepName[]): this {
    for (const name of names) this.#steps.splice(this.#at(name), 1);
    return this;
  }

  /** Moves one event right before another; it takes over that event's time. */
  move(name: StepName, before: StepName): this {
    const [moved] = this.#steps.splice(this.#at(name), 1);
    const at = this.#at(before);
    this.#steps.splice(at, 0, { name, step: { ...moved?.step, at: this.#steps[at]?.step.at } as Step });
    return this;
  }

  insert(before: StepName, ...steps: readonly Step[]): this {
    const at = this.#at(before);
    const time = this.#steps[at]?.step.at;
    this.#steps.splice(at, 0, ...steps.map((step) => ({ name: "", step: { at: time, ...step } as Step })));
    return this;
  }

  change(name: StepName, members: object): this {
    const at = this.#at(name);
    this.#steps[at] = { name, step: { ...this.#steps[at]?.step, ...members } as Step };
    return this;
  }

  #at(name: StepName): number {
    return this.#steps.findIndex((entry) => entry.name === name);
  }
}
