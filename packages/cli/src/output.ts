// Where a command writes: a stream, what it can show, and when its reader left.
import type { Environment } from "./config.ts";
import type { Host, InputStream, OutputStream } from "./host.ts";

/** A place to write to. */
export interface Output {
  write(text: string): void;
  readonly terminal: boolean;
  /** A terminal that can move its cursor: cards may be redrawn in place. */
  readonly live: boolean;
  readonly colors: boolean;
  /** Columns and rows as they are now. */
  size(): { readonly columns: number; readonly rows: number };
  /** Calls `listener` when the size changed. Returns what stops it. */
  onResize(listener: () => void): () => void;
  /** Calls `listener` once the reader is gone (`callwire demo | head -1`), at once when it is. Returns what stops it. */
  onClosed(listener: () => void): () => void;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;
/** Shorter strings are no secrets: dummy keys such as `ollama` are ordinary words. */
const MIN_SECRET = 12;

class StreamOutput implements Output {
  readonly terminal: boolean;
  readonly live: boolean;
  readonly colors: boolean;
  readonly #stream: OutputStream;
  readonly #secrets: readonly string[];
  readonly #closedListeners = new Set<() => void>();
  #open = true;

  constructor(stream: OutputStream, env: Environment, secrets: readonly string[]) {
    this.#stream = stream;
    this.#secrets = secrets.filter((secret) => secret.length >= MIN_SECRET);
    this.terminal = stream.isTTY === true;
    this.live = this.terminal && env.TERM !== "dumb";
    this.colors = this.live && (env.NO_COLOR ?? "") === "";
    stream.on("error", () => this.#close());
  }

  write(text: string): void {
    if (this.#open) this.#stream.write(this.#secrets.reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text));
  }

  size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.#stream.columns || DEFAULT_COLUMNS, rows: this.#stream.rows || DEFAULT_ROWS };
  }

  onResize(listener: () => void): () => void {
    this.#stream.on("resize", listener);
    return () => this.#stream.off("resize", listener);
  }

  onClosed(listener: () => void): () => void {
    if (this.#open) this.#closedListeners.add(listener);
    else listener();
    return () => this.#closedListeners.delete(listener);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const listener of this.#closedListeners) listener();
  }
}

/** The streams of a command. */
export interface Streams {
  readonly input: InputStream;
  readonly out: Output;
  readonly err: Output;
}

/** The host's streams. `secrets` are never written, whatever text they stand in. */
export function openStreams({ env, stdin, stdout, stderr }: Host, secrets: readonly string[] = []): Streams {
  return { input: stdin, out: new StreamOutput(stdout, env, secrets), err: new StreamOutput(stderr, env, secrets) };
}
