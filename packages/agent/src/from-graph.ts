// A task graph with an agent in it as a source of turns, for hosts.
import { Channel, type TurnEvent, type TurnSource } from "@callwire/wire";
import { type TaskGraph, TaskStatus } from "@workglow/task-graph";
import { AgentTask } from "./agent-task.ts";
import { AgentConfigurationError } from "./errors.ts";
import { onTurnEvent } from "./turn-events.ts";

function agentOf(graph: TaskGraph, taskId: unknown): AgentTask {
  const agents = graph.getTasks().filter((task) => task instanceof AgentTask);
  const found = taskId === undefined && agents.length === 1 ? agents[0] : agents.find((task) => task.id === taskId);
  if (found !== undefined) return found;
  const ids = agents.map((task) => String(task.id)).join(", ");
  const what = taskId === undefined ? "Name the agent task" : `"${String(taskId)}" is no agent task of this graph`;
  throw new AgentConfigurationError("INVALID_OPTIONS", `${what}; the graph has: ${ids === "" ? "none" : ids}.`);
}

/** Agents with a prompt that is not answered yet. */
const answering = new WeakSet<AgentTask>();

/**
 * Serves a graph: each prompt becomes the agent's `prompt` input and runs the whole graph; the agent's events come out.
 *
 * @param taskId names the agent when the graph has several.
 */
export function fromGraph(graph: TaskGraph, taskId?: unknown): TurnSource {
  return (prompt, { signal }) => {
    const agent = agentOf(graph, taskId);
    if (answering.has(agent) || agent.status === TaskStatus.PROCESSING || agent.status === TaskStatus.STREAMING) {
      throw new AgentConfigurationError("ALREADY_RUNNING", "This graph is running; its agent takes one prompt at a time.");
    }
    const stop = new AbortController();
    const relay = () => stop.abort(signal?.reason);
    if (signal?.aborted) relay();
    signal?.addEventListener("abort", relay);
    const channel = new Channel<TurnEvent>(() => stop.abort());
    let ended = false;
    const off = onTurnEvent(agent, ({ event }) => {
      ended ||= event.type === "turn-end";
      channel.push(event);
    });
    agent.setDefaults({ ...agent.defaults, prompt });
    answering.add(agent);
    const cleanUp = () => {
      answering.delete(agent);
      off();
      signal?.removeEventListener("abort", relay);
    };
    graph.run({}, { parentSignal: stop.signal }).then(
      () => {
        cleanUp();
        channel.close();
      },
      (error: unknown) => {
        cleanUp();
        // A turn that ended has said why; only a graph that failed around it has more to tell.
        if (ended) channel.close();
        else channel.fail(error);
      },
    );
    return channel;
  };
}
