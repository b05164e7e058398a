// Tasks that stand around an agent in the tests' graphs, and tasks that are its tools.
import {
  Entitlements,
  type IExecuteContext,
  type StreamEvent,
  Task,
  type TaskEntitlements,
  type TaskInput,
  type TaskOutput,
} from "@workglow/task-graph";
import type { DataPortSchema } from "@workglow/util/schema";

export const text = { type: "string" } as const;
export const streamedText = { type: "string", "x-stream": "append" } as const;

export function ports(properties: Record<string, object>, required: readonly string[] = []): DataPortSchema {
  return { type: "object", properties, required, additionalProperties: false } as DataPortSchema;
}

/** Needs the whole text. */
export class Upper extends Task<TaskInput & { readonly text: string }, TaskOutput> {
  static override type = "Upper";
  static override title = "Upper case";
  static override description = "Turns a text into capitals";

  static override inputSchema(): DataPortSchema {
    return ports({ text }, ["text"]);
  }

  static override outputSchema(): DataPortSchema {
    return ports({ upper: text });
  }

  override async execute(input: { readonly text: string }): Promise<TaskOutput> {
    return { upper: input.text.toUpperCase() };
  }
}

/** Takes the text as it streams: each delta in brackets. Remembers every chunk that its edge carried. */
export class Brackets extends Task<TaskInput & { readonly text: string }, TaskOutput> {
  static override type = "Brackets";
  readonly chunks: unknown[] = [];

  static override inputSchema(): DataPortSchema {
    return ports({ text: streamedText });
  }

  static override outputSchema(): DataPortSchema {
    return ports({ out: streamedText });
  }

  async *executeStream(input: { readonly text?: string }, context: IExecuteContext): AsyncIterable<StreamEvent<TaskOutput>> {
    const stream = context.inputStreams?.get("text");
    let out = stream === undefined ? `whole:${input.text}` : "";
    const reader = stream?.getReader();
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
      this.chunks.push(read.value);
      if (read.value.type !== "text-delta" || read.value.port !== "text") continue;
      const textDelta = `[${read.value.textDelta}]`;
      out += textDelta;
      yield { type: "text-delta", port: "out", textDelta };
    }
    yield { type: "finish", data: { out } };
  }
}

/** Reaches past inference, always. */
export class WriteFile extends Upper {
  static override type = "WriteFile";
  static override title = "Write file";
  static override description = "Writes a file";

  static override entitlements(): TaskEntitlements {
    return { entitlements: [{ id: Entitlements.FILESYSTEM_WRITE }, { id: Entitlements.AI_INFERENCE }] };
  }
}

/** Reaches no further than inference. */
export class Summarize extends Upper {
  static override type = "Summarize";
  static override title = "";

  static override entitlements(): TaskEntitlements {
    return { entitlements: [{ id: Entitlements.AI_INFERENCE }, { id: Entitlements.AI_MODEL }] };
  }
}

/** Reaches the network when its text is a URL. */
export class Fetch extends Upper {
  static override type = "Fetch";
  static override hasDynamicEntitlements = true;

  override entitlements(): TaskEntitlements {
    const far = String(this.defaults.text).startsWith("http");
    return { entitlements: far ? [{ id: Entitlements.NETWORK_HTTP }] : [] };
  }
}
