// Token counts, wherever a vendor puts them, by one convention.
import { describe, expect, it } from "vitest";
import { delta, sse } from "../local-server.ts";
import { answer, finish, serveAnswers } from "./serve-answers.ts";

serveAnswers();

describe("usage", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const counted = { inputTokens: 10, outputTokens: 5 };

  it.each([
    ["on the last chunk", { choices: [], usage }],
    ["in x_groq", { choices: [], x_groq: { usage } }],
    ["in the choice", { choices: [{ index: 0, delta: {}, usage }] }],
  ])("is read %s", async (_, chunk) => {
    expect((await answer(sse(delta({ content: "a" }), finish("stop"), chunk, "[DONE]"))).end?.usage).toEqual(counted);
  });

  it("replaces what came before, and one that counts nothing replaces nothing", async () => {
    const first = { ...delta({ content: "a" }), usage: { prompt_tokens: 10, completion_tokens: 1 } };
    const last = { choices: [], usage };
    expect(
      (await answer(sse(first, finish("stop"), last, { choices: [], usage: null }, { choices: [], usage: {} }))).end?.usage,
    ).toEqual(counted);
  });

  it("counts cached and reasoning tokens in each vendor's place", async () => {
    const read = async (more: object) =>
      (await answer(sse(finish("stop"), { choices: [], usage: { ...usage, ...more } }))).end?.usage;
    const all = { ...counted, cachedInputTokens: 4, reasoningTokens: 2 };
    expect(
      await read({ prompt_tokens_details: { cached_tokens: 4 }, completion_tokens_details: { reasoning_tokens: 2 } }),
    ).toEqual(all);
    expect(await read({ prompt_cache_hit_tokens: 4, reasoning_tokens: 2 })).toEqual(all);
    expect(
      await read({ cached_tokens: 4, prompt_tokens_details: null, completion_tokens_details: null, reasoning_tokens: 2 }),
    ).toEqual(all);
  });

  it("includes reasoning in the output also where the total shows that it was counted apart", async () => {
    const apart = { ...usage, total_tokens: 22, completion_tokens_details: { reasoning_tokens: 7 } };
    const { end } = await answer(sse(finish("stop"), { choices: [], usage: apart }));
    expect(end?.usage).toEqual({ inputTokens: 10, outputTokens: 12, reasoningTokens: 7 });
  });
});
