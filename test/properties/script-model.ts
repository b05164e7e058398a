// Plays the answers of a random case through the model port, with or without early identity.
import {
  type CallInput,
  type Message,
  type Model,
  type ModelCall,
  type ModelEnd,
  ModelError,
  type ModelRequest,
  type ModelSink,
} from "@callwire/wire";
import { historyProblems } from "@callwire/wire/testing";
import type { Answer, CallSpec, Push } from "./case.ts";
import { ARGUMENT_MARK } from "./check.ts";

export interface ScriptModelOptions {
  readonly answers: readonly Answer[];
  /** False: calls come only with the end value. */
  readonly early: boolean;
  /** It neither stops nor rejects when its signal aborts. */
  readonly deaf: boolean;
  /** Waits for the scheduler. */
  readonly step: (label: string) => Promise<void>;
  /** Notes that something is waited for that never comes by itself. */
  readonly forever: () => void;
  readonly problem: (what: string) => void;
}

const INPUTS = {
  good: { n: 1, note: ARGUMENT_MARK },
  other: { n: 2, note: ARGUMENT_MARK },
  invalid: { n: "one", note: ARGUMENT_MARK },
  array: [ARGUMENT_MARK],
} as const;

function inputOf(spec: CallSpec): CallInput {
  const text =
    spec.input === "proto"
      ? `{"n":1,"__proto__":{"polluted":true},"note":"${ARGUMENT_MARK}"}`
      : JSON.stringify(INPUTS[spec.input]);
  return JSON.parse(text) as CallInput;
}

function resultOf(spec: CallSpec): Pick<ModelCall, "providerExecuted" | "result"> {
  if (spec.provider === "no") return {};
  const content = [
    { type: "text" as const, text: "seen by " },
    { type: "text" as const, text: "the provider" },
  ];
  if (spec.provider === "unseen") return { providerExecuted: true };
  return { providerExecuted: true, result: spec.provider === "failed" ? { content, isError: true } : { content } };
}

function modelCall(spec: CallSpec, slot: number): ModelCall {
  const name = spec.problem === "nameless" || spec.name === "" ? undefined : spec.name;
  const base = { slot, ...(spec.id !== undefined && { id: spec.id }), ...(name !== undefined && { name }), ...resultOf(spec) };
  if (spec.problem === "none") return { ...base, input: inputOf(spec) };
  return { ...base, problem: { code: spec.problem, message: `the call has a problem: ${spec.problem}` } };
}

/** What the answer's end says; `undefined` for an answer that never ends well. */
export function endOf(answer: Answer): ModelEnd | undefined {
  const { end } = answer;
  const usage = { inputTokens: 3, outputTokens: 1 };
  if (end !== "end" && end !== "tool-calls" && end !== "length" && end !== "refusal" && end !== "malformed" && end !== "pause")
    return undefined;
  return { stop: end, native: end, calls: answer.calls.map((spec, slot) => modelCall(spec, answer.sameSlot ? 0 : slot)), usage };
}

/** Plays the answers one after the other; after the last it says "done". */
export class ScriptModel implements Model {
  readonly name = "script";
  readonly requests: (readonly Message[])[] = [];
  readonly #options: ScriptModelOptions;

  constructor(options: ScriptModelOptions) {
    this.#options = options;
  }

  run(request: ModelRequest, sink: ModelSink, { signal }: { readonly signal: AbortSignal }): Promise<ModelEnd> {
    const { answers, problem } = this.#options;
    const answer = answers[this.requests.length];
    this.requests.push([...request.messages]);
    for (const what of historyProblems(request.messages, { request: true })) problem(`request ${this.requests.length}: ${what}`);
    if (answer === undefined) {
      sink.text("done");
      return Promise.resolve({ stop: "end", calls: [] });
    }
    if (answer.end === "throw-sync") throw new TypeError("the model is broken");
    return this.#play(answer, sink, signal);
  }

  async #play(answer: Answer, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    for (let i = 0; i <= answer.pushes.length; i++) {
      this.#identities(answer, sink, i);
      const push = answer.pushes[i];
      if (push?.do === "wait") {
        await this.#options.step("model");
        if (signal.aborted && !this.#options.deaf) throw signal.reason;
      } else if (push !== undefined) this.#push(push, answer, sink);
    }
    if (answer.late && answer.end !== "hang") this.#late(sink);
    return this.#end(answer, signal);
  }

  #identities(answer: Answer, sink: ModelSink, at: number): void {
    if (!this.#options.early) return;
    if (at === 0) for (let i = 0; i < answer.ghosts; i++) sink.call(`ghost-${i}`, `ghost-${i}`, "t0");
    answer.calls.forEach((spec, slot) => {
      const due = spec.early === at || (at === answer.pushes.length && spec.early > at);
      if (!due || !spec.id || spec.name === "") return;
      const where = answer.sameSlot ? 0 : slot;
      if (spec.provider === "no") sink.call(where, spec.id, spec.name);
      else sink.providerCall(where, spec.id, spec.name);
    });
  }

  #push(push: Push, answer: Answer, sink: ModelSink): void {
    if (push.do === "text") sink.text(push.text);
    else if (push.do === "restart") sink.restart();
    else if (push.do === "reasoning") {
      sink.reasoning(push.block ? { type: "reasoning", text: push.text, payload: { sig: push.text } } : push.text);
    } else if (push.do === "fragment" && this.#options.early) sink.fragment?.(push.slot, `{"note":"${ARGUMENT_MARK}"`);
    else if (push.do === "progress" && this.#options.early && !answer.sameSlot) {
      const spec = answer.calls[push.slot];
      if (spec?.id && spec.name !== "" && spec.provider !== "no")
        sink.providerCall(push.slot, spec.id, spec.name, { message: "searching" });
    }
  }

  async #end(answer: Answer, signal: AbortSignal): Promise<ModelEnd> {
    const end = endOf(answer);
    if (end !== undefined) return end;
    const usage = { inputTokens: 2 };
    if (answer.end === "retryable") throw new ModelError("MODEL_OVERLOADED", "try later", { retryable: true, usage });
    if (answer.end === "permanent") throw new ModelError("MODEL_AUTH", "bad key", { retryable: false });
    if (answer.end === "throw-plain") throw new Error("socket hang up");
    if (answer.end === "nonsense") return "no end" as unknown as ModelEnd;
    this.#options.forever();
    return new Promise((_resolve, reject) => {
      if (!this.#options.deaf) signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  /** What an unruly adapter does after its end. */
  #late(sink: ModelSink): void {
    this.#options.step("late push").then(
      () => {
        sink.text("LATE");
        sink.call("late", "late", "t0");
        sink.restart();
      },
      () => undefined,
    );
  }
}
