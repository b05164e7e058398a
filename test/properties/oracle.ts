// What an undisturbed turn must come to, worked out from the case alone.
import { type FailReason, isToolCall, type StopReason } from "@callwire/wire";
import { type Answer, type CallSpec, type Reply, TOOL_NAMES, type ToolSpecCase, type TurnCase } from "./case.ts";
import type { Played } from "./play.ts";

/** Differences between what happened and what had to; empty also where the case does not settle it. */
export function surprises(played: Played): string[] {
  const { turn, result, rescued } = played;
  if (result === undefined || rescued || result.stopReason === "cancelled" || turn.replies.includes("cancel")) return [];
  const expected = stopOf(turn);
  const found = result.stopReason === expected ? [] : [`T12: stopReason ${result.stopReason} instead of ${expected}`];
  return [...found, ...wrongEnds(played)];
}

function stopOf(turn: TurnCase): StopReason {
  for (let round = 1; round <= turn.maxRounds; round++) {
    const answer = turn.answers[round - 1];
    if (answer === undefined) return "answered";
    const stop = stopOfAnswer(answer);
    if (stop !== undefined) return stop;
  }
  return "max-rounds";
}

/** `undefined`: the turn goes on. */
function stopOfAnswer({ end, calls }: Answer): StopReason | undefined {
  if (end === "length" || end === "refusal") return end === "length" ? "length" : "refusal";
  if (end !== "end" && end !== "tool-calls" && end !== "pause") return "error";
  const broken = calls.some(({ name, problem }) => name === "" || problem === "nameless" || problem === "identity-conflict");
  if (broken) return "error";
  if (calls.some(({ provider }) => provider === "no")) return undefined;
  return end === "pause" ? undefined : "answered";
}

/** How a call ends; `undefined` where timing or taste decides. */
type End = "completed" | FailReason | undefined;

function endOfBody({ body, timeoutMs }: ToolSpecCase): End {
  if (timeoutMs !== undefined) return undefined;
  if (body === "throw" || body === "own-words" || body === "reject") return "tool-error";
  return body === "nonsense" ? undefined : "completed";
}

function endOfGate(reply: Reply | undefined): End | "allowed" {
  if (reply === undefined) return "no-approver";
  if (reply === "allow" || reply === "sync") return "allowed";
  return reply === "deny" || reply === "twice" ? "denied" : "approval-failed";
}

/** Replies are given in the order of the questions, the last one again and again. */
class Questions {
  readonly #replies: readonly Reply[];
  #asked = 0;

  constructor(replies: readonly Reply[]) {
    this.#replies = replies;
  }

  next(): Reply | undefined {
    return this.#replies[Math.min(this.#asked++, this.#replies.length - 1)];
  }
}

function endOfCall(call: CallSpec, tool: ToolSpecCase | undefined, questions: Questions): End {
  if (call.problem !== "none") return "invalid-arguments";
  if (tool === undefined) return call.input === "array" ? "invalid-arguments" : "unknown-tool";
  if (call.input === "invalid" || call.input === "array" || tool.schema === "throws") return "invalid-arguments";
  if (tool.gate === "no" || tool.gate === "relaxes") return endOfBody(tool);
  const gate = endOfGate(questions.next());
  return gate === "allowed" ? endOfBody(tool) : gate;
}

/** Ids that may coalesce and calls of the provider make the order of cards a matter of other tests. */
function plain(answer: Answer): boolean {
  const ids = answer.calls.map(({ id }) => id).filter((id) => id !== undefined && id !== "");
  return new Set(ids).size === ids.length && answer.calls.every(({ provider }) => provider === "no");
}

function wrongEnds({ turn, events }: Played): string[] {
  if (turn.stopRound || !turn.answers.every(plain)) return [];
  const questions = new Questions(turn.replies);
  const ends = new Map(events.filter(isToolCall).map((event) => [event.toolCallId, event]));
  const wrong: string[] = [];
  turn.answers.forEach((answer, i) => {
    const announced = [...ends.values()].filter(({ round, status }) => round === i + 1 && status !== "discarded");
    if (announced.length === 0) return;
    if (announced.length !== answer.calls.length)
      wrong.push(`E3: ${announced.length} calls of ${answer.calls.length} in round ${i + 1}`);
    const pendings = events.filter(isToolCall).filter(({ round, status }) => round === i + 1 && status === "pending");
    answer.calls.forEach((call, place) => {
      const tool = turn.tools[(TOOL_NAMES as readonly string[]).indexOf(call.name)];
      const expected = endOfCall(call, tool, questions);
      const last = ends.get(pendings[place]?.toolCallId ?? "");
      const end = last?.status === "failed" ? last.reason : last?.status;
      // A tool whose body was left behind refuses its next call.
      if (expected !== undefined && end !== expected && turn.tools.every(({ timeoutMs }) => timeoutMs === undefined)) {
        wrong.push(`${pendings[place]?.toolCallId} ended ${end} instead of ${expected}`);
      }
    });
  });
  return wrong;
}
