// AgentTask: the shell that makes a turn a task of Workglow's graphs. The only file that emits on `stream_chunk`.
import type { Approver, Clock, Ids, Message, Model, StopReason, TurnEvent, Usage, UserBlock } from "@callwire/wire";
import {
  Entitlements,
  edgeNeedsAccumulation,
  type IExecuteContext,
  mergeEntitlements,
  type StreamEvent,
  Task,
  type TaskConfig,
  type TaskEntitlements,
  type TaskEventParameters,
  type TaskEvents,
  type TaskGraphItemJson,
  type TaskGraphJsonOptions,
  TaskInvalidInputError,
  type TaskInput,
  type TaskOutput,
  TaskStatus,
} from "@workglow/task-graph";
import { getLogger, globalServiceRegistry } from "@workglow/util";
import type { DataPortSchema } from "@workglow/util/schema";
import { INPUT_SCHEMA, OUTPUT_SCHEMA } from "./agent-schemas.ts";
import { resolveTools, taskClassesOf, type ToolEntry, toolsToJson } from "./agent-tools.ts";
import { boundName, CALLWIRE_ALLOW_UNASKED, CALLWIRE_APPROVERS, CALLWIRE_CLOCKS, CALLWIRE_MODELS, lookUp, resolvePort } from "./bindings.ts";
import { AgentCancelledError, AgentConfigurationError, AgentFailedError, AgentInputError } from "./errors.ts";
import type { TaskToolHost } from "./task-tool.ts";
import { runTurn, type TurnLimits, type TurnOptions, type TurnResult } from "./turn/index.ts";
import { tellFamily } from "./turn-events.ts";
import { ensureWithResolvers } from "./with-resolvers.ts";

ensureWithResolvers();

/** The input ports. Names stand for what the host bound in Workglow's registry. */
export interface AgentTaskInput extends TurnLimits, TaskInput {
  readonly prompt: string | readonly UserBlock[];
  /** Default: an empty conversation. Not changed. */
  readonly messages?: readonly Message[];
  readonly system?: string;
  readonly model: Model | string;
  readonly tools?: readonly ToolEntry[];
  /** Default `beyond-inference`: task tools that reach past running a model are put to a person. */
  readonly approval?: "beyond-inference" | "never";
  readonly onDenied?: "continue" | "stop-round";
  /** Default `auto`: live, but settled where a streaming dataflow edge carries the text on. */
  readonly liveText?: "auto" | "settled" | "live";
  readonly argumentDeltas?: boolean;
  /** Default: the approver bound as `default`; without one, calls that need approval fail `no-approver`. */
  readonly approver?: Approver | string;
  readonly clock?: Clock | string;
  readonly ids?: Ids;
}

/** The output ports: the members of `TurnResult` but `error`, for which the task throws. */
export interface AgentTaskOutput extends TaskOutput {
  readonly text: string;
  readonly messages: readonly Message[];
  readonly rounds: number;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/**
 * An agent turn as a task. Its events come on `stream_chunk` (read them with `onTurnEvent`); its output is settled.
 * Throws `AgentFailedError` for a turn that ended `error`, `AgentCancelledError` for a cancelled one; both carry `.turn`.
 */
export class AgentTask extends Task<AgentTaskInput, AgentTaskOutput, TaskConfig<AgentTaskInput>> {
  static override type = "CallwireAgentTask";
  static override category = "AI";
  static override title = "Agent";
  static override description = "Calls a model, runs the tools it asks for, and feeds the results back until it answers";
  static override cacheable = false;
  static override hasDynamicEntitlements = true;
  #active = false;
  /** The runner was told that what is streamed is what counts downstream. */
  #passThrough = false;
  #guarded: unknown;

  static override inputSchema(): DataPortSchema {
    return INPUT_SCHEMA;
  }

  static override outputSchema(): DataPortSchema {
    return OUTPUT_SCHEMA;
  }

