// A real HTTP server on loopback that answers as a test says, and remembers what it was asked.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";

export interface LocalServer {
  /** Base URL of an OpenAI-like API. */
  readonly url: string;
  readonly host: string;
  /** Bodies of the requests so far, parsed. */
  readonly requests: readonly { readonly [key: string]: unknown }[];
  /** How many connections were ever made. */
  connections(): number;
  close(): Promise<void>;
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export async function localServer(answer: Answer): Promise<LocalServer> {
  const requests: { readonly [key: string]: unknown }[] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      requests.push(JSON.parse(body));
      answer(response, request);
    });
  };
  const server = createServer(listener);
  server.on("connection", () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/v1`,
    host,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with these bytes as an event stream. */
export function events(body: string | Uint8Array): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(body);
  };
}

/** Chat Completions chunks as the bytes of a stream; strings go as they are. */
export function sse(...chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join("");
}

/** One chunk whose first choice has this delta. */
export function delta(value: object, finish: string | null = null): object {
  return { id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta: value, finish_reason: finish }] };
}

/** A port on which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
