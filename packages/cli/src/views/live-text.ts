// The text of a running attempt on a terminal: its end can still be withdrawn, what is far enough above scrolls up for good.
import { printable, wrap, wrapRows } from "../terminal-text.ts";

export class LiveText {
  #text = "";
  /** Text of this attempt was seen. */
  #seen = false;
  /** Rows of this attempt scrolled up. */
  #scrolled = false;

  add(piece: string): void {
    this.#seen = true;
    this.#text += printable(piece);
  }

  /** Nothing of it is in the region. */
  get empty(): boolean {
    return this.#text === "";
  }

  /** The rows that are still in the region. */
  rows(width: number): string[] {
    return this.#text === "" ? [] : wrap(this.#text, width);
  }

  /** Takes the rows above the last `keep` ones out: they are complete and will not change. */
  overflow(width: number, keep: number): string[] {
    const rows = wrapRows(this.#text, width);
    const last = rows[rows.length - keep - 1];
    if (last === undefined) return [];
    this.#text = this.#text.slice(last.next);
    this.#scrolled = true;
    return rows.slice(0, -keep).map((row) => row.text);
  }

  /** The attempt was accepted: returns the rest of its text. `whole` is what the message says, for text that never streamed. */
  accept(whole: string, width: number): string[] {
    const rest = (this.#seen ? this.#text : printable(whole)).replace(/\n+$/u, "");
    this.#reset();
    return rest === "" ? [] : wrap(rest, width);
  }

  /** The attempt was abandoned: its text goes. True when a part of it has scrolled up and must be taken back in words. */
  withdraw(): boolean {
    const scrolled = this.#scrolled;
    this.#reset();
    return scrolled;
  }

  #reset(): void {
    this.#text = "";
    this.#seen = false;
    this.#scrolled = false;
  }
}
