// Ctrl-C and its kin: the first one cancels, the second leaves, and nothing keeps listening afterwards.
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type InterruptName, watchInterrupts } from "../../packages/cli/src/interrupts.ts";
import { type Key, listenToKeys } from "../../packages/cli/src/keyboard.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const listening = () => SIGNALS.map((name) => process.listenerCount(name));

describe("an interrupt", () => {
  it.each<[InterruptName, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGPIPE", 141],
  ])("%s aborts and gives the exit code %i", (name, code) => {
    const before = listening();
    const interrupts = watchInterrupts();
    expect([interrupts.signal.aborted, interrupts.exitCode]).toEqual([false, undefined]);
    interrupts.interrupt(name);
    expect([interrupts.signal.aborted, interrupts.exitCode]).toEqual([true, code]);
    expect(listening()).toEqual(before.map((count) => count + 1));
    interrupts.dispose();
    expect(listening()).toEqual(before);
  });

  it("exits at once when it is the second, unless a reader has left", () => {
    const exit = vi.spyOn(process, "exit").mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const interrupts = watchInterrupts();
    interrupts.interrupt("SIGINT");
    interrupts.interrupt("SIGPIPE");
    expect(exit).not.toHaveBeenCalled();
    expect(() => interrupts.interrupt("SIGTERM")).toThrow("exit 143");
    expect(interrupts.exitCode).toBe(130);
    interrupts.dispose();
  });
});

describe("keys", () => {
  it("come one by one, without the sequences of arrows, and the terminal is given back", () => {
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (on: boolean) => modes.push(on) });
    const keys: Key[] = [];
    const stop = listenToKeys(input, (key) => keys.push(key));
    for (const chunk of ["y", "\u0003", "\u001b[A", "\u001b", "né"]) input.emit("data", Buffer.from(chunk));
    stop();
    input.emit("data", Buffer.from("z"));
    expect(keys).toEqual(["y", "ctrl-c", "escape", "n", "é"]);
    expect(modes).toEqual([true, false]);
    expect(input.isPaused()).toBe(true);
  });
});
