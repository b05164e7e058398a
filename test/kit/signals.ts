// An abort signal that counts its listeners, so that a test can show that none is left behind.

export interface CountedSignal {
  readonly signal: AbortSignal;
  /** Listeners for `abort` that are on the signal now. */
  listeners(): number;
  abort(reason?: unknown): void;
}

type Listener = Parameters<AbortSignal["addEventListener"]>[1];

/** A real signal of a real controller; only the counting is added. */
export function countedSignal(): CountedSignal {
  const controller = new AbortController();
  const { signal } = controller;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  // As the platform does: one entry per listener and capture flag.
  const entries: Entry[] = [];
  const find = (listener: Listener, options: unknown) =>
    entries.findIndex((entry) => entry.listener === listener && entry.capture === flag(options, "capture"));
  const drop = (listener: Listener, options: unknown) => {
    const at = find(listener, options);
    if (at >= 0) entries.splice(at, 1);
  };

  signal.addEventListener = (type: string, listener: Listener, options?: boolean | AddEventListenerOptions) => {
    if (type === "abort" && find(listener, options) < 0) {
      const once = flag(options, "once") && !signal.aborted;
      entries.push({ listener, capture: flag(options, "capture"), once });
      if (typeof options === "object") options.signal?.addEventListener("abort", () => drop(listener, options));
    }
    add(type, listener, options);
  };
  signal.removeEventListener = (type: string, listener: Listener, options?: boolean | EventListenerOptions) => {
    if (type === "abort") drop(listener, options);
    remove(type, listener, options);
  };
  // One that fires once is gone after the abort; any other stays until it is removed.
  const listeners = () => entries.filter((entry) => !(entry.once && signal.aborted)).length;
  return { signal, listeners, abort: (reason) => controller.abort(reason) };
}

interface Entry {
  readonly listener: Listener;
  readonly capture: boolean;
  readonly once: boolean;
}

function flag(options: boolean | AddEventListenerOptions | unknown, name: "capture" | "once"): boolean {
  if (typeof options === "boolean") return name === "capture" && options;
  return typeof options === "object" && options !== null && (options as AddEventListenerOptions)[name] === true;
}
