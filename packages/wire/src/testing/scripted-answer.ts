// One answer of a scripted model: pushes its steps on the sink and gathers the end value.
import type { CallSlot, ModelCall, ModelEnd, ModelSink, ProviderResult } from "../model.ts";
import { parseArguments } from "./parse-arguments.ts";
import type { ScriptCall, ScriptProviderCall, ScriptStep } from "./script.ts";

type StopStep = Extract<ScriptStep, { readonly stop: unknown }>;

/** Plays what needs no time. */
export class ScriptedAnswer {
  readonly #sink: ModelSink;
  #calls: ModelCall[] = [];

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  /** False for a step that takes time, breaks the answer or ends it: nothing was done. */
  push(step: ScriptStep): boolean {
    if ("text" in step) this.#sink.text(step.text);
    else if ("reasoning" in step) this.#sink.reasoning(step.reasoning);
    else if ("call" in step) this.#call(step.call);
    else if ("providerCall" in step) this.#providerCall(step.providerCall);
    else if ("providerProgress" in step) this.#progress(step.providerProgress);
    else if ("restart" in step) this.#restart();
    else return false;
    return true;
  }

  end(step?: StopStep): ModelEnd {
    const calls = this.#calls;
    const end = {
      stop: step?.stop ?? (calls.some((call) => !call.providerExecuted) ? ("tool-calls" as const) : ("end" as const)),
      calls: [...calls],
    };
    return {
      ...end,
      ...(step?.native !== undefined && { native: step.native }),
      ...(step?.usage !== undefined && { usage: step.usage }),
    };
  }

  #call(call: ScriptCall): void {
    const slot = call.slot ?? this.#calls.length;
    const { id, name, problem, payload } = call;
    const text = call.argsText ?? (call.args === undefined ? "" : JSON.stringify(call.args));
    if (id !== undefined && name !== undefined && call.early !== false) {
      this.#sink.call(slot, id, name);
      this.#fragments(slot, text, call.fragment ?? text.length);
    }
    const parsed = problem !== undefined ? { problem } : parseArguments(text);
    this.#calls.push({ slot, ...parsed, ...defined({ id, name, payload }) });
  }

  #fragments(slot: CallSlot, text: string, size: number): void {
    if (this.#sink.fragment === undefined) return;
    for (let at = 0; at < text.length; at += size) this.#sink.fragment(slot, text.slice(at, at + size));
  }

  #providerCall(call: ScriptProviderCall): void {
    const slot = call.slot ?? this.#calls.length;
    const { id, name, payload } = call;
    if (call.early !== false) this.#sink.providerCall(slot, id, name);
    const parsed = parseArguments(call.argsText ?? JSON.stringify(call.args ?? {}));
    const result = typeof call.result === "string" ? textResult(call.result) : call.result;
    this.#calls.push({ slot, id, name, ...parsed, providerExecuted: true, ...defined({ payload, result }) });
  }

  #progress({ id, ...progress }: Extract<ScriptStep, { readonly providerProgress: unknown }>["providerProgress"]): void {
    const call = this.#calls.find((other) => other.id === id);
    this.#sink.providerCall(call?.slot ?? `progress-${id}`, id, call?.name ?? "", progress);
  }

  #restart(): void {
    this.#calls = [];
    this.#sink.restart();
  }
}

function textResult(text: string): ProviderResult {
  return { content: [{ type: "text", text }] };
}

function defined<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>;
}
