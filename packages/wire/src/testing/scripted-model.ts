// A model that plays a script through the model port, and refuses bad requests as a real provider would.
import { CallwireError, ModelError } from "../errors.ts";
import type { Clock } from "../journal.ts";
import type { Model, ModelEnd, ModelRequest, ModelSink } from "../model.ts";
import { historyProblems } from "./history-validator.ts";
import type { Script, ScriptError, ScriptStep } from "./script.ts";
import { ScriptedAnswer } from "./scripted-answer.ts";

export interface ScriptedModelOptions {
  /** Needed when the script waits. */
  readonly clock?: Clock;
  /** Default `scripted`. */
  readonly name?: string;
  /** Refuse requests whose conversation is not sound, as a provider answers 400. Default true. */
  readonly validate?: boolean;
}

/** What is remembered of a request: facts, not the transcript. */
export interface ScriptedRequest {
  readonly round: number;
  readonly attempt: number;
  readonly system: boolean;
  /** Number of messages. */
  readonly messages: number;
  readonly lastRole: "system" | "user" | "assistant" | "tool" | undefined;
  /** Names. */
  readonly tools: readonly string[];
}

export interface ScriptedModel extends Model {
  /** The requests so far, refused ones included. */
  readonly requests: readonly ScriptedRequest[];
  /** Answers that nobody has asked for yet. */
  readonly remaining: number;
}

/**
 * A model that answers the n-th request with the script's n-th answer. Steps that need no wait are pushed synchronously.
 *
 * @throws CallwireError INVALID_OPTIONS when the script waits and there is no clock
 */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const answers = script.flatMap((round) => ("attempts" in round ? round.attempts : [round]));
  if (options.clock === undefined && answers.some((steps) => steps.some((step) => "wait" in step))) {
    throw new CallwireError("INVALID_OPTIONS", "The script has a `wait` step: give scriptedModel a `clock`.");
  }
  return new Player(answers, options);
}

/** Microtasks between the end of an answer and what comes late. */
const LATE_HOPS = 4;

class Player implements ScriptedModel {
  readonly name: string;
  readonly requests: ScriptedRequest[] = [];
  readonly #answers: readonly (readonly ScriptStep[])[];
  readonly #clock: Clock | undefined;
  readonly #validate: boolean;
  #next = 0;

  constructor(answers: readonly (readonly ScriptStep[])[], options: ScriptedModelOptions) {
    this.name = options.name ?? "scripted";
    this.#answers = answers;
    this.#clock = options.clock;
    this.#validate = options.validate ?? true;
  }

  get remaining(): number {
    return this.#answers.length - this.#next;
  }

  // `options.signal` is read only where a step waits: a turn may make it on demand.
  async run(request: ModelRequest, sink: ModelSink, options: { readonly signal: AbortSignal }): Promise<ModelEnd> {
    this.requests.push(factsOf(request));
    if (this.#validate) refuseUnsound(request);
    const steps = this.#answers[this.#next];
    if (steps === undefined) throw exhausted(this.#answers.length);
    this.#next++;
    const answer = new ScriptedAnswer(sink);
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i] as ScriptStep;
      if ("stop" in step) {
        this.#playLate(answer, steps.slice(i + 1), options);
        return answer.end(step);
      }
      if (!answer.push(step)) await this.#pass(step, options);
    }
    return answer.end();
  }

  /** Steps that take time or break the answer. */
  async #pass(step: ScriptStep, options: { readonly signal: AbortSignal }): Promise<void> {
    if ("error" in step) throw errorOf(step.error);
    const { signal } = options;
    if ("wait" in step) await this.#clock?.sleep(step.wait, signal);
    else if ("hang" in step) await aborted(signal);
    if (signal.aborted) {
      throw new ModelError("TURN_CANCELLED", "The request was aborted.", { retryable: false, cause: signal.reason });
    }
  }

  /** What a careless provider sends after its end. Nobody waits for it. */
  #playLate(answer: ScriptedAnswer, steps: readonly ScriptStep[], options: { readonly signal: AbortSignal }): void {
    if (steps.length === 0) return;
    const play = async () => {
      // Behind the caller's own `then`, which is queued only once `run` has returned.
      for (let hop = 0; hop < LATE_HOPS; hop++) await undefined;
      for (const step of steps) if (!("stop" in step) && !answer.push(step)) await this.#pass(step, options);
    };
    play().catch(() => undefined);
  }
}

function factsOf({ round, attempt, system, messages, tools }: ModelRequest): ScriptedRequest {
  const lastRole = messages[messages.length - 1]?.role;
  return {
    round,
    attempt,
    system: system !== undefined,
    messages: messages.length,
    lastRole,
    tools: tools.map(({ name }) => name),
  };
}

function refuseUnsound({ messages, tools }: ModelRequest): void {
  const problems = historyProblems(messages, { request: true });
  if (messages.length === 0) problems.push("at least one message is required");
  if (new Set(tools.map(({ name }) => name)).size < tools.length) problems.push("tool names must be unique");
  if (problems.length > 0) {
    throw new ModelError("MODEL_REQUEST", `400 invalid request: ${problems.join("; ")}`, { retryable: false, status: 400 });
  }
}

function exhausted(answers: number): ModelError {
  const message = `The script has ${answers} answers and this is request ${answers + 1}: add an answer to the script.`;
  return new ModelError("MODEL_FAILED", message, { retryable: false });
}

function errorOf(error: ScriptError): Error {
  const { code = "MODEL_SERVER", message = "The scripted answer breaks here.", plain, retryable = false, ...details } = error;
  return plain === true ? new Error(message) : new ModelError(code, message, { ...details, retryable });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
