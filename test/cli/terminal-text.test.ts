// Text for terminals: nothing of it is obeyed, and every line fits.
import { describe, expect, it } from "vitest";
import { clip, displayWidth, oneLine, printable, wrap, wrapRows } from "../../packages/cli/src/terminal-text.ts";

describe("printable", () => {
  it("shows what a terminal would obey: escapes, bells, bidi overrides, backspaces", () => {
    expect(printable("\u001b[31mred\u001b]0;title\u0007")).toBe("␛[31mred␛]0;title␇");
    expect(printable("safe\u202egnp.exe\u2066\u200b")).toBe("safe\ufffdgnp.exe\ufffd\ufffd");
    expect(printable("a\u0008\u007f\u009b1A")).toBe("a␈␡\ufffd1A");
  });

  it("keeps line breaks and emoji sequences; a carriage return cannot overwrite a line", () => {
    expect(printable("rm -rf /\rls\r\nok\tend")).toBe("rm -rf /\nls\nok  end");
    expect(printable("👩‍💻")).toBe("👩‍💻");
  });
});

describe("displayWidth", () => {
  it.each([
    ["plain", 5],
    ["é", 1],
    ["e\u0301", 1],
    ["日本語", 6],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["👩‍💻", 2],
    ["🇵🇹", 2],
    ["❤️", 2],
    ["✓ ◌ –", 5],
    ["", 0],
  ])("of %j is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("clip", () => {
  it("cuts by columns and never through a character", () => {
    expect(clip("short", 5)).toBe("short");
    expect(clip("longer", 5)).toBe("long…");
    expect(clip("日本語", 5)).toBe("日本…");
    expect(clip("日本語", 4)).toBe("日…");
    expect(clip("👩‍💻👩‍💻", 3)).toBe("👩‍💻…");
    expect(clip("x", 0)).toBe("");
  });
});

describe("wrap", () => {
  it("breaks at spaces, inside words only where it must, and keeps line breaks", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("abcdefgh ij", 4)).toEqual(["abcd", "efgh", "ij"]);
    expect(wrap("a\n\nb", 4)).toEqual(["a", "", "b"]);
    expect(wrap("      x", 4)).toEqual(["", "x"]);
  });

  it("keeps all rows but the last when the text grows", () => {
    const text = "  Some text,  with   gaps and\n\nbreaks 日本語日本語, and_a_very_long_word_that_fits_nowhere   .\n  end  ";
    for (const width of [3, 9, 14]) {
      let taken: string[] = [];
      let rest = "";
      for (const character of text) {
        rest += character;
        const rows = wrapRows(rest, width);
        const last = rows.at(-3);
        if (last === undefined) continue;
        taken = [...taken, ...rows.slice(0, -2).map((row) => row.text)];
        rest = rest.slice(last.next);
      }
      expect([...taken, ...wrap(rest, width)]).toEqual(wrap(text, width));
    }
  });

  it("gives lines that fit, whatever the text, and loses nothing but white space", () => {
    const text = "日本語 mixed with 한국어 and a_very_long_word_without_any_space, 👩‍💻 emoji  and   gaps ".repeat(5);
    for (const width of [2, 3, 7, 20, 79]) {
      const lines = wrap(text, width);
      expect(lines.every((line) => displayWidth(line) <= width)).toBe(true);
      expect(lines.join("").replace(/\s/gu, "")).toBe(text.replace(/\s/gu, ""));
    }
  });
});

it("oneLine folds white space of any kind", () => {
  expect(oneLine("  a\n\tb\u2028c \u001b[2J")).toBe("a b c ␛[2J");
});
