// The lines at the bottom of a terminal that are drawn over and over, and the cursor that is hidden meanwhile.
import { stripVTControlCharacters } from "node:util";
import type { Output } from "../output.ts";
import { displayWidth } from "../terminal-text.ts";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const CLEAR_BELOW = "\u001b[J";

/** Draws lines in place. Each line must fit into the terminal's width. */
export class LiveRegion {
  readonly #out: Output;
  /** Widths of the lines on the screen. */
  #drawn: readonly number[] = [];
  #last = "";
  #stop: (() => void) | undefined;

  constructor(out: Output) {
    this.#out = out;
  }

  /** Takes the cursor. `redraw` is called when the terminal changed its size. */
  open(redraw: () => void): void {
    if (this.#stop !== undefined) return;
    const restore = () => this.#out.write(SHOW_CURSOR);
    process.on("exit", restore);
    const offResize = this.#out.onResize(redraw);
    this.#stop = () => {
      process.off("exit", restore);
      offResize();
    };
    this.#out.write(HIDE_CURSOR);
  }

  /** Replaces the region; `above` scrolls up and stays. One write, and none when nothing changed. */
  draw(lines: readonly string[], above: readonly string[] = []): void {
    const { columns, rows } = this.#out.size();
    // The last row belongs to the cursor; what does not fit is cut off above, where it is oldest.
    const shown = lines.length < rows ? lines : lines.slice(lines.length - rows + 1);
    const content = shown.map((line) => `${line}\n`).join("");
    if (above.length === 0 && content === this.#last) return;
    this.#out.write(this.#eraser(columns) + above.map((line) => `${line}\n`).join("") + content);
    this.#drawn = shown.map((line) => displayWidth(stripVTControlCharacters(line)));
    this.#last = content;
  }

  /** Erases the region and gives the cursor back. */
  close(): void {
    if (this.#stop === undefined) return;
    this.draw([]);
    this.#stop();
    this.#stop = undefined;
    this.#out.write(SHOW_CURSOR);
  }

  /** A terminal that became narrower has wrapped the lines that were drawn. */
  #eraser(columns: number): string {
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return rows === 0 ? "" : `\u001b[${rows}A\r${CLEAR_BELOW}`;
  }
}
