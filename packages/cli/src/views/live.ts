// A turn on a terminal: what is settled scrolls up, what still lives is redrawn in place below it.
import type { Card, CardCounts } from "@callwire/cards";
import type { ApprovalRequest, TurnEvent } from "@callwire/wire";
import type { Output } from "../output.ts";
import { duration, type Look, paint, renderCard, renderQuestion } from "../render.ts";
import { LiveRegion } from "./live-region.ts";
import { LiveText } from "./live-text.ts";
import { endingNote, TurnFold, textOf } from "./turn-fold.ts";
import type { View } from "./view.ts";

/** Calls `tick` again and again until the returned function is called. */
export type Ticker = (tick: () => void) => () => void;

const everyFrame: Ticker = (tick) => {
  const timer = setInterval(tick, 60);
  return () => clearInterval(timer);
};

/** Lines longer than this are hard to read, however wide the terminal is. */
const MAX_TEXT_WIDTH = 100;
/** Rows of live text that are held back, so that a withdrawn attempt can take them away. */
const KEPT_ROWS = 10;

export class LiveView implements View {
  readonly #region: LiveRegion;
  readonly #out: Output;
  readonly #now: () => number;
  readonly #ticker: Ticker;
  readonly #fold = new TurnFold();
  /** Ids of the cards in the region, in the order of first evidence. */
  readonly #live = new Set<string>();
  readonly #text = new LiveText();
  #waitingSince: number | undefined;
  #question: ApprovalRequest | undefined;
  #stopTicking: (() => void) | undefined;

  constructor(out: Output, now: () => number = Date.now, ticker: Ticker = everyFrame) {
    this.#out = out;
    this.#region = new LiveRegion(out);
    this.#now = now;
    this.#ticker = ticker;
  }

  event(event: TurnEvent): void {
    if (event.type === "turn-start") this.#open();
    for (const card of this.#fold.push(event)) this.#card(card);
    this.#take(event);
  }

  question(request: ApprovalRequest | undefined): void {
    this.#question = request;
    this.#draw();
  }

  counts(): CardCounts {
    return this.#fold.counts();
  }

  close(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.#waitingSince = undefined;
    this.#text.withdraw();
    this.#question = undefined;
    this.#commitCards();
    this.#region.close();
  }

  #open(): void {
    this.#region.open(() => this.#draw());
    this.#waitingSince = this.#now();
    this.#stopTicking ??= this.#ticker(() => this.#draw());
  }

  #take(event: TurnEvent): void {
    switch (event.type) {
      case "text-delta":
        this.#waitingSince = undefined;
        this.#text.add(event.textDelta);
        return;
      case "attempt-discarded":
        this.#withdrawText(event.reason);
        this.#endRound();
        return;
      case "message":
        if (event.message.role === "assistant") this.#commitText(textOf(event.message));
        else if (event.message.role === "tool") this.#endRound();
        return;
      case "turn-end": {
        this.close();
        const note = endingNote(event);
        if (note !== undefined) this.#out.write(`${paint(note, "dim", this.#look())}\n`);
        return;
      }
      default:
    }
  }

  #card(card: Card): void {
    this.#waitingSince = undefined;
    this.#live.add(card.toolCallId);
  }

  /** The cards of an attempt or a round are what they will stay. */
  #endRound(): void {
    this.#commitCards();
    this.#waitingSince = this.#now();
  }

  #commitCards(): void {
    const lines = this.#cardLines(this.#look());
    this.#live.clear();
    if (lines.length > 0) this.#commit([...lines, ""]);
  }

  #commitText(text: string): void {
    this.#waitingSince = undefined;
    const lines = this.#text.accept(text, this.#textWidth());
    if (lines.length > 0) this.#commit(lines);
  }

  #withdrawText(reason: string): void {
    if (this.#text.withdraw()) this.#commit([paint(`(The text above is withdrawn: ${reason}.)`, "dim", this.#look())]);
  }

  #commit(lines: readonly string[]): void {
    this.#region.draw(this.#regionLines(), lines);
  }

  #draw(): void {
    const above = this.#text.overflow(this.#textWidth(), Math.min(KEPT_ROWS, Math.ceil(this.#out.size().rows / 3)));
    this.#region.draw(this.#regionLines(), above);
  }

  #look(): Look {
    return { width: this.#out.size().columns - 1, now: this.#now(), colors: this.#out.colors };
  }

  #textWidth(): number {
    return Math.min(MAX_TEXT_WIDTH, this.#out.size().columns - 1);
  }

  #cardLines(look: Look): string[] {
    const inner = { ...look, width: look.width - 2 };
    const cards = [...this.#live].map((id) => this.#fold.get(id)).filter((card) => card !== undefined);
    return cards.flatMap((card) => renderCard(card, inner).map((line) => `  ${line}`));
  }

  #regionLines(): string[] {
    const look = this.#look();
    const lines = [...this.#text.rows(this.#textWidth()), ...this.#cardLines(look)];
    if (this.#question !== undefined) lines.push("", ...renderQuestion(this.#question, look));
    if (this.#waitingSince !== undefined) {
      lines.push(paint(`… waiting for the model  ${duration(look.now - this.#waitingSince)}`, "dim", look));
    }
    return lines;
  }
}
