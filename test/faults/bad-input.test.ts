// Options and answers that no type allows: the turn still opens, says what is wrong and closes; it never rejects or hangs.
import { runTurn, type TurnOptions } from "@callwire/agent/turn";
import type { Model, ModelEnd, TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { playTurn } from "../kit/turn.ts";
import { steps, tool } from "./calls.ts";

const unused: Model = { name: "unused", run: async () => ({ stop: "end", calls: [] }) };
const message = (content: unknown) => ({ messages: [{ id: "m", role: "user", content }] });

const OPTIONS: readonly (readonly [what: string, options: object, code: string, words: string])[] = [
  ["a message that is null", { messages: [null] }, "INVALID_HISTORY", "messages[0]"],
  ["a block that is null", message([null]), "INVALID_HISTORY", "messages[0]"],
  ["content that is no list", message({}), "INVALID_HISTORY", "messages[0]"],
  ["content that is null", message(null), "INVALID_HISTORY", "messages[0]"],
  ["a text block without text", message([{ type: "text" }]), "INVALID_HISTORY", "messages[0]"],
  ["messages that are no list", { messages: "hello" }, "INVALID_HISTORY", "messages[0]"],
  ["a prompt with a block that is null", { prompt: [null] }, "INVALID_OPTIONS", "prompt"],
  ["a signal that is none", { signal: {} }, "INVALID_OPTIONS", "signal"],
  ["tools that are no list", { tools: {} }, "INVALID_OPTIONS", "tools"],
];

describe("a wrong option [T8g]", () => {
  it.each(OPTIONS)("ends the turn with a code and with words: %s", async (_what, options, code, words) => {
    const types: TurnEvent["type"][] = [];
    const wrong = { model: unused, prompt: "go", emit: (event: TurnEvent) => types.push(event.type), ...options };
    const { stopReason, error } = await runTurn(wrong as unknown as TurnOptions);
    expect([stopReason, error?.code]).toEqual(["error", code]);
    expect(error?.message).toContain(words);
    expect([types[0], types.at(-1)]).toEqual(["turn-start", "turn-end"]);
  });
});

/** Arguments nested deeper than any stack, as a model can write them in 40,000 bytes. */
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const deepArgs = (more: string) => JSON.parse(`{${more}"v":${deep}}`) as { readonly [key: string]: unknown };

const ANSWERS: readonly (readonly [what: string, calls: readonly unknown[]])[] = [
  ["a call that is null", [null]],
  ["equal calls nested too deeply to compare", [0, 1].map((slot) => ({ slot, id: "a", name: "read", input: deepArgs("") }))],
  [
    "prototype keys in arguments nested too deeply to clean",
    [{ slot: 0, id: "a", name: "read", input: deepArgs('"__proto__":1,') }],
  ],
];

// On Bun the stack holds even this: there such calls are ordinary ones.
const answers = process.versions.bun === undefined ? ANSWERS : ANSWERS.slice(0, 1);

describe("an answer that cannot be used", () => {
  it.each(answers)("runs nothing and leaves no card open: %s [T5d, T5h, I5]", async (_what, calls) => {
    const ran: string[] = [];
    const model: Model = {
      name: "odd",
      async run(_request, sink) {
        sink.text("Let me see.");
        sink.call(0, "a", "read");
        return { stop: "tool-calls", calls } as ModelEnd;
      },
    };
    const { result, events } = await playTurn({ model, tools: [tool("read", () => ran.push("ran"))] });
    expect(ran).toEqual([]);
    expect([result.stopReason, result.error?.code, result.text]).toEqual(["error", "MALFORMED_RESPONSE", ""]);
    expect(steps(events)).toEqual(["preparing a", "discarded a"]);
  });
});
