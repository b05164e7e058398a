// Reads a raw response body as server-sent events: any chunking, any line ends, a last event without its blank line.
import { createParser } from "eventsource-parser";

/** Takes the events of one body. */
export interface EventConsumer {
  /** Set once nothing more is wanted; reading stops. */
  readonly done: boolean;
  /**
   * One event with data. `last`: the body ended inside this event, so its data may be incomplete.
   * What it throws, `readEvents` throws.
   */
  event(data: string, type: string | undefined, last: boolean): void;
}

/** How a body ended. */
export type BodyEnd =
  | { readonly kind: "ended" }
  /** The connection broke. */
  | { readonly kind: "broken"; readonly error: unknown }
  /** `signal` fired; nothing was consumed after it. */
  | { readonly kind: "aborted" }
  /** The body is JSON or a page; `start` is its beginning. */
  | { readonly kind: "not-events"; readonly start: string };

type Source = ReadableStreamDefaultReader<Uint8Array>;

const STREAM = { stream: true } as const;
const MAX_START = 16_384;
const LINGER_MS = 250;

/**
 * Feeds the events of `body` to `consumer`. Whatever happens, the body is let go: at once when it is given up, and when
 * `consumer` is done after the moment that a server needs to end it, so that its connection can be used again. `signal` keeps no
 * listener.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  consumer: EventConsumer,
  signal: AbortSignal,
): Promise<BodyEnd> {
  const source = body.getReader();
  const release = () => {
    source.cancel().catch(() => {});
  };
  signal.addEventListener("abort", release, { once: true });
  let finished = false;
  try {
    const end = await consume(source, consumer, signal);
    finished = consumer.done && end.kind === "ended";
    return end;
  } finally {
    signal.removeEventListener("abort", release);
    if (finished) drain(source, release);
    else release();
  }
}

/** Reads what is left of an answer that is complete, in the background, not for longer than `LINGER_MS`. */
function drain(source: Source, release: () => void): void {
  const timer = setTimeout(release, LINGER_MS);
  const step = ({ bytes }: Chunk): void => {
    if (bytes === undefined) clearTimeout(timer);
    else next(source).then(step, release);
  };
  next(source).then(step, release);
}

async function consume(source: Source, consumer: EventConsumer, signal: AbortSignal): Promise<BodyEnd> {
  const decoder = new TextDecoder();
  let last = false;
  const parser = createParser({
    onEvent: (event) => {
      if (!consumer.done && !signal.aborted) consumer.event(event.data, event.event, last);
    },
  });
  let begun = false;
  for (;;) {
    const chunk = await next(source);
    if (signal.aborted) return { kind: "aborted" };
    if (chunk.error !== undefined) return { kind: "broken", error: chunk.error.value };
    if (chunk.bytes === undefined) break;
    const text = decoder.decode(chunk.bytes, STREAM);
    if (!begun) {
      const first = text.trimStart()[0];
      if (first === "{" || first === "[" || first === "<") return { kind: "not-events", start: await startOf(source, text) };
      begun = first !== undefined;
    }
    parser.feed(text);
    if (consumer.done) return { kind: "ended" };
  }
  last = true;
  parser.feed(`${decoder.decode()}\n\n`);
  return signal.aborted ? { kind: "aborted" } : { kind: "ended" };
}

interface Chunk {
  readonly bytes?: Uint8Array;
  readonly error?: { readonly value: unknown };
}

async function next(source: Source): Promise<Chunk> {
  try {
    const { value } = await source.read();
    return { bytes: value };
  } catch (value) {
    return { error: { value } };
  }
}

async function startOf(source: Source, text: string): Promise<string> {
  const decoder = new TextDecoder();
  let start = text;
  while (start.length < MAX_START) {
    const { bytes } = await next(source);
    if (bytes === undefined) break;
    start += decoder.decode(bytes, STREAM);
  }
  return start;
}
