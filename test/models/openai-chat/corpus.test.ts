// The recorded streams of ../shared/wire/openai-chat, through the real client, against an independent parser's results.
//
// Not compared: `argsCompleteEvent`, for no push marks it (complete arguments exist only in the end value).
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { openaiChat } from "@callwire/models/openai-chat";
import type { ModelCall, Usage } from "@callwire/wire";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalServer, localServer } from "../local-server.ts";
import { RecordingSink, type Run, runOnce } from "../recording-sink.ts";
import { byEvent, inPieces, type Repack, repackingFetch } from "./repack.ts";

interface ExpectedCall {
  readonly id: string | null;
  readonly name: string;
  readonly arguments: unknown;
  readonly argumentsRaw: string;
  readonly identityEvent: number | null;
  readonly expected: string;
  readonly acceptable?: readonly string[];
  readonly mustNotExecute: boolean;
  readonly preparing: "required" | "optional" | "forbidden";
}
interface Entry {
  readonly file: string;
  readonly api: string;
  readonly acceptableError?: string;
  readonly expected: {
    readonly calls: readonly ExpectedCall[];
    readonly text: string;
    readonly refusal: string | null;
    readonly reasoningChars: number;
    readonly stopReason: string | null;
    readonly terminal: string;
    readonly usage: { readonly [key: string]: unknown } | null;
  };
}

const FOLDER = fileURLToPath(new URL("../../../../shared/wire/", import.meta.url));
const present = existsSync(`${FOLDER}manifest.json`);
const entries: readonly Entry[] = present
  ? JSON.parse(readFileSync(`${FOLDER}manifest.json`, "utf8")).files.filter((entry: Entry) => entry.api === "openai-chat")
  : [];
if (!present) console.warn("skipped: ../shared/wire is absent, the recorded streams are not run");

/** Files that need what issue 3 brings. None does: what it adds (replay of reasoning) is not in these results. */
const EXCLUDED: ReadonlyMap<string, string> = new Map();
const files = entries.filter((entry) => !EXCLUDED.has(entry.file));

let server: LocalServer;
let bytes: Uint8Array = new Uint8Array();
beforeAll(async () => {
  server = await localServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.end(bytes);
  });
});
afterAll(() => server.close());

async function play(body: Uint8Array, repack: Repack): Promise<Run> {
  bytes = body;
  const { fetch, eventsSent } = repackingFetch(repack);
  const client = new OpenAI({ apiKey: "test-key", baseURL: server.url, fetch, logLevel: "off" });
  const sink = new RecordingSink({ now: () => eventsSent() - 1 });
  return runOnce(openaiChat({ model: "recorded", client }), "hi", { sink });
}

function read(entry: Entry): Uint8Array {
  return readFileSync(`${FOLDER}${entry.file}`);
}

/** What the loop does with a call of this run (contract T5, without retry). */
function disposition(run: Run, call: ModelCall | undefined): string {
  if (run.end === undefined || call === undefined) return "discarded";
  const { stop, calls } = run.end;
  if (stop === "length" || stop === "refusal" || stop === "malformed") return "discarded";
  const unnamed = (one: ModelCall) => one.problem?.code === "nameless" || one.problem?.code === "identity-conflict";
  if (calls.some(unnamed)) return "discarded";
  return call.problem === undefined ? "pending" : "pending-then-failed";
}

function differences(entry: Entry, run: Run): string[] {
  const found: string[] = [];
  const { expected } = entry;
  const check = (what: string, actual: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(actual, wanted)) found.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
  };
  const endedWell = expected.terminal === "complete" || expected.terminal === "done-without-finish_reason";
  check("ended well", run.end !== undefined, endedWell);
  check("text", run.sink.allText, expected.text + (expected.refusal ?? ""));
  check("reasoning characters", run.sink.allReasoning.length, expected.reasoningChars);
  if (run.end !== undefined) check("stop reason", run.end.native ?? null, expected.stopReason);
  check("usage", run.end?.usage ?? run.error?.usage, usageOf(expected.usage));
  if (entry.acceptableError === "legacy-function-call") {
    check(
      "legacy call",
      run.end?.calls.map(({ name, input }) => [name, input]),
      [["get_weather", { city: "Oslo" }]],
    );
    return found;
  }
  const seen = run.end?.calls ?? run.sink.calls;
  check("number of calls", seen.length, expected.calls.length);
  expected.calls.forEach((call, i) => {
    const ended = run.end?.calls[i];
    const prepared = run.sink.calls.find((one) => one.slot === (seen[i]?.slot ?? -1));
    found.push(
      ...callDifferences(call, { ended, prepared, how: disposition(run, ended), run }).map((text) => `call ${i} ${text}`),
    );
  });
  return found;
}

interface Seen {
  readonly ended: ModelCall | undefined;
  readonly prepared: RecordingSink["calls"][number] | undefined;
  readonly how: string;
  readonly run: Run;
}

