// The request, its failures and its endings, on real sockets and through the real client.
import { getEventListeners } from "node:events";
import { createServer } from "node:net";
import { openaiChat } from "@callwire/models/openai-chat";
import OpenAI, { AzureOpenAI } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, delta, events, freePort, type LocalServer, localServer, sse } from "../local-server.ts";
import { RecordingSink, runOnce } from "../recording-sink.ts";

const KEY = "sk-test-0123456789";
const bye = sse(delta({ content: "bye" }), delta({}, "stop"), "[DONE]");

describe("with a server of our own", () => {
  let server: LocalServer;
  let answer: Answer = events(bye);
  beforeAll(async () => {
    server = await localServer((response, request) => answer(response, request));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    answer = events(bye);
  });
  const model = () => openaiChat({ model: "m", baseURL: server.url, apiKey: KEY });

  it("reports an HTML page, a JSON document and plain text as no stream", async () => {
    const reply = (type: string, body: string) => {
      answer = (response) => response.writeHead(200, { "content-type": type }).end(body);
      return runOnce(model());
    };
    expect((await reply("text/html", "<html>Welcome</html>")).error).toMatchObject({
      code: "MODEL_NOT_A_STREAM",
      retryable: false,
    });
    expect((await reply("application/json", '{"choices":[]}')).error).toMatchObject({ code: "MODEL_NOT_A_STREAM" });
    expect((await reply("text/event-stream", '\n {"error":{"message":"no"}}')).error?.message).toContain("It says: no");
    expect((await reply("text/plain", "hello")).error).toMatchObject({ code: "MODEL_NOT_A_STREAM" });
    expect((await reply("application/json", bye)).end).toMatchObject({ stop: "end" });
  });

  // Bun's fetch gives no response at all when the socket breaks right after its head.
  it.skipIf(process.versions.bun !== undefined)(
    "is cut when the socket breaks before the end, and is not after the finish reason [P1c]",
    async () => {
      const broken = (text: string) => {
        answer = (response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(text, () => response.socket?.resetAndDestroy());
        };
        return runOnce(model());
      };
      const cut = await broken(sse(delta({ content: "a" })));
      expect(cut.error).toMatchObject({ code: "MODEL_STREAM_CUT", retryable: true });
      expect(cut.error?.cause).toBeInstanceOf(Error);
      const whole = await broken(sse(delta({ content: "a" }), delta({}, "stop")));
      expect(whole.end).toMatchObject({ stop: "end" });
      expect(whole.sink.allText).toBe("a");
    },
  );

  it("reads to the end of a half-closed connection", async () => {
    answer = (response) => {
      // Without a length and without chunks the end of the socket is the end of the body.
      response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${bye}`);
    };
    expect((await runOnce(model())).end).toMatchObject({ stop: "end" });
  });

  it("says what to check when the server closes without an answer", async () => {
    answer = (response) => response.socket?.destroy();
    const { error } = await runOnce(model());
    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retryable: true });
    expect(error?.message).toBe(
      `Cannot reach the model server at ${server.host}: the connection was closed before an answer came.`,
    );
  });

  it("ends at [DONE] although the server keeps the connection open, and lets go of it", async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(bye);
        response.on("close", resolve);
      };
    });
    expect((await runOnce(model())).end).toMatchObject({ stop: "end" });
    await closed;
  });

  it("lets go of the connection when an event fails the answer", async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(sse("{broken"));
        response.on("close", resolve);
      };
    });
    expect((await runOnce(model())).error).toMatchObject({ code: "MODEL_STREAM_ERROR" });
    await closed;
  });

  it("keeps its connection for the next answer, also when the server ends one a moment after [DONE]", async () => {
    let ended: Promise<void> = Promise.resolve();
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(bye);
      ended = new Promise((resolve) => {
        response.on("close", resolve);
        setTimeout(() => response.end(), 5);
      });
    };
    const before = server.connections();
    for (let i = 0; i < 6; i++) {
      expect((await runOnce(model())).end).toMatchObject({ stop: "end" });
      await ended;
    }
    // A client that hung up at [DONE] would need one connection per answer.
    expect(server.connections() - before).toBeLessThan(4);
  });

  it("is cancelled before the request, while it waits for headers, and between two events", async () => {
    const before = server.requests.length;
    expect((await runOnce(model(), "hi", { signal: AbortSignal.abort() })).error).toMatchObject({ code: "TURN_CANCELLED" });
    expect(server.requests.length).toBe(before);
    for (const start of ["", sse(delta({ content: "a" }))]) {
      const abort = new AbortController();
      answer = (response) => {
        if (start !== "") response.writeHead(200, { "content-type": "text/event-stream" }).write(start);
        if (start === "") abort.abort();
      };
      const sink = new RecordingSink({ onPush: () => queueMicrotask(() => abort.abort()) });
      const { error } = await runOnce(model(), "hi", { signal: abort.signal, sink });
      expect(error).toMatchObject({ code: "TURN_CANCELLED" });
      expect(getEventListeners(abort.signal, "abort")).toEqual([]);
    }
  });

  it("pushes nothing of the same chunk after an abort inside a push", async () => {
    answer = events(sse(delta({ content: "a" }), delta({ content: "b" }), delta({}, "stop")));
    const abort = new AbortController();
    const sink = new RecordingSink({ onPush: () => abort.abort() });
    expect((await runOnce(model(), "hi", { signal: abort.signal, sink })).error).toMatchObject({ code: "TURN_CANCELLED" });
    expect(sink.log).toEqual(["text:a"]);
  });

  it("leaves no listener on the signal after a good and after a failed answer", async () => {
    const { signal } = new AbortController();
    await runOnce(model(), "hi", { signal });
    answer = (response) => response.writeHead(500).end();
    await runOnce(model(), "hi", { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("takes the client that the user has, with its headers, and does not let it repeat", async () => {
    let asked = "";
    answer = (response, request) => {
      asked = `${request.url} ${request.headers["x-mine"]} ${request.headers.authorization}`;
      response.writeHead(500).end();
    };
    const client = new OpenAI({
      apiKey: KEY,
      baseURL: server.url,
      defaultHeaders: { "x-mine": "1" },
      maxRetries: 5,
      logLevel: "off",
    });
    const before = server.requests.length;
    expect((await runOnce(openaiChat({ model: "m", client }))).error).toMatchObject({ code: "MODEL_SERVER" });
    expect(server.requests.length - before).toBe(1);
    expect(asked).toBe(`/v1/chat/completions 1 Bearer ${KEY}`);
  });

  it("speaks to Azure through its client", async () => {
    let asked = "";
    answer = (response, request) => {
      asked = `${request.url} ${request.headers["api-key"]}`;
      events(bye)(response, request);
    };
    const client = new AzureOpenAI({ apiKey: KEY, endpoint: `http://${server.host}`, apiVersion: "2024-10-21", logLevel: "off" });
    expect((await runOnce(openaiChat({ model: "dep", client }))).end).toMatchObject({ stop: "end" });
    expect(asked).toBe(`/openai/deployments/dep/chat/completions?api-version=2024-10-21 ${KEY}`);
  });

  it("sends headers and parameters of the options", async () => {
    let header: unknown;
    answer = (response, request) => {
      header = request.headers["x-title"];
      events(bye)(response, request);
    };
    const options = { maxTokens: 9, temperature: 0.5, body: { seed: 1 }, headers: { "x-title": "t" } };
    await runOnce(openaiChat({ model: "m", baseURL: server.url, ...options }));
    expect(header).toBe("t");
    expect(server.requests.at(-1)).toMatchObject({ model: "m", max_tokens: 9, temperature: 0.5, seed: 1, stream: true });
  });
});

describe("without a server", () => {
  it("names the host and says what to check", async () => {
    const port = await freePort();
    const { error } = await runOnce(openaiChat({ model: "m", baseURL: `http://127.0.0.1:${port}/v1`, apiKey: KEY }));
    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retryable: true });
    expect(error?.message).toBe(
      `Cannot reach the model server at 127.0.0.1:${port}: nothing answers there. Check that the server runs and that host and port of the base URL are right.`,
    );
  });

  // Bun's fetch does not say why such a connection failed.
  it.skipIf(process.versions.bun !== undefined)("says when it does not speak HTTP there", async () => {
    const raw = createServer((socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
    const address = raw.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { error } = await runOnce(openaiChat({ model: "m", baseURL: `http://127.0.0.1:${port}/v1`, apiKey: KEY }));
    raw.close();
    expect(error).toMatchObject({ code: "MODEL_UNREACHABLE", retryable: false });
    expect(error?.message).toContain("does not speak HTTP");
  });
});
