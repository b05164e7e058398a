// A model server for chats: answers by the last thing the user said, and remembers what it was sent.
import { LLMock } from "@copilotkit/aimock";

export interface ChatServer {
  /** For OPENAI_BASE_URL. */
  readonly baseURL: string;
  /** The messages of every request since the last call, as `role: text`. */
  takeRequests(): readonly (readonly string[])[];
  /** The next request fails. */
  failNext(status: number, message: string): void;
  close(): Promise<void>;
}

const said = (text: string) => ({ userMessage: text, hasToolResult: false });

/** Knows: hello, read, write, slow; whatever else is a 404. */
export async function startChatServer(): Promise<ChatServer> {
  const server = new LLMock({ host: "127.0.0.1", port: 0, logLevel: "silent", chunkSize: 8 });
  server.addFixture({ match: { ...said("hello"), model: "served-model" }, response: { content: "Hello to you." } });
  server.addFixture({ match: said("hello"), response: { content: "Hello to you." } });
  server.addFixture({ match: said("slow"), response: { content: "a very long answer ".repeat(500) }, latency: 40 });
  const call = (name: string, input: object) => ({
    content: "",
    toolCalls: [{ id: `call_${name}`, name, arguments: JSON.stringify(input) }],
  });
  server.addFixture({ match: said("read"), response: call("read_file", { path: "note.txt" }) });
  server.addFixture({ match: said("write"), response: call("write_file", { path: "new.txt", content: "made" }) });
  server.addFixture({
    match: { hasToolResult: true },
    response: ({ messages }) => ({ content: `The tool says: ${String(messages.at(-1)?.content)}` }),
  });
  const url = await server.start();
  return {
    baseURL: `${url}/v1`,
    takeRequests: () => {
      const bodies = server.getRequests().map(({ body }) => body);
      server.clearRequests();
      return bodies.map((body) =>
        body !== null && "messages" in body && Array.isArray(body.messages)
          ? body.messages.filter(({ role }) => role !== "system").map(({ role, content }) => `${role}: ${String(content)}`)
          : [],
      );
    },
    failNext: (status, message) => {
      server.nextRequestError(status, { message });
    },
    close: () => server.stop(),
  };
}