function callDifferences(call: ExpectedCall, { ended, prepared, how, run }: Seen): string[] {
  const found: string[] = [];
  const check = (what: string, actual: unknown, wanted: unknown) => {
    if (!isDeepStrictEqual(actual, wanted)) found.push(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
  };
  check("id", (ended ?? prepared)?.id ?? null, call.id);
  check("name", (ended ?? prepared)?.name, call.name);
  if (!(call.acceptable ?? [call.expected]).includes(how)) check("disposition", how, call.expected);
  if (call.mustNotExecute) check("may execute", how === "pending", false);
  if (how === "pending") check("arguments", ended?.input, call.arguments);
  if (call.preparing === "forbidden") check("preparing", prepared, undefined);
  if (call.preparing === "required" || prepared !== undefined) check("identity event", prepared?.at ?? null, call.identityEvent);
  if (prepared !== undefined && !OBJECT_ARGUMENTS.test(call.argumentsRaw)) {
    check("argument text", run.sink.fragments.get(prepared.slot) ?? "", call.argumentsRaw);
  }
  return found;
}

/** The one file whose arguments are no text. */
const OBJECT_ARGUMENTS = /New York/;

/** By the convention of `Usage`: reasoning is part of the output, also where a vendor's total shows that it counts it apart. */
function usageOf(raw: Entry["expected"]["usage"]): Usage | undefined {
  if (raw === null) return undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON seam
  const u = raw as any;
  const reasoning = u.completion_tokens_details?.reasoning_tokens ?? u.reasoning_tokens;
  const apart = reasoning > 0 && u.total_tokens === u.prompt_tokens + u.completion_tokens + reasoning;
  const usage = {
    inputTokens: u.prompt_tokens,
    outputTokens: u.completion_tokens + (apart ? reasoning : 0),
    cachedInputTokens: u.prompt_tokens_details?.cached_tokens ?? u.prompt_cache_hit_tokens ?? u.cached_tokens,
    reasoningTokens: reasoning,
  };
  return JSON.parse(JSON.stringify(usage));
}

describe.skipIf(!present)("recorded Chat Completions streams", () => {
  it.each(files)("reads $file as the manifest says", async (entry) => {
    expect(differences(entry, await play(read(entry), byEvent))).toEqual([]);
  });

  it("lists all files of the folder", () => {
    expect(entries.length).toBe(new Set(entries.map((entry) => entry.file)).size);
    expect(entries.length).toBeGreaterThan(100);
  });
});

/** What a run pushed and how it ended; error messages count events, which a transport may not change either. */
function story({ sink, end, error }: Run): unknown {
  return { log: sink.log, end, error: error?.message };
}

/** The stories of the sample as it is. */
async function stories(): Promise<ReadonlyMap<Entry, unknown>> {
  if (told.size === 0) for (const entry of SAMPLE) told.set(entry, story(await play(read(entry), byEvent)));
  return told;
}
const told = new Map<Entry, unknown>();

const text = (change: (text: string) => string) => (body: Uint8Array) => Buffer.from(change(Buffer.from(body).toString()));

const splitJson = (line: string) => line.replace(/,"(choices|object|model)":/g, ',\ndata: "$1":');

/** Changes of the bytes that mean the same (quirks.md, section F). */
const TRANSPORTS: readonly (readonly [string, (body: Uint8Array) => Uint8Array, Repack])[] = [
  ["cut at 1 byte", (body) => body, inPieces(1)],
  ["cut at 3 bytes", (body) => body, inPieces(3)],
  ["cut at 7 bytes", (body) => body, inPieces(7)],
  ["cut at 64 bytes", (body) => body, inPieces(64)],
  ["with CRLF, cut at 7 bytes", text((all) => all.replace(/\r?\n/g, "\r\n")), inPieces(7)],
  ["with CR, cut at 7 bytes", text((all) => all.replace(/\r?\n/g, "\r")), inPieces(7)],
  ["with comments and retry lines", text((all) => all.replace(/^data:/gm, ": ping\nretry: 1000\nid: 7\ndata:")), inPieces(1_000)],
  ["with event-only blocks", text((all) => all.replace(/^data:/gm, "event: ping\n\ndata:")), inPieces(1_000)],
  ["without event lines", text((all) => all.replace(/^event: (?!error).*\n/gm, "")), inPieces(1_000)],
  ["without a space after data:", text((all) => all.replace(/^data: /gm, "data:")), inPieces(1_000)],
  ["with a byte order mark", text((all) => `\uFEFF${all}`), inPieces(7)],
  ["without the last blank line", text((all) => all.trimEnd()), inPieces(1_000)],
  ["with JSON over two data lines", text((all) => all.replace(/^data:.*$/gm, splitJson)), inPieces(1_000)],
  ["with comments after [DONE]", text((all) => all.replace(/data: \[DONE\]\s*$/, "$&\n\n: garbage {\n\n")), inPieces(1_000)],
];

/** Every fifth file: all of them at a byte at a time take minutes. */
const SAMPLE = files.filter((_, i) => i % 5 === 0);

describe.skipIf(!present)("the same streams over other transports", () => {
  it.each(TRANSPORTS)("mean the same %s", async (_, change, repack) => {
    const changed: string[] = [];
    const plain = await stories();
    for (const entry of SAMPLE) {
      if (!isDeepStrictEqual(story(await play(change(read(entry)), repack)), plain.get(entry))) changed.push(entry.file);
    }
    expect(changed).toEqual([]);
  });
});
