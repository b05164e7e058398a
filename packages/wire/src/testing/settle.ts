// Waits until every promise chain that can go on has gone on, without a timer.

/** Taken when the module loads, so that fake timers of a test runner do not reach it. Absent in browsers. */
const { setImmediate: immediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };

/** Resolves in a later macrotask: the microtask queue is empty by then, however long its chains were. */
export function settleMicrotasks(): Promise<void> {
  return new Promise((resolve) => {
    if (immediate !== undefined) {
      immediate(resolve);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
