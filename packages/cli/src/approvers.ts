// Who answers approval questions: a person at the keyboard, one question at a time, or a flag.
import type { ApprovalRequest, ApprovalResponse, Approver } from "@callwire/wire";
import type { Key } from "./keyboard.ts";

/** Answers every question alike, for `--yes` and `--no`. */
export function standingApprover(answer: "allow" | "deny"): Approver {
  return { ask: async () => ({ answer, by: answer === "allow" ? "--yes" : "--no" }) };
}

interface Question {
  readonly request: ApprovalRequest;
  answer(response: ApprovalResponse): void;
}

/** The keys that answer, in the words of the prompt. */
export const ANSWER_KEYS = "[y] allow   [n] deny   [c] deny and stop the turn";

function answerOf(key: Key): ApprovalResponse["answer"] | undefined {
  switch (key.toLowerCase()) {
    case "y":
      return "allow";
    case "n":
    case "escape":
      return "deny";
    case "c":
      return "cancel";
    default:
      return undefined;
  }
}

/** Asks a person: shows the first open question, takes its answer from the next key that is one. */
export class KeyApprover implements Approver {
  readonly #show: (request: ApprovalRequest | undefined) => void;
  readonly #questions: Question[] = [];

  /** `show` is called with the question that is open now, and with undefined when none is. */
  constructor(show: (request: ApprovalRequest | undefined) => void) {
    this.#show = show;
  }

  ask(request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<ApprovalResponse> {
    return new Promise((resolve) => {
      const withdrawn = () => question.answer({ answer: "deny" });
      const question: Question = {
        request,
        answer: (response) => {
          signal.removeEventListener("abort", withdrawn);
          const at = this.#questions.indexOf(question);
          if (at >= 0) this.#questions.splice(at, 1);
          if (at === 0) this.#show(this.#questions[0]?.request);
          resolve(response);
        },
      };
      this.#questions.push(question);
      signal.addEventListener("abort", withdrawn, { once: true });
      if (signal.aborted) withdrawn();
      else if (this.#questions.length === 1) this.#show(request);
    });
  }

  /** Takes a key; keys that answer nothing are ignored. */
  press(key: Key): void {
    const answer = answerOf(key);
    if (answer !== undefined) this.#questions[0]?.answer({ answer, by: "keyboard" });
  }
}
