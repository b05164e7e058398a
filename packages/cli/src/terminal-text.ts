// Text as a terminal shows it: harmless characters only, measured, cut and wrapped by display width.

// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]/gu;
const ASCII = /^[\u0020-\u007e]*$/;
const EMOJI = /^\p{Regional_Indicator}{2}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\uFE0F/u;
const ZERO = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
// East Asian Width "W" and "F" of Unicode, joined to whole blocks.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x0a) return "\n";
  if (code === 0x09) return "  ";
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/** Text without anything that a terminal obeys: control and bidi characters become visible signs. Line breaks stay. */
export function printable(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(UNSAFE, visible);
}

/** As `printable`, on one line: white space of any kind becomes one space. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s+/gu, " ")).trim();
}

function graphemeWidth(grapheme: string): number {
  if (ASCII.test(grapheme)) return grapheme.length;
  if (ZERO.test(grapheme)) return 0;
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1;
}

function* measured(text: string): Generator<readonly [grapheme: string, width: number]> {
  for (const { segment } of graphemes.segment(text)) yield [segment, graphemeWidth(segment)];
}

/** Columns that a line of printable text takes. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const [, columns] of measured(text)) width += columns;
  return width;
}

/** The beginning of a line that fits into `width` columns; what was cut off is shown as `…`. */
export function clip(text: string, width: number): string {
  if (width <= 0) return "";
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const [grapheme, columns] of measured(text)) {
    if (used + columns > width - 1) break;
    kept += grapheme;
    used += columns;
  }
  return `${kept}…`;
}

/** A row of wrapped text, and where in the text the next row begins. */
export interface Row {
  readonly text: string;
  readonly next: number;
}

/** Lines of at most `width` columns, broken at spaces where there are any. */
export function wrap(text: string, width: number): string[] {
  return wrapRows(text, width).map((row) => row.text);
}

/** As `wrap`. All rows but the last stay the same when the text grows. */
export function wrapRows(text: string, width: number): Row[] {
  const rows: Row[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    for (const row of wrapLine(line, Math.max(2, width))) rows.push({ text: row.text, next: offset + row.next });
    offset += line.length + 1;
  }
  return rows;
}

/** The line break counts to the last row of its line. */
function wrapLine(line: string, width: number): Row[] {
  if (displayWidth(line) <= width) return [{ text: line, next: line.length + 1 }];
  const rows: { text: string; next: number }[] = [];
  let from = 0;
  let used = 0;
  let afterSpace = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    const columns = graphemeWidth(segment);
    if (used + columns > width) {
      const atSpace = segment !== " " && line.slice(from, afterSpace).trim() !== "";
      const end = atSpace ? afterSpace : index;
      rows.push({ text: line.slice(from, end).trimEnd(), next: end });
      from = end;
      used = displayWidth(line.slice(from, index));
    }
    const above = rows[rows.length - 1];
    if (segment === " " && index === from && above !== undefined) {
      // Spaces at a break are not carried over; those that indent the line stay.
      above.next = ++from;
      continue;
    }
    if (segment === " ") afterSpace = index + 1;
    used += columns;
  }
  rows.push({ text: line.slice(from), next: line.length + 1 });
  return rows;
}
