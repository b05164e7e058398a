// `callwire demo` as a person or a script runs it: the real command, the real model server, real tools.
import type { TurnEvent } from "@callwire/wire";
import { turnEventSchema } from "@callwire/wire/schemas";
import { assertEvents } from "@callwire/wire/testing";
import { describe, expect, it } from "vitest";
import { callwire, commandLine, start } from "./run-command.ts";
import { run } from "./test-host.ts";

const lines = (text: string) => text.trimEnd().split("\n");
/** Each line's state and tool. */
const states = (stdout: string) =>
  lines(stdout).flatMap((line) => /^\S (\w+) +(\w+_\w+)/u.exec(line)?.slice(1, 3).join(" ") ?? []);

const STORY = [
  "preparing write_file",
  "preparing write_file",
  "pending write_file",
  "pending write_file",
  "running write_file",
  "completed write_file",
  "running write_file",
  "completed write_file",
  "preparing count_words",
  "preparing read_file",
  "pending count_words",
  "pending read_file",
  "running count_words",
  "completed count_words",
  "running read_file",
  "failed read_file",
  "preparing delete_file",
  "pending delete_file",
  "running delete_file",
  "awaiting delete_file",
  "running delete_file",
  "completed delete_file",
];

// The runs wait more than they work: together they take little longer than one.
describe("callwire demo", { concurrent: true, timeout: 60_000 }, () => {
  it("plays its story as plain lines, one per change of a card, and counts the cards last", async () => {
    const { stdout, stderr, code } = await callwire(["demo", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toContain("\u001b");
    expect(states(stdout)).toEqual(STORY);
    expect(stdout).toContain("→ tool-error: There is no file budget.md. Files there: draft.txt, packing.md, trip.md.");
    expect(stdout).not.toContain("(edited)");
    const [answer, count] = lines(stdout).slice(-2);
    expect(answer).toContain("Done: trip.md (55 words) and packing.md are written; draft.txt is deleted.");
    expect(count).toBe("5 cards: 4 completed, 1 failed, 0 discarded, 0 open");
  });

  it("deletes nothing with --no, and its answer says so", async () => {
    const { stdout, code } = await run(["demo", "--no"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/denied +delete_file .*→ The user did not approve/u);
    expect(lines(stdout).at(-2)).toContain("draft.txt stays, as nobody agreed to delete it");
    expect(lines(stdout).at(-1)).toBe("5 cards: 3 completed, 2 failed, 0 discarded, 0 open");
  });

  it("fails closed where there is neither a terminal nor a flag", async () => {
    const { stdout, code } = await run(["demo"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/failed +delete_file .*→ no-approver: /u);
    expect(lines(stdout).at(-1)).toBe("5 cards: 3 completed, 2 failed, 0 discarded, 0 open");
  });

  it("prints with --json nothing but a log of events that the schema and the checker accept", async () => {
    const { stdout, stderr, code } = await run(["demo", "--json", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const events = lines(stdout).map((line) => JSON.parse(line) as TurnEvent);
    for (const event of events) expect(turnEventSchema.parse(event)).toEqual(event);
    expect(() => assertEvents(events)).not.toThrow();
    expect(events.at(-1)).toMatchObject({ type: "turn-end", stopReason: "answered" });
    expect(events.some((event) => event.type === "tool-call-progress" && event.progress === 100)).toBe(true);
  });

  it("settles the turn on SIGINT and exits with 130", async () => {
    const { child, until, finished } = start(commandLine(["demo", "--yes"]));
    await until(/preparing .*call_packing/u);
    child.kill("SIGINT");
    const { stdout, code } = await finished;
    expect(code).toBe(130);
    expect(states(stdout).slice(-2)).toEqual(["discarded write_file", "discarded write_file"]);
    expect(lines(stdout).slice(-2)).toEqual(["The turn was cancelled.", "2 cards: 0 completed, 0 failed, 2 discarded, 0 open"]);
  });

  it("ends quietly when its reader leaves", async () => {
    const { child, until, finished } = start(commandLine(["demo", "--json", "--yes"]));
    await until(/turn-start/u);
    child.stdout?.destroy();
    const { stderr, code } = await finished;
    expect({ stderr, code }).toEqual({ stderr: "", code: 141 });
  });
});
