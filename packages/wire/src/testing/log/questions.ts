// Questions to a person: asked for calls that wait for it, answered once, and obeyed.
import type {
  ApprovalAnswered,
  ApprovalRequested,
  CallCompleted,
  CallFailed,
  InputAnswered,
  InputRequested,
} from "../../index.ts";
import { jsonEqual } from "../json-equal.ts";
import type { CallTrack, LogContext, Report } from "./track.ts";

interface Question {
  readonly toolCallId: string;
  answered: boolean;
}

const GATE_REASONS: ReadonlySet<string> = new Set(["denied", "no-approver", "approval-failed"]);

/** Checks the approvals and the host's inputs of one log. */
export class Questions {
  readonly #context: LogContext;
  readonly #approvals = new Map<string, Question>();
  readonly #inputs = new Map<string, Question>();
  /** Calls with an open approval. */
  readonly #asked = new Set<string>();

  constructor(context: LogContext) {
    this.#context = context;
  }

  approvalRequested(event: ApprovalRequested): void {
    const { approvalId, toolCallId } = event;
    const call = this.#ask(this.#approvals, approvalId, event);
    if (call !== undefined && !call.pending?.needsApproval)
      this.#report("T7", `${toolCallId} does not need approval and is asked for`);
    if (this.#asked.has(toolCallId)) this.#report("T7", `${toolCallId} is asked for twice at once`);
    this.#asked.add(toolCallId);
  }

  approvalAnswered(event: ApprovalAnswered): void {
    const call = this.#answer(this.#approvals, event.approvalId, event);
    this.#asked.delete(event.toolCallId);
    if (call !== undefined) call.answer = event;
  }

  inputRequested(event: InputRequested): void {
    this.#ask(this.#inputs, event.inputId, event);
  }

  inputAnswered(event: InputAnswered): void {
    this.#answer(this.#inputs, event.inputId, event);
  }

  #ask(open: Map<string, Question>, id: string, event: ApprovalRequested | InputRequested): CallTrack | undefined {
    const { toolCallId, name, input } = event;
    if (id === "" || open.has(id)) this.#report("T7", `the question id "${id}" is ${id === "" ? "empty" : "used twice"}`);
    open.set(id, { toolCallId, answered: false });
    const call = this.#running(event, "is asked for");
    if (call === undefined) return undefined;
    call.asked = true;
    if (name !== call.name) this.#report("T7", `${toolCallId} is asked for as ${name}, its name is ${call.name}`);
    if (call.pending !== undefined && !jsonEqual(input, call.pending.input)) {
      this.#report("T7", `${toolCallId} is asked for with another input than it was announced with`);
    }
    return call;
  }

  #answer(open: Map<string, Question>, id: string, event: ApprovalAnswered | InputAnswered): CallTrack | undefined {
    const question = open.get(id);
    if (question === undefined) this.#report("T7", `an answer to the question "${id}", which nobody asked`);
    else if (question.answered) this.#report("T7", `the question "${id}" is answered twice`);
    else if (question.toolCallId !== event.toolCallId) this.#report("T7", `the question "${id}" is about ${question.toolCallId}`);
    if (question !== undefined) question.answered = true;
    return this.#running(event, "is answered for");
  }

  #running({ toolCallId, parentToolCallId }: { readonly toolCallId: string; readonly parentToolCallId?: string }, what: string) {
    const call = this.#context.calls.get(toolCallId);
    if (call?.status !== "running") this.#report("T7", `${toolCallId} ${what} and is ${call?.status ?? "unknown"}`);
    if (call !== undefined && call.parent !== parentToolCallId)
      this.#report("T14", `the question about ${toolCallId} names another parent`);
    return call;
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}

/** A call that needs approval runs only when it was allowed, and the reasons of a closed gate belong to such calls. */
export function checkGate(call: CallTrack, event: CallCompleted | CallFailed, report: Report): void {
  const { id, answer } = call;
  const ran = event.status === "completed" || event.executed !== "no";
  const gated = call.pending?.needsApproval === true;
  if (gated && ran && answer?.answer !== "allow") report("T7", `${id} ran and was not allowed`);
  if (event.status === "completed") return;
  const { reason } = event;
  if (!gated && GATE_REASONS.has(reason)) report("T7", `${id} failed ${reason} and did not need approval`);
  if (reason === "denied" && answer?.answer !== "deny" && answer?.answer !== "cancel")
    report("T7", `${id} failed denied and nobody denied it`);
  if (gated && reason === "unknown-tool") report("T1", `${id} needed approval and its tool is unknown`);
  if (gated && reason === "invalid-arguments" && answer?.input === undefined) {
    report("T1", `${id} needed approval and its arguments were refused`);
  }
}
