// Cards as lines of text. Pure: the same card, time and width give the same lines.
import type { Card, CardCounts, CardState } from "@callwire/cards";
import type { ApprovalRequest, CallInput } from "@callwire/wire";
import { ANSWER_KEYS } from "./approvers.ts";
import { clip, displayWidth, oneLine, printable, wrap } from "./terminal-text.ts";

/** What the lines are drawn for. */
export interface Look {
  /** Columns that a line may take. */
  readonly width: number;
  /** Milliseconds since the epoch, for cards that are still open. */
  readonly now: number;
  readonly colors: boolean;
}

type Color = "dim" | "yellow" | "cyan" | "green" | "red" | "bold";
const CODES: { readonly [C in Color]: readonly [on: number, off: number] } = {
  dim: [2, 22],
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Text in a color, where colors are on. */
export function paint(text: string, color: Color, { colors }: Pick<Look, "colors">): string {
  const [on, off] = CODES[color];
  return colors ? `\u001b[${on}m${text}\u001b[${off}m` : text;
}

interface StateLook {
  readonly symbol: string;
  readonly word: string;
  readonly color: Color;
}

const STATES: { readonly [S in CardState]: StateLook } = {
  preparing: { symbol: "◌", word: "preparing", color: "dim" },
  pending: { symbol: "○", word: "pending", color: "dim" },
  running: { symbol: "●", word: "running", color: "cyan" },
  "awaiting-approval": { symbol: "?", word: "awaiting", color: "yellow" },
  "awaiting-input": { symbol: "?", word: "awaiting", color: "yellow" },
  completed: { symbol: "✓", word: "completed", color: "green" },
  failed: { symbol: "✗", word: "failed", color: "red" },
  denied: { symbol: "⊘", word: "denied", color: "red" },
  cancelled: { symbol: "⊘", word: "cancelled", color: "red" },
  interrupted: { symbol: "!", word: "interrupted", color: "red" },
  discarded: { symbol: "–", word: "discarded", color: "dim" },
};
const WORD_WIDTH = Math.max(...Object.values(STATES).map(({ word }) => word.length));

/** Milliseconds in words: `0.4s`, `12.0s`, `2m05s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}m${String(whole % 60).padStart(2, "0")}s`;
}

/** From its first sign to its end, or to `now` while it is open. */
function elapsed(card: Card, now: number): string {
  const from = card.preparedAt ?? card.pendingAt ?? card.runningAt;
  const open = card.status === "preparing" || card.status === "pending" || card.status === "running";
  const to = card.endedAt ?? (open && !card.interrupted && !card.hidden ? now : undefined);
  return from === undefined || to === undefined ? "" : duration(to - from);
}

const MAX_VALUE = 40;
const summaries = new WeakMap<CallInput, string>();

function valueText(value: unknown): string {
  // Only the beginning is shown: a megabyte of content is not walked through.
  if (typeof value === "string") return `"${clip(oneLine(value.slice(0, 4 * MAX_VALUE)), MAX_VALUE)}"`;
  return clip(oneLine(JSON.stringify(value)?.slice(0, 4 * MAX_VALUE) ?? String(value)), MAX_VALUE);
}

/** Arguments on one line: `path: "trip.md", content: "# Lisbon, 12 to…"`. */
export function argumentSummary(input: CallInput): string {
  let summary = summaries.get(input);
  if (summary === undefined) {
    summary = Object.entries(input)
      .map(([name, value]) => `${oneLine(name)}: ${valueText(value)}`)
      .join(", ");
    summaries.set(input, summary);
  }
  return summary;
}

function about(card: Card): string {
  if (card.status === "preparing") return oneLine(card.toolCallId);
  if (card.inputProblem !== undefined) return `unusable arguments: ${oneLine(card.inputProblem)}`;
  const edited = card.inputEdited ? " (edited)" : "";
  const title = card.title === undefined ? "" : oneLine(card.title);
  const args = card.input === undefined ? "" : argumentSummary(card.input);
  return [title, args].filter((part) => part !== "").join(" · ") + edited;
}

/** What stands below a card: its result, its progress, or what it waits for. "" when there is nothing to say. */
export function outcome(card: Card): string {
  if (card.state === "awaiting-approval") return "needs approval";
  if (card.state === "awaiting-input") return "waits for an answer";
  if (card.state === "discarded") return card.reason ?? "withdrawn";
  if (card.result !== undefined) {
    const lines = card.result.trim().split("\n");
    const text = oneLine(lines[0] ?? "") + (lines.length > 1 ? ` (+${lines.length - 1} lines)` : "");
    const reason = card.reason === undefined || card.reason === card.state ? "" : `${card.reason}: `;
    return reason + (text === "" ? "(no text)" : text);
  }
  return card.status === "running" && !card.interrupted ? progressText(card) : "";
}

function progressText({ progress: at }: Card): string {
  const { progress, total, message } = at ?? {};
  const share =
    progress === undefined
      ? ""
      : total === undefined || total <= 0
        ? String(progress)
        : `${Math.round((100 * progress) / total)}%`;
  return [share, message === undefined ? "" : oneLine(message)].filter((part) => part !== "").join("  ");
}

/** A card's head: symbol, state word, name, arguments (the id while they are on their way), elapsed time. */
export function cardHead(card: Card, look: Look): string {
  const { symbol, word, color } = STATES[card.state];
  const state = `${symbol} ${word.padEnd(WORD_WIDTH)}`;
  const time = elapsed(card, look.now);
  const timeWidth = time === "" ? 0 : time.length + 2;
  const name = clip(oneLine(card.name), Math.max(1, look.width - displayWidth(state) - 1 - timeWidth));
  const left = look.width - displayWidth(state) - 1 - displayWidth(name) - timeWidth;
  const rest = left > 4 ? clip(about(card), left - 2) : "";
  const parts = [paint(state, color, look), " ", paint(name, "bold", look)];
  if (rest !== "") parts.push("  ", rest);
  if (time !== "") parts.push("  ", paint(time, "dim", look));
  return parts.join("");
}

/** A card as one or two lines of at most `look.width` columns. */
export function renderCard(card: Card, look: Look): string[] {
  const head = cardHead(card, look);
  const below = outcome(card);
  return below === "" ? [head] : [head, paint(clip(`  └ ${below}`, look.width), card.status === "failed" ? "red" : "dim", look)];
}

const MAX_ARGUMENT_LINES = 6;

function argumentLines([name, value]: readonly [string, unknown], width: number): string[] {
  const text = printable(typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? String(value)));
  const lines = wrap(`${oneLine(name)}: ${text}`, width - 4);
  const shown = lines.slice(0, MAX_ARGUMENT_LINES);
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more lines (${text.length} characters in all)`);
  return shown.map((line) => `    ${line}`);
}

/** An approval question: the tool, all of its arguments, what it can touch, and the keys that answer. */
export function renderQuestion(request: ApprovalRequest, look: Look): string[] {
  const { name, title, input, reach = [] } = request;
  const what = title === undefined ? oneLine(name) : `${oneLine(name)} (${oneLine(title)})`;
  const lines = [
    paint(clip(`? Allow ${what}?`, look.width), "yellow", look),
    ...Object.entries(input).flatMap((entry) => argumentLines(entry, look.width)),
    ...(reach.length === 0 ? [] : [clip(`    reach: ${reach.map(oneLine).join(", ")}`, look.width)]),
  ];
  return [...lines, paint(clip(`  ${ANSWER_KEYS}`, look.width), "bold", look)];
}

/** For example `5 cards: 4 completed, 1 failed, 0 discarded, 0 open`. */
export function renderCounts({ total, completed, failed, discarded, interrupted, open }: CardCounts): string {
  const lost = interrupted === 0 ? "" : `, ${interrupted} interrupted`;
  return `${total} ${total === 1 ? "card" : "cards"}: ${completed} completed, ${failed} failed, ${discarded} discarded, ${open} open${lost}`;
}
