// A group of Workglow 0.2.37 that throws while it streams leaves its edges open, and the graph around it hangs: closed here.
import { GraphAsTask } from "@workglow/task-graph";

const DONE = Symbol.for("callwire.group-streams");

/** Makes a failing group end its stream before it throws, as a failing agent does. Changes nothing for one that ends well. */
export function ensureGroupsEndStreams(): void {
  const group: GraphAsTask & { [DONE]?: true } = GraphAsTask.prototype;
  if (group[DONE]) return;
  group[DONE] = true;
  const { executeStream } = group;
  group.executeStream = async function* (this: GraphAsTask, input, context) {
    try {
      yield* executeStream.call(this, input, context);
    } catch (error) {
      this.emit("stream_end", this.runOutputData);
      throw error;
    }
  };
}
