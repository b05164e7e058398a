// What ends a turn from outside: Ctrl-C, signals, a reader that left. Once settles it; twice leaves at once.

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as const;
export type InterruptName = keyof typeof EXIT_CODES;

/** Watches one turn. */
export interface Interrupts {
  /** Aborts at the first interrupt. */
  readonly signal: AbortSignal;
  /** The exit code of the first interrupt; undefined without one. */
  readonly exitCode: number | undefined;
  /** Acts as if the signal had come, for keys and closed pipes. */
  interrupt(name: InterruptName): void;
  /** Stops watching. */
  dispose(): void;
}

/** Listens for signals of the process until `dispose`. A second interrupt exits at once. */
export function watchInterrupts(): Interrupts {
  const controller = new AbortController();
  let exitCode: number | undefined;
  const interrupt = (name: InterruptName) => {
    // Whatever hides the cursor gives it back in its own `exit` listener.
    if (exitCode !== undefined && name !== "SIGPIPE") process.exit(EXIT_CODES[name]);
    exitCode ??= EXIT_CODES[name];
    controller.abort(new Error(`Interrupted by ${name}`));
  };
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => {
    const handler = () => interrupt(name);
    process.on(name, handler);
    return () => process.off(name, handler);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    interrupt,
    dispose: () => {
      for (const stop of handlers) stop();
    },
  };
}
