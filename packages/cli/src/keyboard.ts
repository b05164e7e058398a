// Single keys from a terminal: no echo into the drawing, Ctrl-C included.
import type { InputStream } from "./host.ts";

/** A key: its character, or the name of one that has none. */
export type Key = "ctrl-c" | "escape" | (string & {});

function keysOf(chunk: string): Key[] {
  // An arrow or function key comes as one sequence; only a lone escape is a key here.
  if (chunk.startsWith("\u001b")) return chunk.length === 1 ? ["escape"] : [];
  return [...chunk].map((character) => (character === "\u0003" ? "ctrl-c" : character));
}

/** Hands every key to `onKey` until the returned function is called; the terminal is then as it was. */
export function listenToKeys(input: InputStream, onKey: (key: Key) => void): () => void {
  const onData = (data: Buffer | string) => {
    for (const key of keysOf(data.toString())) onKey(key);
  };
  // A terminal that goes away is reported by SIGHUP; the failed read has nothing to add.
  const onError = () => {};
  input.setRawMode?.(true);
  input.on("data", onData);
  input.on("error", onError);
  input.resume();
  return () => {
    input.off("data", onData);
    input.off("error", onError);
    input.setRawMode?.(false);
    input.pause();
  };
}