  static override entitlements(): TaskEntitlements {
    return { entitlements: [{ id: Entitlements.AI_INFERENCE, reason: "Calls a model" }] };
  }

  /** The agent's own reach and that of the task types among its tools. */
  override entitlements(): TaskEntitlements {
    const entries = (this.runInputData.tools ?? this.defaults.tools ?? []) as readonly ToolEntry[];
    const registry = this.runConfig.registry ?? globalServiceRegistry;
    return taskClassesOf(entries, registry).reduce((all, task) => mergeEntitlements(all, task.entitlements()), AgentTask.entitlements());
  }

  /** A turn is never replayed from a cache, whatever a configuration says. */
  override get cacheable(): boolean {
    return false;
  }

  /** Refuses a second run while one is on: 0.2.37 checks the status only until the first chunk. */
  override get runner(): Task<AgentTaskInput, AgentTaskOutput, TaskConfig<AgentTaskInput>>["runner"] {
    const runner = super.runner;
    if (this.#guarded === runner) return runner;
    this.#guarded = runner;
    const run = runner.run.bind(runner);
    runner.run = async (overrides, config) => {
      if (this.#active) throw new AgentConfigurationError("ALREADY_RUNNING", "This agent task is running; run a second one for a second turn.");
      this.#active = true;
      this.#passThrough = config?.shouldAccumulate === false;
      try {
        return await run(overrides, config);
      } finally {
        this.#active = false;
      }
    };
    return runner;
  }

  /** A subscriber that throws is reported and changes no outcome (0.2.37 fails the run). */
  override emit<Event extends TaskEvents>(name: Event, ...args: TaskEventParameters<Event>): void {
    try {
      this.events.emit(name, ...args);
    } catch (error) {
      this.#report(error, `subscriber of ${name}`);
    }
  }

  override async validateInput(input: AgentTaskInput): Promise<boolean> {
    try {
      return await super.validateInput(input);
    } catch (error) {
      if (error instanceof TaskInvalidInputError) throw new AgentInputError(error.message, error);
      throw error;
    }
  }

  async *executeStream(input: AgentTaskInput, context: IExecuteContext): AsyncIterable<StreamEvent<AgentTaskOutput>> {
    let options: TurnOptions;
    try {
      options = this.#options(input, context);
    } catch (error) {
      this.emit("stream_end", this.runOutputData);
      throw error;
    }
    const turn = await runTurn(options);
    const { text, messages, rounds, stopReason, usage } = turn;
    const output = { text, messages, rounds, stopReason, usage };
    this.runOutputData = output;
    if (stopReason === "error" || stopReason === "cancelled") throw this.#ended(turn, context);
    yield { type: "finish", data: output };
    // An abort from inside the finish chunk: Workglow would throw without closing the streaming edges.
    if (context.signal.aborted) throw this.#ended({ ...turn, stopReason: "cancelled" }, context);
  }

  /** Graph documents hold names: function tools, models and ports that are objects here are bound again at restore. */
  override toJSON(options?: TaskGraphJsonOptions): TaskGraphItemJson {
    const json = super.toJSON(options);
    const { model, tools, approver, clock, ids: _ids, ...rest } = this.defaults as Partial<AgentTaskInput>;
    const registry = this.runConfig.registry ?? globalServiceRegistry;
    const name = <T extends object>(value: T | string | undefined, find: (value: T) => string | undefined) =>
      typeof value === "object" ? find(value) : value;
    const portable = {
      ...rest,
      model: name(model, (given) => boundName(CALLWIRE_MODELS, given, registry) ?? given.name),
      tools: toolsToJson(tools ?? []),
      approver: name(approver, (given) => boundName(CALLWIRE_APPROVERS, given, registry)),
      clock: name(clock, (given) => boundName(CALLWIRE_CLOCKS, given, registry)),
    };
    const defaults = Object.fromEntries(Object.entries(portable).filter(([, value]) => value !== undefined));
    return { ...json, defaults: defaults as TaskInput };
  }

  #options(input: AgentTaskInput, context: IExecuteContext): TurnOptions {
    const { registry, signal } = context;
    const model = resolvePort(input.model, { token: CALLWIRE_MODELS, code: "MODEL_NOT_BOUND", bind: "bindModel(name, model)" }, registry);
    const approver = input.approver ?? lookUp(CALLWIRE_APPROVERS, "default", registry);
    const { prompt, messages, system, maxRounds, maxToolResultChars, maxHistoryChars, graceMs, onDenied, argumentDeltas, ids } = input;
    return {
      model: model as Model,
      prompt,
      messages,
      system,
      tools: resolveTools(input.tools ?? [], registry, this.#toolHost(input, context)),
      approver: resolvePort(approver, { token: CALLWIRE_APPROVERS, code: "APPROVER_NOT_BOUND", bind: "bindApprover(name, approver)" }, registry),
      clock: resolvePort(input.clock, { token: CALLWIRE_CLOCKS, code: "INVALID_OPTIONS", bind: "bindClock(name, clock)" }, registry),
      ids,
      maxRounds,
      maxToolResultChars,
      maxHistoryChars,
      graceMs,
      onDenied,
      argumentDeltas,
      liveText: this.#liveText(input),
      signal,
      emit: (event) => this.#chunk(event),
      onError: (error, where) => this.#report(error, where),
    };
  }

  #toolHost(input: AgentTaskInput, context: IExecuteContext): TaskToolHost {
    const { registry } = context;
    const allowed = registry.has(CALLWIRE_ALLOW_UNASKED) && registry.get(CALLWIRE_ALLOW_UNASKED);
    return {
      own: (task) => {
        context.own(task);
      },
      release: (task) => {
        this.subGraph.removeTask(task.id);
      },
      unasked: input.approval === "never" && allowed,
    };
  }

  /** Text that leaves on a streaming edge cannot be withdrawn: it is held until its attempt is accepted. */
  #liveText(input: AgentTaskInput): "live" | "settled" {
    if (input.liveText === "live" || input.liveText === "settled") return input.liveText;
    if (this.#passThrough) return "settled";
    const edges = this.parentGraph?.getTargetDataflows(this.id) ?? [];
    const streams = edges.some((edge) => {
      const target = this.parentGraph?.getTask(edge.targetTaskId);
      if (target === undefined || edge.sourceTaskPortId !== "text") return false;
      return !edgeNeedsAccumulation(OUTPUT_SCHEMA, "text", target.inputSchema(), edge.targetTaskPortId);
    });
    return streams ? "settled" : "live";
  }

  /** Emits a turn event as a stream chunk: not yielded, so that it never accumulates into a port. */
  #chunk(event: TurnEvent): void {
    // Workglow's runner flips the status at the first yielded delta; nothing is yielded here, so the shell does it.
    if (event.type === "text-delta" && this.status === TaskStatus.PROCESSING) {
      this.status = TaskStatus.STREAMING;
      this.emit("status", this.status);
    }
    try {
      // The released union does not know turn events; its type is the only reason for this cast.
      this.events.emit("stream_chunk", event as unknown as StreamEvent);
    } catch (error) {
      this.#report(error, "subscriber of stream_chunk");
    }
    tellFamily(this, event);
  }

  /** Closes the streaming edges before the throw, else the released Workglow leaves them open and the graph hangs. */
  #ended(turn: TurnResult, context: IExecuteContext): Error {
    this.emit("stream_end", this.runOutputData);
    const error = turn.stopReason === "cancelled" ? new AgentCancelledError(turn, context.signal.reason) : new AgentFailedError(turn);
    return error as unknown as Error;
  }

  #report(error: unknown, where: string): void {
    getLogger().warn(`${this.type} ${String(this.id)}: ${where} threw`, { error });
  }
}
