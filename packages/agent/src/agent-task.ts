// AgentTask: the shell that makes a turn a task of Workglow's graphs. The only file that emits on `stream_chunk`.
import type { TurnEvent } from "@callwire/wire";
import {
  Entitlements,
  type IExecuteContext,
  type IRunConfig,
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
  TaskStatus,
} from "@workglow/task-graph";
import { getLogger, globalServiceRegistry, type ServiceRegistry } from "@workglow/util";
import type { DataPortSchema } from "@workglow/util/schema";
import { portOptions, taskToolHost, textLeavesStreaming } from "./agent-options.ts";
import {
  type AgentTaskInput,
  type AgentTaskOutput,
  outlineOf,
  partPorts,
  portableDefaults,
  requirePorts,
} from "./agent-ports.ts";
import { AgentRun, outputOf, quietProgress } from "./agent-run.ts";
import { INPUT_SCHEMA, OUTPUT_SCHEMA } from "./agent-schemas.ts";
import { type ToolEntry, taskClassesOf } from "./agent-tools.ts";
import { AgentConfigurationError, AgentFailedError, AgentInputError } from "./errors.ts";
import { ensureGroupsEndStreams } from "./group-streams.ts";
import { runTurn, type TurnOptions } from "./turn/index.ts";
import { tellFamily, withFamily } from "./turn-events.ts";
import { ensureWithResolvers } from "./with-resolvers.ts";

ensureWithResolvers();
ensureGroupsEndStreams();

const MAX_MESSAGE = 500;

type AgentConfig = TaskConfig<AgentTaskInput>;
type AgentRunner = Task<AgentTaskInput, AgentTaskOutput, AgentConfig>["runner"];

/**
 * An agent turn as a task. Its events come on `stream_chunk` (read them with `onTurnEvent`); its output is settled.
 * Throws `AgentFailedError` for a turn that ended `error`, `AgentCancelledError` (`AgentTimeoutError` for the task's own
 * timeout) for a cancelled one; these carry `.turn`.
 */
export class AgentTask extends Task<AgentTaskInput, AgentTaskOutput, AgentConfig> {
  static override type = "CallwireAgentTask";
  static override category = "AI";
  static override title = "Agent";
  static override description = "Calls a model, runs the tools it asks for, and feeds the results back until it answers";
  static override cacheable = false;
  static override hasDynamicEntitlements = true;
  #run: AgentRun | undefined;
  #guarded: AgentRunner | undefined;
  readonly #familyTrouble = (error: unknown) => this.#report(error, "listener of turn events");

  static override inputSchema(): DataPortSchema {
    return INPUT_SCHEMA;
  }

  static override outputSchema(): DataPortSchema {
    return OUTPUT_SCHEMA;
  }

  static override entitlements(): TaskEntitlements {
    return { entitlements: [{ id: Entitlements.AI_INFERENCE, reason: "Calls a model" }] };
  }

  constructor(config: Partial<AgentConfig> = {}, runConfig: Partial<IRunConfig> = {}) {
    const { data, host } = partPorts(config.defaults ?? {});
    super({ ...config, defaults: data }, withFamily(runConfig));
    Object.assign(this.defaults, host);
    this.resetInputData();
  }

  override setDefaults(defaults: Partial<AgentTaskInput>): void {
    const { data, host } = partPorts(defaults);
    super.setDefaults(data);
    Object.assign(this.defaults, host);
  }

  override resetInputData(): void {
    const { defaults } = this;
    const { data, host } = partPorts(defaults);
    this.defaults = data;
    try {
      super.resetInputData();
    } finally {
      this.defaults = defaults;
    }
    Object.assign(this.runInputData, host);
  }

