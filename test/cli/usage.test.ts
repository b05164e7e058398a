// Wrong usage is named and exits with 2; help and version need nothing.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callwire } from "./run-command.ts";
import { run } from "./test-host.ts";

const manifest = JSON.parse(readFileSync(new URL("../../packages/cli/package.json", import.meta.url), "utf8")) as {
  readonly version: string;
};

describe("callwire", () => {
  it.each([
    { args: ["demo", "--yess"], words: "Unknown option '--yess'" },
    { args: ["demo", "--json=1"], words: "--json" },
    { args: ["demo", "extra"], words: "extra" },
    { args: ["demo", "--yes", "--no"], words: "--yes and --no contradict each other" },
    { args: ["--demo"], words: "Unknown option '--demo'" },
    { args: ["dmeo"], words: "Unknown command 'dmeo'; there are: demo, chat" },
    { args: ["constructor"], words: "Unknown command 'constructor'" },
    { args: ["chat", "--modle", "x"], words: "Unknown option '--modle'" },
    { args: ["chat", "--model"], words: "--model" },
    { args: ["chat", "-i", "hello"], words: "--interactive takes no question" },
  ])("refuses $args with 2 and names what is wrong", async ({ args, words }) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split("\n")).toHaveLength(2);
  });

  it("exits with the code of the command line", async () => {
    expect(await callwire(["--versoin"])).toMatchObject({ code: 2, stdout: "" });
    expect(await callwire(["--version"])).toEqual({ stdout: `${manifest.version}\n`, stderr: "", code: 0 });
  });

  it.each([[[]], [["--help"]], [["demo", "--help"]], [["chat", "-h"]]])("explains itself: %j", async (args: string[]) => {
    const { stdout, stderr, code } = await run(args);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout).toMatch(/^callwire/u);
  });
});
