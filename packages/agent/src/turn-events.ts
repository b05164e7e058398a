// How hosts hear turn events: typed, from a task, a graph or a workflow, nested graphs and their clones included.
import { Channel, isTurnEvent, type TurnEvent } from "@callwire/wire";
import { GraphAsTask, type ITask, IteratorTask, TaskGraph, type Workflow } from "@workglow/task-graph";

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
 * Listeners by run configuration. An iterator task (map, reduce) runs clones of its inner tasks that nobody can reach, but a
 * clone shares its template's `runConfig` object: that is how the template's listeners hear it.
 */
const clones = new WeakMap<object, Set<Listener>>();

let listening = 0;

/** Tells whoever listens to the family of `task` (itself and its clones). Costs nothing while nobody listens to any. */
export function tellFamily(task: ITask, event: TurnEvent): void {
  if (listening === 0) return;
  const listeners = clones.get(task.runConfig);
  if (listeners !== undefined) for (const listener of [...listeners]) listener(task, event);
}

/**
 * Calls `listener` for every turn event of a task, or of every task of a graph or workflow, in nested graphs as well.
 * Tasks that are added to a graph later are heard too.
 *
 * @returns a function that stops listening.
 */
export function onTurnEvent(target: TurnEventTarget, listener: TurnEventListener): () => void {
  const stops = new Map<unknown, () => void>();
  if (target instanceof TaskGraph) listenToGraph(target, listener, { stops, cloned: false });
  else if (isWorkflow(target)) listenToGraph(target.graph, listener, { stops, cloned: false });
  else stops.set(target, listenToTask(target, listener, false));
  return () => {
    for (const stop of stops.values()) stop();
    stops.clear();
  };
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

function listenToGraph(
  graph: TaskGraph,
  listener: TurnEventListener,
  { stops, cloned }: { readonly stops: Map<unknown, () => void>; readonly cloned: boolean },
): void {
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
  stops.set(graph, () => {
    offAdded();
    offRemoved();
  });
}

function listenToTask(task: ITask, listener: TurnEventListener, cloned: boolean): () => void {
  if (task instanceof GraphAsTask) {
    // Its own chunks repeat some of what its inner tasks emit: only those are heard.
    const stops = new Map<unknown, () => void>();
    listenToGraph(task.subGraph, listener, { stops, cloned: cloned || task instanceof IteratorTask });
    return () => {
      for (const stop of stops.values()) stop();
    };
  }
  const offTask = task.subscribe("stream_chunk", (chunk: unknown) => {
    if (isTurnEvent(chunk)) listener({ taskId: task.id, event: chunk });
  });
  const offClones = cloned ? listenToClones(task, listener) : undefined;
  return () => {
    offTask();
    offClones?.();
  };
}

function listenToClones(template: ITask, listener: TurnEventListener): () => void {
  const family = clones.get(template.runConfig) ?? new Set<Listener>();
  clones.set(template.runConfig, family);
  const heard: Listener = (task, event) => {
    if (task !== template) listener({ taskId: task.id, event });
  };
  family.add(heard);
  listening++;
  return () => {
    if (family.delete(heard)) listening--;
  };
}
