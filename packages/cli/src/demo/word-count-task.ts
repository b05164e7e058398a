// A small task of Workglow's registry: the demo offers it to the model as a tool.
import { setTimeout } from "node:timers/promises";
import { type IExecuteContext, Task, TaskRegistry } from "@workglow/task-graph";
import type { DataPortSchema } from "@workglow/util/schema";

interface WordCountInput {
  readonly text: string;
  readonly [port: string]: unknown;
}
interface WordCountOutput {
  readonly words: number;
  readonly lines: number;
  readonly characters: number;
  readonly [port: string]: unknown;
}

/** Paced, so that its progress can be seen. */
const STEP_MS = 90;

/** Counts the words, lines and characters of a text, line by line, and reports its progress. */
export class WordCountTask extends Task<WordCountInput, WordCountOutput> {
  static override type = "CallwireDemoWordCount";
  static override category = "Text";
  static override title = "Word count";
  static override description = "Counts the words, lines and characters of a text";
  static override cacheable = false;

  static override inputSchema(): DataPortSchema {
    return {
      type: "object",
      properties: { text: { type: "string", title: "Text", description: "The text to count" } },
      required: ["text"],
      additionalProperties: false,
    } as const satisfies DataPortSchema;
  }

  static override outputSchema(): DataPortSchema {
    return {
      type: "object",
      properties: { words: { type: "number" }, lines: { type: "number" }, characters: { type: "number" } },
      required: ["words", "lines", "characters"],
      additionalProperties: false,
    } as const satisfies DataPortSchema;
  }

  override async execute({ text }: WordCountInput, { signal, updateProgress }: IExecuteContext): Promise<WordCountOutput> {
    const lines = text.split("\n");
    let words = 0;
    for (const [index, line] of lines.entries()) {
      words += line.split(/\s+/u).filter((word) => word !== "").length;
      await setTimeout(STEP_MS, undefined, { signal });
      await updateProgress(Math.round((100 * (index + 1)) / lines.length), `line ${index + 1} of ${lines.length}`);
    }
    return { words, lines: lines.length, characters: text.length };
  }
}

/** Makes the task known to Workglow. Registering it again does nothing. */
export function registerWordCount(): void {
  TaskRegistry.registerTask(WordCountTask);
}
