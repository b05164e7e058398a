// A plain streaming task whose body is a test's own: what Workglow does without AgentTask.
import {
  type IExecuteContext,
  type StreamEvent,
  Task,
  type TaskConfig,
  type TaskInput,
  type TaskOutput,
} from "@workglow/task-graph";
import type { DataPortSchema } from "@workglow/util/schema";
import { ports, streamedText } from "./tasks.ts";

export type Body = (task: Streamer, context: IExecuteContext) => AsyncIterable<StreamEvent<TaskOutput>>;
export const delta = (textDelta: string): StreamEvent<TaskOutput> => ({ type: "text-delta", port: "text", textDelta });

export class Streamer extends Task<TaskInput, TaskOutput> {
  static override type = "Streamer";
  readonly #body: Body;

  constructor(body: Body, config: Partial<TaskConfig> = {}) {
    super({ id: "streamer", ...config });
    this.#body = body;
  }

  static override inputSchema(): DataPortSchema {
    return ports({ list: { type: "array" }, choice: { type: "string", enum: ["first", "second"] }, tools: {} });
  }

  static override outputSchema(): DataPortSchema {
    return ports({ text: streamedText, other: streamedText });
  }

  executeStream(_input: TaskInput, context: IExecuteContext): AsyncIterable<StreamEvent<TaskOutput>> {
    return this.#body(this, context);
  }
}
