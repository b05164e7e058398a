// The demo's model: a server on loopback that streams a written story over the Chat Completions protocol.
import type { ChatCompletionRequest, FixtureResponse } from "@copilotkit/aimock";
import { LLMock } from "@copilotkit/aimock";

/** One answer of the story: words, calls, or both. */
export interface StoryAnswer {
  readonly text: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: object }[];
}

/** What an answer may look at: the results of the turn's calls so far, by call id. */
export type StoryResults = ReadonlyMap<string, string>;
export type StoryStep = (results: StoryResults) => StoryAnswer;

/** How fast the model writes: pieces of `chunkSize` characters, one every `chunkMs` milliseconds. */
export interface Pace {
  readonly chunkSize: number;
  readonly chunkMs: number;
}

export interface ModelServer {
  /** Base URL for a client, `/v1` included. */
  readonly baseURL: string;
  close(): Promise<void>;
}

function resultsOf({ messages }: ChatCompletionRequest): StoryResults {
  const results = new Map<string, string>();
  for (const { tool_call_id: id, content } of messages)
    if (id !== undefined) results.set(id, typeof content === "string" ? content : "");
  return results;
}

function responseOf({ text, calls = [] }: StoryAnswer): FixtureResponse {
  if (calls.length === 0) return { content: text };
  return { content: text, toolCalls: calls.map(({ id, name, input }) => ({ id, name, arguments: JSON.stringify(input) })) };
}

function answersBefore({ messages }: ChatCompletionRequest): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

/** Starts the server on 127.0.0.1 and a free port. The nth request of a conversation gets the nth step of the story. */
export async function startModelServer(story: readonly StoryStep[], pace: Pace): Promise<ModelServer> {
  const server = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent", chunkSize: pace.chunkSize, latency: pace.chunkMs });
  for (const [index, step] of story.entries()) {
    server.addFixture({
      match: { predicate: (request) => answersBefore(request) === index },
      response: (request) => responseOf(step(resultsOf(request))),
    });
  }
  const url = await server.start();
  return { baseURL: `${url}/v1`, close: () => server.stop() };
}
