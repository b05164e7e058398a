// Scripts as JSON: what a file may say.
import { type Script, scriptSchema } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";

describe("scriptSchema", () => {
  const script: Script = [
    [
      { text: "a" },
      { reasoning: { type: "reasoning", text: "", payload: { s: 1 } } },
      { call: { slot: 2, id: "a", name: "n", args: { a: [null] }, fragment: 3, early: false, payload: 1 } },
      { call: { argsText: "{", problem: { code: "invalid-json", message: "x" } } },
      { providerCall: { id: "p", name: "w", result: { content: [], isError: true } } },
      { providerProgress: { id: "p", total: 2 } },
      { wait: 5 },
      { restart: true },
    ],
    { attempts: [[{ error: { code: "MODEL_SERVER", retryable: true, retryAfterMs: 1 } }], [{ hang: true }]] },
    [{ stop: "refusal", native: "safety", usage: { outputTokens: 1 } }],
  ];

  it("gives back a script from a file", () => {
    expect(scriptSchema.parse(JSON.parse(JSON.stringify(script)))).toEqual(script);
  });

  it("refuses what no step is", () => {
    const bad = [
      { steps: [] },
      [[{ txt: "a" }]],
      [[{ text: "a", wait: 1 }]],
      [[{ call: { arg: {} } }]],
      [[{ stop: "done" }]],
      [[{ wait: -1 }]],
      [{ attempts: [] }],
    ];
    for (const each of bad) expect(scriptSchema.safeParse(each).success).toBe(false);
  });
});
