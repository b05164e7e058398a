// Four ways to break the product's promises, as edits of its sources, and the claims that must notice each.

/** An edit: in the file whose path ends with `file`, `from` (which must occur) becomes `to`. */
export interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface Mutant {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Tests of the claims suite that must fail; `exactly`: those and no others. */
  readonly caughtBy: readonly string[];
  readonly exactly: boolean;
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: "no-emit",
    edits: [
      {
        file: "agent/src/agent-task.ts",
        from: 'this.events.emit("stream_chunk",',
        to: '((..._: unknown[]) => {})("stream_chunk",',
      },
    ],
    caughtBy: ["delivers every status of a call to the subscribers of stream_chunk"],
    exactly: false,
  },
  {
    name: "failed-as-completed",
    edits: [{ file: "agent/src/turn/result.ts", from: 'status: "failed"', to: 'status: "completed" as "failed"' }],
    caughtBy: ["reports a call that did not end well as failed, with its reason [E2f]"],
    exactly: false,
  },
  {
    name: "pending-in-the-run-loop",
    edits: [
      {
        file: "agent/src/turn/turn.ts",
        from: "for (const call of calls) announce(turn, call);",
        to: "for (const call of calls) if (call.model.providerExecuted) announce(turn, call);",
      },
      {
        file: "agent/src/turn/announce.ts",
        from: "export function running(turn: TurnState, call: CallRun): void {",
        to: "export function running(turn: TurnState, call: CallRun): void {\n  if (!call.model.providerExecuted) announce(turn, call);",
      },
    ],
    caughtBy: ["announces every call of a round before any runs [T1a]"],
    exactly: true,
  },
  {
    name: "result-rebuilt",
    edits: [
      {
        file: "agent/src/turn/result.ts",
        from: "  tell(turn, call, call.block);",
        to: "  const rebuilt = ending.ok ? told(ending.value).text : ending.text;\n  tell(turn, call, { ...call.block, content: [{ type: 'text', text: rebuilt }] });",
      },
    ],
    caughtBy: ["shows the text that the model reads, clamp included [T2a]"],
    exactly: true,
  },
];
