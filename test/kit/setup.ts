// Runs before every unit test file: what nobody observed makes the run fail.

/** Thrown outside every promise chain, so that vitest counts it as an unhandled error, whatever test is running. */
function failRun(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

// Once per process: without isolation this file runs for every test file.
const INSTALLED = Symbol.for("callwire.test.guards");
const marks = globalThis as { [INSTALLED]?: true };

if (marks[INSTALLED] === undefined) {
  marks[INSTALLED] = true;

  process.on("unhandledRejection", (reason) => {
    failRun(reason instanceof Error ? reason : new Error(`Unhandled rejection: ${String(reason)}`));
  });

  // Node warns of a leak only once per emitter; the warning is the only sign that listeners pile up on a signal.
  process.on("warning", (warning) => {
    if (warning.name === "MaxListenersExceededWarning") failRun(warning);
  });
}
