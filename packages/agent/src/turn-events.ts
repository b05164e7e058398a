// How hosts hear turn events: typed, from a task, a graph or a workflow, nested graphs and their clones included.
import { Channel, isTurnEvent, type TurnEvent } from "@callwire/wire";
import { GraphAsTask, type IRunConfig, type ITask, IteratorTask, TaskGraph, type Workflow } from "@workglow/task-graph";

/** An event and the task that emitted it. A host of a graph keys its cards by (taskId, toolCallId). */
export interface TaskTurnEvent {
  readonly taskId: unknown;
  readonly event: TurnEvent;
}

export type TurnEventListener = (told: TaskTurnEvent) => void;

/** What turn events can be read from. */
export type TurnEventTarget = ITask | TaskGraph | Workflow;

type Listener = (task: ITask, event: TurnEvent) => void;

/**
 * An iterator task (map, reduce) runs clones of its inner tasks that nobody can reach. A clone is given its template's
 * `runConfig`, which Workglow copies with every member: that is how the template's listeners hear it.
 */
const FAMILY = Symbol.for("callwire.agent.family");

interface FamilyConfig extends Partial<IRunConfig> {
  readonly [FAMILY]?: Set<Listener>;
}

/** The run configuration of a new task: of the family that `runConfig` belongs to, else of one of its own. */
export function withFamily(runConfig: FamilyConfig): Partial<IRunConfig> {
  const { [FAMILY]: family = new Set<Listener>() } = runConfig;
  const own: FamilyConfig = { ...runConfig, [FAMILY]: family };
  return own;
}

/** Tells whoever listens to the family of `task` (itself and its clones). What a listener throws is reported. */
export function tellFamily(task: ITask, event: TurnEvent, report: (error: unknown) => void): void {
  const family = (task.runConfig as FamilyConfig)[FAMILY];
  if (family === undefined || family.size === 0) return;
  for (const listener of [...family]) {
    try {
      listener(task, event);
    } catch (error) {
      report(error);
    }
  }
}

/**
 * Calls `listener` for every turn event of a task, or of every task of a graph or workflow, in nested graphs as well.
 * Tasks that are added to a graph later are heard too.
 *
 * @returns a function that stops listening.
 */
export function onTurnEvent(target: TurnEventTarget, listener: TurnEventListener): () => void {
  if (target instanceof TaskGraph) return listenToGraph(target, listener, false);
  return isWorkflow(target) ? listenToWorkflow(target, listener) : listenToTask(target, listener, false);
}

/** The same as an async iterable. It ends when the reader leaves; events wait in a queue until they are read. */
export function turnEvents(target: TurnEventTarget): AsyncIterableIterator<TaskTurnEvent> {
  const channel = new Channel<TaskTurnEvent>(() => stop());
  const stop = onTurnEvent(target, (told) => channel.push(told));
  return channel;
}

function isWorkflow(target: ITask | Workflow): target is Workflow {
  return "graph" in target && target.graph instanceof TaskGraph;
}

function listenToGraph(graph: TaskGraph, listener: TurnEventListener, cloned: boolean): () => void {
  const stops = new Map<unknown, () => void>();
  const add = (id: unknown) => {
    const task = graph.getTask(id);
    if (task !== undefined && !stops.has(id)) stops.set(id, listenToTask(task, listener, cloned));
  };
  const remove = (id: unknown) => {
    stops.get(id)?.();
    stops.delete(id);
  };
  for (const task of graph.getTasks()) add(task.id);
  const offAdded = graph.subscribe("task_added", add);
  const offRemoved = graph.subscribe("task_removed", remove);
  return () => {
    offAdded();
    offRemoved();
    for (const stop of stops.values()) stop();
    stops.clear();
  };
}

/** Follows whatever graph `current` gives: asked again each time that `changed` is called. */
function follow(current: () => TaskGraph, listen: (graph: TaskGraph) => () => void) {
  let graph = current();
  let stop = listen(graph);
  return {
    changed() {
      if (current() === graph) return;
      stop();
      graph = current();
      stop = listen(graph);
    },
    stop: () => stop(),
  };
}

function listenToWorkflow(workflow: Workflow, listener: TurnEventListener): () => void {
  const inner = follow(
    () => workflow.graph,
    (graph) => listenToGraph(graph, listener, false),
  );
  const offReset = workflow.events.subscribe("reset", inner.changed);
  return () => {
    offReset();
    inner.stop();
  };
}

function listenToTask(task: ITask, listener: TurnEventListener, cloned: boolean): () => void {
  if (task instanceof GraphAsTask) {
    // Its own chunks repeat some of what its inner tasks emit: only those are heard.
    const inner = follow(
      () => task.subGraph,
      (graph) => listenToGraph(graph, listener, cloned || task instanceof IteratorTask),
    );
    const offStart = task.subscribe("start", inner.changed);
    return () => {
      offStart();
      inner.stop();
    };
  }
  const offTask = task.subscribe("stream_chunk", (chunk: unknown) => {
    if (isTurnEvent(chunk)) listener({ taskId: task.id, event: chunk });
  });
  const offClones = cloned ? listenToClones(task, listener) : undefined;
  const offOwned = FAMILY in task.runConfig ? undefined : listenToOwned(task, listener);
  return () => {
    offTask();
    offClones?.();
    offOwned?.();
  };
}

/** Tasks that a task owns while it runs. Not those of an agent: they are its tools, and it tells of them itself. */
function listenToOwned(task: ITask, listener: TurnEventListener): () => void {
  let stop: (() => void) | undefined;
  const look = () => {
    if (task.hasChildren()) stop ??= listenToGraph(task.subGraph, listener, false);
  };
  look();
  // Told when the first child is added: reading `subGraph` before would make one for every task.
  const offRegenerate = task.subscribe("regenerate", look);
  return () => {
    offRegenerate();
    stop?.();
  };
}

function listenToClones(template: ITask, listener: TurnEventListener): () => void {
  const family = (template.runConfig as FamilyConfig)[FAMILY];
  const heard: Listener = (task, event) => {
    if (task !== template) listener({ taskId: task.id, event });
  };
  family?.add(heard);
  return () => family?.delete(heard);
}