  /** The agent's own reach and that of the task types among its tools. */
  override entitlements(): TaskEntitlements {
    const given = this.runInputData.tools as readonly ToolEntry[] | undefined;
    const entries: unknown = given !== undefined && given.length > 0 ? given : this.defaults.tools;
    const classes = taskClassesOf(entries, this.#registry(globalServiceRegistry));
    return classes.reduce((all, task) => mergeEntitlements(all, task.entitlements()), super.entitlements());
  }

  /** A turn is never replayed from a cache, whatever a configuration says. */
  override get cacheable(): boolean {
    return false;
  }

  /** The runner with a guard around each run, whoever starts it: `run()`, a graph or a workflow. */
  override get runner(): AgentRunner {
    const runner = super.runner;
    if (this.#guarded === runner) return runner;
    this.#guarded = runner;
    const run = runner.run.bind(runner);
    runner.run = (overrides, config = {}) => this.#guard(config, (guarded) => run(overrides, guarded));
    return runner;
  }

  override abort(): void {
    if (this.#run !== undefined) this.#run.aborted = true;
    super.abort();
  }

  /** A subscriber that throws is reported and changes no outcome (0.2.37 fails the run). */
  override emit<Event extends TaskEvents>(name: Event, ...args: TaskEventParameters<Event>): void {
    if (name === "stream_start" || name === "stream_end") this.#run?.noteStream(name === "stream_start");
    try {
      this.events.emit(name, ...args);
    } catch (error) {
      this.#report(error, `subscriber of ${name}`);
    }
  }

  override async validateInput(input: AgentTaskInput): Promise<boolean> {
    requirePorts(input);
    try {
      return await super.validateInput(outlineOf(input));
    } catch (error) {
      if (error instanceof TaskInvalidInputError) throw new AgentInputError(error.message.slice(0, MAX_MESSAGE), error);
      throw error;
    }
  }

  async *executeStream(input: AgentTaskInput, context: IExecuteContext): AsyncIterable<StreamEvent<AgentTaskOutput>> {
    const run = this.#run ?? new AgentRun({});
    try {
      const turn = await runTurn(this.#options(input, context));
      run.turn = turn;
      const output = outputOf(turn);
      this.runOutputData = output;
      if (turn.stopReason === "error") throw new AgentFailedError(turn);
      if (turn.stopReason === "cancelled") throw run.cancelled(turn, context.signal.reason);
      yield { type: "finish", data: output };
    } catch (error) {
      // Closes the streaming edges, else the released Workglow leaves them open and the graph hangs.
      this.emit("stream_end", this.runOutputData);
      throw error;
    }
  }

  /** Graph documents hold names: function tools, models and ports that are objects here are bound again at restore. */
  override toJSON(options?: TaskGraphJsonOptions): TaskGraphItemJson {
    const { defaults } = this;
    this.defaults = portableDefaults(defaults, this.#registry(globalServiceRegistry));
    try {
      return super.toJSON(options);
    } finally {
      this.defaults = defaults;
    }
  }

  /** One run at a time (0.2.37 checks that only until the first chunk); what it throws is coded, and its stream has an end. */
  async #guard(config: IRunConfig, start: (config: IRunConfig) => Promise<AgentTaskOutput>): Promise<AgentTaskOutput> {
    if (this.#run !== undefined) throw alreadyRunning();
    const run = new AgentRun(config);
    this.#run = run;
    this.runOutputData = {};
    this.error = undefined;
    try {
      return await start(quietProgress(config, (error) => this.#report(error, "subscriber of progress")));
    } catch (error) {
      throw this.#failed(error, run);
    } finally {
      this.#run = undefined;
    }
  }

  #failed(error: unknown, run: AgentRun): unknown {
    const { messages } = this.runInputData as Partial<AgentTaskInput>;
    const coded = run.coded(error, messages ?? []);
    if (coded !== undefined) {
      this.runOutputData = outputOf(coded.turn);
      this.error = coded.error;
    }
    if (run.streamOpen) this.emit("stream_end", this.runOutputData);
    return coded?.error ?? error;
  }

  #options(input: AgentTaskInput, context: IExecuteContext): TurnOptions {
    const registry = this.#registry(context.registry);
    return {
      ...portOptions(input, registry, taskToolHost(this, context, registry)),
      liveText: this.#liveText(input),
      signal: context.signal,
      emit: (event) => this.#chunk(event),
      onError: (error, where) => this.#report(error, where),
    };
  }

  /** The run's registry; where a graph was given none, the one that this task was restored with. */
  #registry(given: ServiceRegistry): ServiceRegistry {
    return given === globalServiceRegistry ? (this.runConfig.registry ?? given) : given;
  }

  #liveText({ liveText }: AgentTaskInput): "live" | "settled" {
    if (liveText === "live" || liveText === "settled") return liveText;
    return textLeavesStreaming(this, this.#run?.config ?? {}) ? "settled" : "live";
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
    tellFamily(this, event, this.#familyTrouble);
  }

  #report(error: unknown, where: string): void {
    getLogger().warn(`${this.type} ${String(this.id)}: ${where} threw`, { error });
  }
}

function alreadyRunning(): AgentConfigurationError {
  return new AgentConfigurationError("ALREADY_RUNNING", "This agent task is running; run a second one for a second turn.");
}
