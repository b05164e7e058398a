// Cards as lines, at a fixed time and width.
import { cards, countCards, EMPTY_CARDS, reduceCards } from "@callwire/cards";
import type { TurnEvent } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { argumentSummary, duration, renderCard, renderCounts, renderQuestion } from "../../packages/cli/src/render.ts";
import { displayWidth } from "../../packages/cli/src/terminal-text.ts";
import { EventWriter } from "./events.ts";

const write = new EventWriter();
const LOOK = { width: 60, now: 5_000, colors: false };
const input = { path: "trip.md", content: "# Lisbon\n\n- Monday: tram 28\u001b[2J" };

const PREPARING = write.call(1_000, "write_file", { status: "preparing", toolCallId: "c1" });
const PENDING = write.call(2_000, "write_file", { status: "pending", toolCallId: "c1", input, preparedAt: 1_000 });
const RUNNING = write.call(2_100, "write_file", { status: "running", toolCallId: "c1" });

function drawn(events: readonly TurnEvent[], look = LOOK): string[] {
  return cards(events.reduce(reduceCards, EMPTY_CARDS)).flatMap((card) => renderCard(card, look));
}

describe("a card", () => {
  it("that is preparing shows its name, id and time, and nothing of its arguments", () => {
    expect(drawn([PREPARING])).toEqual(["◌ preparing   write_file  c1  4.0s"]);
  });

  it("that is pending or running shows its arguments on one line, escapes made harmless", () => {
    expect(drawn([PREPARING, PENDING])).toEqual(['○ pending     write_file  path: "trip.md", content: "…  4.0s']);
    expect(drawn([PREPARING, PENDING, RUNNING], { ...LOOK, width: 100 })).toEqual([
      '● running     write_file  path: "trip.md", content: "# Lisbon - Monday: tram 28␛[2J"  4.0s',
    ]);
  });

  it("that reports progress shows it below", () => {
    expect(drawn([PENDING, RUNNING, write.progress(2_500, "c1", 44, "line 4 of 9")])[1]).toBe("  └ 44%  line 4 of 9");
  });

  it("that waits for a person says so", () => {
    expect(drawn([PENDING, RUNNING, write.ask(2_200, "c1", "write_file", input)])).toEqual([
      expect.stringMatching(/^\? awaiting {4}write_file/u),
      "  └ needs approval",
    ]);
  });

  it("that completed shows the first line of its result and the time it took", () => {
    const done = write.call(3_500, "write_file", { status: "completed", toolCallId: "c1", result: "Wrote it.\nTwice.\n" });
    expect(drawn([PREPARING, PENDING, RUNNING, done])).toEqual([
      expect.stringMatching(/^✓ completed {3}write_file .* 2\.5s$/u),
      "  └ Wrote it. (+1 lines)",
    ]);
  });

  it("that failed shows why", () => {
    const failed = { status: "failed", toolCallId: "c1", result: "There is no file.", executed: "yes" } as const;
    const events = [PENDING, RUNNING, write.call(3_000, "write_file", { ...failed, reason: "tool-error" })];
    expect(drawn(events)).toEqual([expect.stringMatching(/^✗ failed/u), "  └ tool-error: There is no file."]);
    const denied = [PENDING, RUNNING, write.call(3_000, "write_file", { ...failed, reason: "denied", executed: "no" })];
    expect(drawn(denied)).toEqual([expect.stringMatching(/^⊘ denied/u), "  └ There is no file."]);
  });

  it("that lost its turn is interrupted and does not age any more", () => {
    expect(drawn([PENDING, RUNNING, write.end(3_000)])[0]).toMatch(/^! interrupted write_file .*[^s]$/u);
  });

  it("whose arguments were unusable shows the problem instead", () => {
    const pending = write.call(2_000, "f", { status: "pending", toolCallId: "c2", input: {}, inputProblem: "no JSON\nat 3" });
    expect(drawn([pending])[0]).toContain("unusable arguments: no JSON at 3");
  });

  it("fits into every width, wide characters and long names included", () => {
    const name = "a_tool_with_a_name_of_sixty_four_characters_as_long_as_is_allowed";
    const wide = { 日本語: "全角文字".repeat(50), path: "x" };
    const pending = write.call(2_000, name, { status: "pending", toolCallId: "c3", input: wide });
    const running = write.call(2_000, name, { status: "running", toolCallId: "c3" });
    const done = write.call(3_000, name, { status: "completed", toolCallId: "c3", result: "結果".repeat(80) });
    for (const width of [24, 33, 40, 61, 100, 200]) {
      for (const line of drawn([pending, running, done], { ...LOOK, width }))
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it("has colors only where they are on", () => {
    expect(drawn([PREPARING], { ...LOOK, colors: true })[0]).toContain("\u001b[2m◌ preparing  \u001b[22m");
    expect(drawn([PREPARING]).join("")).not.toContain("\u001b");
  });
});

describe("arguments", () => {
  it("are named, quoted and cut; other values are JSON", () => {
    const values = { n: 1, on: true, none: null, list: [1, "a"], text: "x".repeat(1_000_000) };
    expect(argumentSummary(values)).toBe(`n: 1, on: true, none: null, list: [1,"a"], text: "${"x".repeat(39)}…"`);
    expect(argumentSummary({})).toBe("");
  });
});

describe("an approval question", () => {
  it("shows the tool, its arguments over several lines, its reach and the keys", () => {
    const request = {
      approvalId: "a",
      toolCallId: "c",
      name: "write_file",
      input: { path: "a.txt", content: "1\n2" },
      reach: ["writes a file"],
    };
    expect(renderQuestion(request, LOOK)).toEqual([
      "? Allow write_file?",
      "    path: a.txt",
      "    content: 1",
      "    2",
      "    reach: writes a file",
      "  [y] allow   [n] deny   [c] deny and stop the turn",
    ]);
  });

  it("says how much of a long argument it leaves out, and cannot be forged by one", () => {
    const content = `${"line\n".repeat(40)}`;
    const lines = renderQuestion({ approvalId: "a", toolCallId: "c", name: "f", input: { content, path: "\u001b[5A\rx" } }, LOOK);
    expect(lines).toContain("    … 35 more lines (200 characters in all)");
    for (const character of ["\u001b", "\r"]) expect(lines.join("\n")).not.toContain(character);
    expect(lines.slice(1, -1).every((line) => line.startsWith("    "))).toBe(true);
  });
});

it("durations are short", () => {
  expect([0, 940, 12_000, 59_949, 59_960, 125_000].map(duration)).toEqual(["0.0s", "0.9s", "12.0s", "59.9s", "1m00s", "2m05s"]);
});

it("counts name every state a card may end in", () => {
  const state = [PREPARING, PENDING, RUNNING].reduce(reduceCards, EMPTY_CARDS);
  expect(renderCounts(countCards(state))).toBe("1 card: 0 completed, 0 failed, 0 discarded, 1 open");
  expect(renderCounts(countCards(reduceCards(state, write.end(3_000))))).toBe(
    "1 card: 0 completed, 0 failed, 0 discarded, 0 open, 1 interrupted",
  );
});
