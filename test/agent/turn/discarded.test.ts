// discarded: a call that was shown and will not run is withdrawn, with the reason, before anything else happens.
import type { AttemptDiscardReason } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { call, oneRound, type PlayOptions, playTurn } from "../../kit/turn.ts";
import { echo } from "./cast.ts";

const shown = call("a", "echo", { say: "hello" });

/** Ways in which an attempt is abandoned after `a` and some text were shown. */
const ABANDONED: readonly (readonly [reason: AttemptDiscardReason, keepsText: boolean, options: PlayOptions])[] = [
  ["cancelled", true, { script: [[{ text: "Hm." }, shown, { hang: true }]], abortAt: 50 }],
  ["truncated", true, { script: [[{ text: "Hm." }, shown, { stop: "length" }]] }],
  ["refused", true, { script: [[{ text: "Hm." }, shown, { stop: "refusal" }]] }],
  ["stream-error", false, { script: [[{ text: "Hm." }, shown, { error: { code: "MODEL_STREAM_CUT" } }]] }],
  ["malformed", false, { script: [[{ text: "Hm." }, shown, { stop: "malformed" }]] }],
  ["retry", false, { script: [[{ text: "Hm." }, shown, { restart: true }, { text: "Done." }]] }],
];

describe.each(ABANDONED)(
  "a call whose attempt is abandoned: %s [discard-cancelled, discard-truncated, discard-refused]",
  (reason, keepsText, options) => {
    it("is discarded with its reason and never runs [discard-stream-error, discard-malformed, discard-retry, E2c, T4a]", async () => {
      const { calls, event } = await playTurn({ ...options, tools: [echo] });
      expect(calls).toEqual({ a: "preparing discarded" });
      const at = reason === "cancelled" ? 50 : 0;
      const identity = { toolCallId: "a", name: "echo", round: 1, attempt: 1 };
      expect(event("a", "discarded")).toEqual({
        type: "tool-call",
        status: "discarded",
        turnId: "turn",
        at,
        ...identity,
        reason,
      });
    });

    it("leaves no call in the history [T4a]", async () => {
      const { result } = await playTurn({ ...options, tools: [echo] });
      expect(JSON.stringify(result.messages)).not.toContain("tool_use");
    });

    it(
      keepsText
        ? "keeps its text as a partial message, without attempt-discarded [T4c]"
        : "has its text withdrawn after it [T4b, T4a]",
      async () => {
        const { words, result, ofType } = await playTurn({ ...options, tools: [echo] });
        const after = words.slice(words.indexOf("discarded a") + 1);
        if (keepsText) {
          expect(after).toEqual(["round-usage", "message", "turn-end"]);
          expect(result.messages.at(-1)).toMatchObject({
            role: "assistant",
            partial: true,
            content: [{ type: "text", text: "Hm." }],
          });
          expect(result.text).toBe("Hm.");
        } else {
          expect(after[0]).toBe("attempt-discarded");
          expect(ofType("attempt-discarded")).toEqual([
            { type: "attempt-discarded", turnId: "turn", at: 0, round: 1, attempt: 1, reason },
          ]);
          expect(result.text).not.toContain("Hm.");
        }
      },
    );

    it("stands with its reason in the facts of round-usage [E0e]", async () => {
      const { ofType } = await playTurn({ ...options, tools: [echo] });
      expect(ofType("round-usage")[0]?.attempts[0]).toMatchObject({ n: 1, reason, prepared: ["echo"] });
    });
  },
);

describe("calls of an answer that ended well", () => {
  it("are discarded unresolved when the answer does not make them [discard-unresolved, row-4]", async () => {
    const model = {
      name: "forgetful",
      async run({ round }: { readonly round: number }, sink: { call(slot: number, id: string, name: string): void }) {
        if (round > 1) return { stop: "end" as const, calls: [] };
        sink.call(0, "a", "echo");
        sink.call(1, "b", "echo");
        return { stop: "tool-calls" as const, calls: [{ slot: 1, id: "b", name: "echo", input: { say: "x" } }] };
      },
    };
    const { calls, event, words } = await playTurn({ model, tools: [echo] });
    expect(calls).toEqual({ a: "preparing discarded", b: "preparing pending running completed" });
    expect(event("a", "discarded").reason).toBe("unresolved");
    expect(words.indexOf("discarded a")).toBeLessThan(words.indexOf("pending b"));
    expect(words).not.toContain("attempt-discarded");
  });

  it("are discarded coalesced when they are a second card of the same call [discard-coalesced, T6e]", async () => {
    const twice = oneRound(shown, call("a", "echo", { say: "hello" }));
    const { calls, event, words } = await playTurn({ script: twice, tools: [echo] });
    expect(calls).toEqual({ a: "preparing pending running completed", a_2: "preparing discarded" });
    expect(event("a_2", "discarded").reason).toBe("coalesced");
    expect(words.indexOf("discarded a_2")).toBeLessThan(words.indexOf("pending a"));
  });

  it("are not shown as part of a withdrawn attempt: its facts have no reason [T4f]", async () => {
    const { ofType } = await playTurn({ script: oneRound(shown, call("a", "echo", { say: "hello" })), tools: [echo] });
    expect(ofType("attempt-discarded")).toEqual([]);
    expect(ofType("round-usage")[0]?.attempts).toEqual([{ n: 1, ms: 0, prepared: ["echo", "echo"] }]);
  });
});

describe("an answer that begins anew", () => {
  const script = [
    [{ text: "Hm." }, shown, { restart: true as const }, { text: "So." }, call("a", "echo", { say: "again" })],
    [{ text: "Done." }],
  ];

  it("counts a new attempt in the same round, in one request [P1f, T4a]", async () => {
    const { calls, event, result, requests } = await playTurn({ script, tools: [echo] });
    expect(calls).toEqual({ a: "preparing discarded", a_2: "preparing pending running completed" });
    expect(event("a_2", "pending")).toMatchObject({ round: 1, attempt: 2, input: { say: "again" } });
    expect(result.text).toBe("So.Done.");
    expect(requests.map(({ round, attempt }) => [round, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  it("tells both attempts in round-usage [E0e]", async () => {
    const { ofType } = await playTurn({ script, tools: [echo] });
    expect(ofType("round-usage")[0]?.attempts).toEqual([
      { n: 1, reason: "retry", ms: 0, prepared: ["echo"] },
      { n: 2, ms: 0, prepared: ["echo"] },
    ]);
  });
});

describe("an abandoned attempt without calls", () => {
  it.each(ABANDONED.filter(([, keepsText]) => !keepsText))(
    "has its text withdrawn all the same: %s [T4b]",
    async (reason, _, options) => {
      const script = options.script?.map((steps) =>
        (steps as readonly object[]).filter((step) => step !== shown),
      ) as PlayOptions["script"];
      const { ofType, calls } = await playTurn({ ...options, script, tools: [echo] });
      expect(calls).toEqual({});
      expect(ofType("attempt-discarded").map((event) => event.reason)).toEqual([reason]);
    },
  );
});

describe("calls shown without text", () => {
  it.each(["length", "refusal"] as const)("leave no partial message behind: %s [T4c]", async (stop) => {
    const { added, result } = await playTurn({ script: [[shown, { stop }]], tools: [echo] });
    expect(added.map(({ role }) => role)).toEqual(["user"]);
    expect(result.stopReason).toBe(stop);
  });
});
