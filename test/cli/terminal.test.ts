// The commands as a person at a terminal meets them: cards in place, a question, Ctrl-C, a conversation.
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startChatServer } from "./chat-server.ts";
import { Screen } from "./screen.ts";
import { tempFolder } from "./temp-folder.ts";
import { COLUMNS, NO_TERMINAL, onTerminal } from "./terminal.ts";

const temp = tempFolder();

function emptyTmp(name: string): string {
  const folder = join(temp, name);
  mkdirSync(folder);
  return folder;
}

/** What is on the screen in the end. */
function screen(stdout: string): Screen {
  const drawn = new Screen(COLUMNS);
  drawn.write(stdout);
  return drawn;
}

const title = NO_TERMINAL === undefined ? "on a terminal" : `on a terminal (skipped: ${NO_TERMINAL})`;
describe.skipIf(NO_TERMINAL !== undefined)(title, { concurrent: true, timeout: 60_000 }, () => {
  it("callwire demo redraws its cards in place, asks, and gives the cursor back", async () => {
    const { until, keys, finished } = onTerminal(["demo"], { env: { NO_COLOR: "1", TMPDIR: emptyTmp("ask") } });
    await until(/Allow delete_file\?/u);
    keys("xy");
    const { stdout, code } = await finished;
    expect(code).toBe(0);
    const { cursor, ...drawn } = { cursor: screen(stdout).cursor, text: screen(stdout).text() };
    expect(cursor).toBe(true);
    const rows = drawn.text.trimEnd().split("\n");
    expect(rows.filter((row) => /^ {2}\S \w/u.test(row)).map((row) => row.trim().split(/ +/u)[1])).toEqual([
      "completed",
      "completed",
      "completed",
      "failed",
      "completed",
    ]);
    expect(drawn.text).not.toMatch(/Allow|preparing|waiting/u);
    expect(rows.at(-1)).toBe("5 cards: 4 completed, 1 failed, 0 discarded, 0 open");
    // Each state was on the screen at some time: preparing long enough to be redrawn with its age.
    expect(stdout.match(/◌ preparing {3}write_file {2}call_notes {2}\d\.\ds/gu)?.length).toBeGreaterThan(3);
    expect(stdout).toMatch(/\d+% {2}line \d of 9/u);
    for (const color of [1, 2, 31, 32, 33, 36]) expect(stdout).not.toContain(`\u001b[${color}m`);
  });

  it("callwire demo ends on Ctrl-C with 130, settled, with the cursor and without its folder", async () => {
    const tmp = emptyTmp("ctrl-c");
    const { until, keys, finished } = onTerminal(["demo"], { env: { TMPDIR: tmp } });
    await until(/call_packing/u);
    keys("\u0003");
    const { stdout, code } = await finished;
    expect(code).toBe(130);
    expect(screen(stdout).cursor).toBe(true);
    expect(screen(stdout).text()).toMatch(/The turn was cancelled\.\n\n2 cards: .*0 open\n$/u);
    // Colors are on, as nothing turned them off.
    expect(stdout).toContain("\u001b[2m");
    expect(readdirSync(tmp).filter((name) => name.startsWith("callwire"))).toEqual([]);
  });

  it("callwire chat keeps its conversation through Ctrl-C, and asks before it writes", async () => {
    const server = await startChatServer();
    const cwd = emptyTmp("chat");
    const env = { OPENAI_BASE_URL: server.baseURL, NO_COLOR: "1" };
    const { until, keys, finished, stdout: now } = onTerminal(["chat", "--model", "m"], { env, cwd });
    await until(/m at 127\.0\.0\.1:\d+\. \/reset forgets[\s\S]*> /u);
    keys("hello\r");
    await until(/Hello to you\.[\s\S]*> /u);
    keys("slow\r");
    await until(/a very long answer a very/u);
    keys("\u0003");
    await until(/The turn was cancelled\.[\s\S]*> /u);
    // At the prompt Ctrl-C only empties the line.
    keys("nonsense\u0003");
    keys("hello again\r");
    await until(/hello again[\s\S]*Hello to you\.[\s\S]*> /u);
    // What is pasted in one piece is one prompt.
    keys("hello pasted\rsecond line");
    await until(/second line[\s\S]*Hello to you\.[\s\S]*> /u);
    keys("write it\r");
    await until(/Allow write_file\?[\s\S]*content: made/u);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    keys("y");
    await until(/The tool says: Wrote new\.txt[\s\S]*> /u);
    expect(readFileSync(join(cwd, "new.txt"), "utf8")).toBe("made");
    keys("\u0004");
    const { code } = await finished;
    expect({ code, cursor: now().lastIndexOf("\u001b[?25h") > now().lastIndexOf("\u001b[?25l") }).toEqual({
      code: 0,
      cursor: true,
    });
    const requests = server.takeRequests();
    expect(requests.some((request) => request.at(-1) === "user: hello pasted\nsecond line")).toBe(true);
    const last = requests.find((request) => request.at(-1) === "user: hello again");
    expect(last?.slice(0, 3)).toEqual(["user: hello", "assistant: Hello to you.", "user: slow"]);
    expect(last?.[3]).toMatch(/^assistant: a very long answer/u);
    expect(last?.slice(4)).toEqual(["user: hello again"]);
    await server.close();
  });
});
