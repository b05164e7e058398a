// What the user says: typed at a prompt, or the lines of a pipe.
import { createInterface } from "node:readline";
import type { InputStream, OutputStream } from "../host.ts";

/** Gives the user's prompts, one at a time. */
export interface Prompts {
  /** The next prompt; undefined when there are no more. */
  next(): Promise<string | undefined>;
}

/** Prompts typed on a terminal. A pasted text of several lines is one prompt. The keyboard is free between two calls. */
export function typedPrompts(input: InputStream, output: OutputStream): Prompts {
  let history: string[] = [];
  return {
    next: () =>
      new Promise((resolve) => {
        const lines: string[] = [];
        const reader = createInterface({ input, output, terminal: true, history, prompt: "> " });
        let closed = false;
        reader.on("history", (kept) => {
          history = kept;
        });
        reader.on("line", (line) => {
          lines.push(line);
          // The other lines of a paste arrive in the same piece of input; its last one may lack a line break.
          if (lines.length === 1) setImmediate(() => reader.close());
        });
        reader.on("SIGINT", () => {
          output.write(reader.line === "" ? "\n(Ctrl-D or /exit leaves)\n" : "\n");
          reader.write(null, { ctrl: true, name: "e" });
          reader.write(null, { ctrl: true, name: "u" });
          reader.prompt();
        });
        reader.on("close", () => {
          if (closed) return;
          closed = true;
          if (lines.length === 0) output.write("\n");
          if (lines.length > 0 && reader.line !== "") {
            lines.push(reader.line);
            output.write("\n");
          }
          resolve(lines.length === 0 ? undefined : lines.join("\n"));
        });
        reader.prompt();
      }),
  };
}

/** Each line of a pipe is one prompt. */
export function pipedPrompts(input: InputStream): Prompts {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { done, value } = await lines.next();
      return done === true ? undefined : value;
    },
  };
}

/** Everything that is piped in. */
export async function readAll(input: InputStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
