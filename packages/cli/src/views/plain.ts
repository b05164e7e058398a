// A turn as append-only lines: text line by line, one line per change of a card's state.
import type { Card, CardCounts } from "@callwire/cards";
import type { ApprovalRequest, TurnEvent } from "@callwire/wire";
import type { Output } from "../output.ts";
import { cardHead, outcome } from "../render.ts";
import { clip, printable } from "../terminal-text.ts";
import { writeQuestion } from "./question-lines.ts";
import { endingNote, TurnFold } from "./turn-fold.ts";
import type { View } from "./view.ts";

/** Lines go to files and pipes, which have no width: long enough to be useful, short enough to be read. */
const HEAD_WIDTH = 160;
const OUTCOME_WIDTH = 240;

export class PlainView implements View {
  readonly #out: Output;
  readonly #ask: Output;
  readonly #fold = new TurnFold();
  readonly #shown = new Map<string, Card["state"]>();
  #line = "";
  /** Text of the running attempt was printed already. */
  #printed = false;

  /** Questions to a person go to `ask`. */
  constructor(out: Output, ask: Output) {
    this.#out = out;
    this.#ask = ask;
  }

  event(event: TurnEvent): void {
    if (event.type === "text-delta") this.#text(event.textDelta);
    if (event.type === "message" && event.message.role === "assistant") this.#endText();
    if (event.type === "attempt-discarded") this.#withdraw(event.reason);
    for (const card of this.#fold.push(event)) this.#card(card, event.at);
    if (event.type !== "turn-end") return;
    this.#endText();
    const note = endingNote(event);
    if (note !== undefined) this.#out.write(`${note}\n`);
  }

  question(request: ApprovalRequest | undefined): void {
    writeQuestion(this.#ask, request);
  }

  counts(): CardCounts {
    return this.#fold.counts();
  }

  close(): void {
    this.#endText();
  }

  #text(piece: string): void {
    const lines = (this.#line + piece).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.#out.write(`${printable(line)}\n`);
    this.#printed ||= lines.length > 0;
  }

  /** Ends a line that was begun: other lines follow, or nothing does. */
  #flush(): void {
    if (this.#line === "") return;
    this.#out.write(`${printable(this.#line)}\n`);
    this.#line = "";
    this.#printed = true;
  }

  #endText(): void {
    this.#flush();
    this.#printed = false;
  }

  /** What was not printed yet is never printed; what was is taken back in words. */
  #withdraw(reason: string): void {
    this.#line = "";
    if (this.#printed) this.#out.write(`(The text above is withdrawn: ${reason}.)\n`);
    this.#printed = false;
  }

  #card(card: Card, now: number): void {
    if (this.#shown.get(card.toolCallId) === card.state) return;
    this.#shown.set(card.toolCallId, card.state);
    this.#flush();
    const head = cardHead(card, { width: HEAD_WIDTH, now, colors: false });
    const below = outcome(card);
    this.#out.write(`${head}${below === "" ? "" : `  → ${clip(below, OUTCOME_WIDTH)}`}\n`);
  }
}
