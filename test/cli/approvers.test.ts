// Who answers: one question at a time, only by a key that means an answer, and never after it was withdrawn.
import type { ApprovalRequest } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { KeyApprover, standingApprover } from "../../packages/cli/src/approvers.ts";

const request = (name: string): ApprovalRequest => ({ approvalId: `a-${name}`, toolCallId: `c-${name}`, name, input: {} });
const signal = new AbortController().signal;

function keyApprover() {
  const shown: (string | undefined)[] = [];
  return { shown, approver: new KeyApprover((open) => shown.push(open?.name)) };
}

describe("a person at the keyboard", () => {
  it.each([
    ["y", "allow"],
    ["Y", "allow"],
    ["n", "deny"],
    ["escape", "deny"],
    ["c", "cancel"],
  ])("answers %s with %s", async (key, answer) => {
    const { approver } = keyApprover();
    const asked = approver.ask(request("a"), { signal });
    approver.press(key);
    expect(await asked).toEqual({ answer, by: "keyboard" });
  });

  it("is asked one question at a time, in order", async () => {
    const { approver, shown } = keyApprover();
    const answers = Promise.all(["a", "b", "c"].map((name) => approver.ask(request(name), { signal })));
    for (const key of ["y", "n", "y"]) approver.press(key);
    expect((await answers).map(({ answer }) => answer)).toEqual(["allow", "deny", "allow"]);
    expect(shown).toEqual(["a", "b", "c", undefined]);
  });

  it("answers nothing with other keys, nor before a question is there", async () => {
    const { approver, shown } = keyApprover();
    approver.press("y");
    const asked = approver.ask(request("a"), { signal });
    for (const key of ["x", " ", "\r", "1"]) approver.press(key);
    expect(shown).toEqual(["a"]);
    approver.press("n");
    expect((await asked).answer).toBe("deny");
  });

  it("does not see a question that was withdrawn, and the next one takes its place", async () => {
    const { approver, shown } = keyApprover();
    const stop = new AbortController();
    const first = approver.ask(request("a"), { signal: stop.signal });
    const second = approver.ask(request("b"), { signal });
    stop.abort();
    expect((await first).answer).toBe("deny");
    approver.press("y");
    expect((await second).answer).toBe("allow");
    expect(shown).toEqual(["a", "b", undefined]);
  });

  it("is not shown its question again when a later one is withdrawn", async () => {
    const { approver, shown } = keyApprover();
    const stop = new AbortController();
    const first = approver.ask(request("a"), { signal });
    const second = approver.ask(request("b"), { signal: stop.signal });
    stop.abort();
    expect((await second).answer).toBe("deny");
    expect(shown).toEqual(["a"]);
    approver.press("y");
    expect((await first).answer).toBe("allow");
  });

  it("is not asked at all when the question is withdrawn already", async () => {
    const { approver, shown } = keyApprover();
    expect((await approver.ask(request("a"), { signal: AbortSignal.abort() })).answer).toBe("deny");
    expect(shown).toEqual([undefined]);
  });
});

it("a flag answers every question alike", async () => {
  expect(await standingApprover("allow").ask(request("a"), { signal })).toEqual({ answer: "allow", by: "--yes" });
  expect(await standingApprover("deny").ask(request("a"), { signal })).toEqual({ answer: "deny", by: "--no" });
});
