// A result block and the terminal event of its call tell the same.
import { resultText, type ToolResultBlock, type ToolResultMeta } from "../../index.ts";
import { jsonEqual } from "../json-equal.ts";
import type { CallTrack, Report } from "./track.ts";

/** Compares a settled call with its block in the conversation. */
export function checkResult(call: CallTrack, block: ToolResultBlock, report: Report): void {
  const { id, terminal } = call;
  if (terminal === undefined) return;
  if (resultText(block) !== terminal.result) report("T2", `the result of ${id} is not the text of its block`);
  if ((block.is_error === true) !== (terminal.status === "failed"))
    report("T2", `${id} ${terminal.status}, its block says otherwise`);
  if (block.meta !== undefined) checkMeta(call, block.meta, report);
}

function checkMeta(call: CallTrack, meta: ToolResultMeta, report: Report): void {
  const { pending, terminal, answer } = call;
  const failed = terminal?.status === "failed" ? terminal : undefined;
  const completed = terminal?.status === "completed" ? terminal : undefined;
  const expected: ToolResultMeta = {
    round: call.round,
    reason: failed?.reason,
    executed: failed?.executed,
    title: pending?.title,
    kind: pending?.kind,
    locations: pending?.locations,
    inputProblem: pending?.inputProblem,
    input: answer?.input,
    preparedAt: pending?.preparedAt,
    display: completed?.display,
    output: completed?.output,
  };
  for (const key of Object.keys(expected) as (keyof ToolResultMeta)[]) {
    if (key === "round" && meta.round === undefined) continue;
    if (!jsonEqual(meta[key], expected[key])) report("T10", `meta.${key} of ${call.id} differs from its events`);
  }
  const { askedAt, startedAt, endedAt } = meta;
  if (startedAt !== undefined && endedAt !== undefined && startedAt > endedAt)
    report("T10", `${call.id} ended before it started`);
  if (askedAt !== undefined && !pending?.needsApproval) report("T10", `${call.id} has askedAt and did not need approval`);
}
