// An approval question as plain lines, for views that do not redraw.
import type { ApprovalRequest } from "@callwire/wire";
import type { Output } from "../output.ts";
import { renderQuestion } from "../render.ts";

/** Writes the question once. Taking it away needs nothing. */
export function writeQuestion(out: Output, request: ApprovalRequest | undefined): void {
  if (request === undefined) return;
  const lines = renderQuestion(request, { width: out.size().columns - 1, now: 0, colors: out.colors });
  out.write(`${lines.join("\n")}\n`);
}
