// Shorthand for tests of what the adapter makes of an answer: bytes from a real server, through the real client.
import { readFileSync } from "node:fs";
import { openaiChat } from "@callwire/models/openai-chat";
import { afterAll, beforeAll } from "vitest";
import { delta, events, type LocalServer, localServer } from "../local-server.ts";
import { type Run, runOnce } from "../recording-sink.ts";

let server: LocalServer | undefined;
let body: string | Uint8Array = "";

/** Starts the server before the tests of the calling file and stops it after them. */
export function serveAnswers(): void {
  beforeAll(async () => {
    server = await localServer((response, request) => events(body)(response, request));
  });
  afterAll(() => server?.close());
}

/** What the adapter makes of these bytes. */
export function answer(bytes: string | Uint8Array): Promise<Run> {
  body = bytes;
  return runOnce(openaiChat({ model: "m", baseURL: server?.url, apiKey: "test-key" }));
}

/** Host and port as error messages name them. */
export const host = () => server?.host;

/** One of the project's own streams. */
export const fixture = (name: string) => readFileSync(new URL(`../../fixtures/openai-chat/${name}.sse`, import.meta.url));

/** A chunk with a whole call. */
export const call = (index: number, id: string, name: string, args: string) =>
  delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: args } }] });

/** A chunk with a finish reason. */
export const finish = (reason: string, more: object = {}) => ({
  choices: [{ index: 0, delta: {}, finish_reason: reason, ...more }],
});
