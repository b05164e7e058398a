// A small terminal: what a person would see after the bytes that a command wrote. Knows what the live view uses, and no more.
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven by them
const SEQUENCE = /^\u001b\[(\??)(\d*)([A-Za-z])/;

/** Rows that scrolled away stay readable: `text()` is the whole page, not only the visible part. */
export class Screen {
  readonly #columns: number;
  readonly #rows: string[] = [""];
  #row = 0;
  #column = 0;
  /** False while the cursor is hidden. */
  cursor = true;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(bytes: string): void {
    for (let rest = bytes; rest !== ""; ) {
      const [sequence, mark, count = "", letter] = SEQUENCE.exec(rest) ?? [];
      if (sequence === undefined) {
        const [character = ""] = rest;
        this.#put(character);
        rest = rest.slice(character.length);
      } else {
        this.#obey(`${mark}${letter}`, count);
        rest = rest.slice(sequence.length);
      }
    }
  }

  /** All rows, without the blanks at their ends. */
  text(): string {
    return this.#rows.map((row) => row.trimEnd()).join("\n");
  }

  #obey(command: string, count: string): void {
    if (command === "A") this.#row = Math.max(0, this.#row - Number(count || 1));
    else if (command === "J") this.#clearBelow();
    else if (command === "?l" && count === "25") this.cursor = false;
    else if (command === "?h" && count === "25") this.cursor = true;
    else if (command !== "m") throw new Error(`The screen does not know the sequence ${command}`);
  }

  #clearBelow(): void {
    this.#rows.length = this.#row + 1;
    this.#rows[this.#row] = (this.#rows[this.#row] ?? "").slice(0, this.#column);
  }

  #put(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#nextRow();
    else {
      if (this.#column >= this.#columns) this.#nextRow();
      const row = (this.#rows[this.#row] ?? "").padEnd(this.#column);
      this.#rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + character.length);
      this.#column += character.length;
    }
  }

  /** The terminal's driver turns a line feed into both. */
  #nextRow(): void {
    this.#column = 0;
    this.#row++;
    this.#rows[this.#row] ??= "";
  }
}
