// A turn as plain data: what the model says, what the tools, the approver and the subscriber do, when the caller aborts.
export const TOOL_NAMES = ["t0", "t1", "t2"] as const;

/** One call as the model makes it. */
export interface CallSpec {
  /** The provider's id; absent or empty: one is minted. */
  readonly id: string | undefined;
  /** `ghost` is not registered, `""` is nameless. */
  readonly name: string;
  readonly input: "good" | "other" | "invalid" | "proto" | "array";
  readonly problem: "none" | "invalid-json" | "not-an-object" | "nameless" | "identity-conflict";
  /** Where its identity is pushed: before the n-th piece of the answer; -1: never, the call comes only with the end. */
  readonly early: number;
  readonly provider: "no" | "done" | "failed" | "unseen";
}

export type Push =
  | { readonly do: "text"; readonly text: string }
  | { readonly do: "reasoning"; readonly text: string; readonly block: boolean }
  | { readonly do: "fragment"; readonly slot: number }
  | { readonly do: "progress"; readonly slot: number }
  | { readonly do: "restart" }
  | { readonly do: "wait" };

export type AnswerEnd =
  | "end"
  | "tool-calls"
  | "length"
  | "refusal"
  | "malformed"
  | "pause"
  | "retryable"
  | "permanent"
  | "throw-plain"
  | "throw-sync"
  | "hang"
  | "nonsense";

export interface Answer {
  readonly pushes: readonly Push[];
  readonly calls: readonly CallSpec[];
  /** Cards that the end does not mention. */
  readonly ghosts: number;
  /** An unruly adapter: all calls name the same slot. */
  readonly sameSlot: boolean;
  readonly end: AnswerEnd;
  /** Pushes and throws after its end. */
  readonly late: boolean;
}

export type Body =
  | "sync"
  | "json"
  | "image"
  | "throw"
  | "own-words"
  | "nonsense"
  | "async"
  | "reject"
  | "heeds"
  | "late-true"
  | "never"
  | "thenable-twice"
  | "aborts";

export interface ToolSpecCase {
  readonly body: Body;
  readonly timeoutMs: number | undefined;
  readonly gate: "no" | "yes" | "asks" | "relaxes" | "throws";
  readonly host: "none" | "title" | "throws";
  readonly schema: "json" | "async" | "never" | "throws";
  readonly progress: boolean;
}

export type Reply =
  | "allow"
  | "deny"
  | "cancel"
  | "throw"
  | "reject"
  | "never"
  | "nonsense"
  | "undefined"
  | "trap"
  | "sync"
  | "twice"
  | "edited";

export type AbortAt =
  | { readonly when: "never" | "before" | "step" }
  /** Inside the n-th event (0-based), previews of calls not counted. */
  | { readonly when: "event"; readonly n: number };

export interface TurnCase {
  readonly answers: readonly Answer[];
  readonly tools: readonly [ToolSpecCase, ToolSpecCase, ToolSpecCase];
  /** Which of the odd values that tools return and throw comes first. */
  readonly odd: number;
  /** One reply per question, in order; the last one repeats. None: no approver. */
  readonly replies: readonly Reply[];
  readonly abort: AbortAt;
  readonly subscriber: "fine" | "throws" | "throws-twice";
  readonly maxRounds: number;
  readonly graceMs: number;
  readonly maxToolResultChars: number;
  readonly stopRound: boolean;
  readonly settledText: boolean;
  readonly argumentDeltas: boolean;
  readonly history: boolean;
  readonly clock: "fine" | "rejects" | "throws";
  readonly deafModel: boolean;
}
