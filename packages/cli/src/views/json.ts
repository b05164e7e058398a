// A turn as NDJSON: its events, one a line, and nothing else.
import type { CardCounts } from "@callwire/cards";
import type { ApprovalRequest, TurnEvent } from "@callwire/wire";
import type { Output } from "../output.ts";
import { writeQuestion } from "./question-lines.ts";
import { TurnFold } from "./turn-fold.ts";
import type { View } from "./view.ts";

export class JsonView implements View {
  readonly #out: Output;
  readonly #ask: Output;
  readonly #fold = new TurnFold();

  /** Questions to a person go to `ask`. */
  constructor(out: Output, ask: Output) {
    this.#out = out;
    this.#ask = ask;
  }

  event(event: TurnEvent): void {
    this.#fold.push(event);
    this.#out.write(`${JSON.stringify(event)}\n`);
  }

  question(request: ApprovalRequest | undefined): void {
    writeQuestion(this.#ask, request);
  }

  counts(): CardCounts {
    return this.#fold.counts();
  }

  close(): void {}
}
