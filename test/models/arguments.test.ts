// What argument text means in the end: decoded strictly, never repaired, and no payload in the words about it.
import type { ModelCall } from "@callwire/wire";
import { describe, expect, it } from "vitest";
import { track, U } from "./track-pieces.ts";

/** The end of one call whose argument text is `text`. */
function ended(text: unknown, emptyIsObject = true): ModelCall | undefined {
  return track([0, "a", "f", text]).calls(emptyIsObject)[0];
}

const problemOf = (text: unknown, emptyIsObject = true) => ended(text, emptyIsObject)?.problem?.code;

describe("arguments", () => {
  it.each([undefined, null, "", "  \n", "null", " null ", "{}"])("are {} for %j when the answer ended well [T5f]", (text) => {
    expect(ended(text)?.input).toEqual({});
  });

  it.each([undefined, null, "", " ", "null"])("are missing for %j when the answer may be cut", (text) => {
    expect(problemOf(text, false)).toBe("invalid-json");
  });

  it("are the object inside a JSON string whose whole text is an object [T5g]", () => {
    expect(ended('"{ \\"n\\": 2 }"')?.input).toEqual({ n: 2 });
    expect(problemOf('"{ \\"n\\": 2"')).toBe("not-an-object");
    expect(problemOf('"[1]"')).toBe("not-an-object");
  });

  it("may be an object already, also when it comes again or after an empty one", () => {
    expect(ended({ a: 1 })?.input).toEqual({ a: 1 });
    expect(track([0, "a", "f", {}], [0, U, U, { b: 2 }], [0, U, U, { b: 2 }]).calls()[0]?.input).toEqual({ b: 2 });
    expect(track([0, "a", "f", {}], [0, U, U, '{"c":3}']).calls()[0]?.input).toEqual({ c: 3 });
    expect(track([0, "a", "f", { a: 1 }], [0, U, U, { b: 2 }]).calls()[0]?.problem?.code).toBe("invalid-json");
  });

  it.each(["[]", "1", "true", '"text"', [] as unknown[], 7, false])("must have an object as their root: %j is none", (text) => {
    expect(problemOf(text)).toBe("not-an-object");
  });

  it.each(['{"a":1', '{"a":1}}', '{"a":1}{"a":1}', "{'a':1}", '{"a":1,}', "undefined", "```json\n{}\n```", '{"a":"\n"}'])(
    "are never repaired: %j [T5h]",
    (text) => {
      expect(problemOf(text)).toBe("invalid-json");
    },
  );

  it.each(['{"secret":hunter2}', "hunter2", '{"a":"hunter2', '["hunter2",]', '"hunter2', '{"hunter2":1}hunter2'])(
    "quote the parser's problem and not the payload: %j",
    (text) => {
      const message = ended(text)?.problem?.message ?? "";
      expect(message).toMatch(/^The arguments are not valid JSON: [A-Z].*\(\d+ characters came\)\.$/);
      expect(message).not.toContain("hunter2");
    },
  );

  it("of a free-text tool are its text [T5j]", () => {
    const { tracker, slots } = track([0, "a", "patch", "*** Begin"], [0, U, U, " Patch"]);
    tracker.markFreeText(slots[0] ?? -1);
    expect(tracker.calls(false)[0]?.input).toEqual({ input: "*** Begin Patch" });
  });

  it("leave falsy values and unicode escapes as they are", () => {
    expect(ended('{\n  "n": 0,\n  "s": "\\u2603"\n}')?.input).toEqual({ n: 0, s: "☃" });
  });
});
