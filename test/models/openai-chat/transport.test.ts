// The same bytes in other pieces and other line ends mean the same: the project's own streams, no folder beside it needed.
import { readFileSync } from "node:fs";
import { openaiChat } from "@callwire/models/openai-chat";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { events, type LocalServer, localServer } from "../local-server.ts";
import { runOnce } from "../recording-sink.ts";
import { inPieces, repackingFetch } from "./repack.ts";

let server: LocalServer;
let body = "";
beforeAll(async () => {
  server = await localServer((response, request) => events(body)(response, request));
});
afterAll(() => server.close());

async function story(bytes: string, size: number) {
  body = bytes;
  const { fetch } = repackingFetch(inPieces(size));
  const client = new OpenAI({ apiKey: "test-key", baseURL: server.url, fetch, logLevel: "off" });
  const { sink, end, error } = await runOnce(openaiChat({ model: "m", client }));
  return { log: sink.log, end, error: error?.message };
}

const SPLIT = /,"(?=choices)/g;
const LINE_ENDS = [
  ["LF", (all: string) => all],
  ["CRLF", (all: string) => all.replaceAll("\n", "\r\n")],
  ["CR", (all: string) => all.replaceAll("\n", "\r")],
  ["LF, no blank line at the end", (all: string) => all.trimEnd()],
  ["CRLF, no blank line at the end", (all: string) => all.trimEnd().replaceAll("\n", "\r\n")],
  ["LF, two data lines", (all: string) => all.replace(SPLIT, ',\ndata: "')],
  ["LF, a byte order mark, no space", (all: string) => `\uFEFF${all.replaceAll("data: ", "data:")}`],
] as const;

describe.each(["text", "parallel-calls"])("the stream %s", (name) => {
  const whole = readFileSync(new URL(`../../fixtures/openai-chat/${name}.sse`, import.meta.url), "utf8");

  it.each(LINE_ENDS)("means the same with %s, whole and cut at 1, 2, 3, 7 and 64 bytes", async (_, change) => {
    const plain = await story(whole, 1_000_000);
    expect(plain.log.length).toBeGreaterThan(1);
    for (const size of [1_000_000, 1, 2, 3, 7, 64]) expect(await story(change(whole), size)).toEqual(plain);
  });
});
