// The text and reasoning of an answer while it is written, and where its calls stand between them.
import type { AssistantBlock, ReasoningBlock } from "@callwire/wire";
import { type CallRun, pushBlocks } from "./call-run.ts";

type DraftBlock =
  | { readonly type: "text"; text: string }
  | { readonly type: "reasoning"; text: string; payload?: ReasoningBlock["payload"] };

/** Collects what one attempt says. `calls` in each method: how many calls were shown before. */
export class AnswerDraft {
  readonly #blocks: DraftBlock[] = [];
  /** Per block, so that the message keeps the model's order. */
  readonly #callsBefore: number[] = [];

  text(piece: string, calls: number): void {
    this.#open("text", calls).text += piece;
  }

  /** A piece continues the last block; a block with its payload stands alone. */
  reasoning(piece: string | ReasoningBlock, calls: number): void {
    if (typeof piece === "string") {
      if (piece !== "") this.#open("reasoning", calls).text += piece;
      return;
    }
    const block: DraftBlock = { type: "reasoning", text: piece.text };
    if (piece.payload !== undefined) block.payload = piece.payload;
    this.#push(block, calls);
  }

  /** All text blocks. */
  get wholeText(): string {
    let text = "";
    for (const block of this.#blocks) if (block.type === "text") text += block.text;
    return text;
  }

  /** The blocks of the answer with the given calls where the model made them. */
  content(calls: readonly CallRun[]): AssistantBlock[] {
    const content: AssistantBlock[] = [];
    let next = 0;
    const callsUpTo = (end: number) => {
      for (let call = calls[next]; next < end && call !== undefined; call = calls[++next]) pushBlocks(content, call);
    };
    this.#blocks.forEach((block, i) => {
      callsUpTo(this.#callsBefore[i] ?? 0);
      content.push(block);
    });
    callsUpTo(calls.length);
    return content;
  }

  #open(type: DraftBlock["type"], calls: number): DraftBlock {
    const last = this.#blocks.at(-1);
    const mergeable = last !== undefined && last.type === type && !("payload" in last);
    return mergeable && this.#callsBefore.at(-1) === calls ? last : this.#push({ type, text: "" }, calls);
  }

  #push(block: DraftBlock, calls: number): DraftBlock {
    this.#blocks.push(block);
    this.#callsBefore.push(calls);
    return block;
  }
}
