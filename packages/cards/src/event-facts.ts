// Reads what an event tells of a card. Events come over wires: nothing is taken for granted, what has no use is left out.
import {
  APPROVAL_ANSWERS,
  type ApprovalAnswer,
  CALL_STATUSES,
  type CallInput,
  type CallLocation,
  type CallStatus,
  DISCARD_REASONS,
  type DiscardReason,
  EXECUTED,
  FAIL_REASONS,
  type JsonValue,
} from "@callwire/wire";
import type { CardProgress } from "./card.ts";
import type { CardFacts, Write } from "./card-changes.ts";

/** An object of which nothing is known. */
export interface Told {
  readonly [member: string]: unknown;
}

/** What an event says of one call at one status. */
export interface Evidence {
  readonly toolCallId: string;
  /** Absent when the event does not name the tool. */
  readonly name: string | undefined;
  readonly status: CallStatus;
  readonly write: Write;
}

export function told(value: unknown): Told | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Told) : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Ids and names: what is empty is absent. */
export function nonEmpty(value: unknown): string | undefined {
  return value === "" ? undefined : text(value);
}

export function input(value: unknown): CallInput | undefined {
  return told(value);
}

export function answer(value: unknown): ApprovalAnswer | undefined {
  return oneOf(APPROVAL_ANSWERS, value);
}

export function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
}

/** Undefined when it is no evidence of any call. `within`: what the event says for all of its calls. */
export function callEvidence(event: Told, within?: Told): Evidence | undefined {
  const toolCallId = nonEmpty(event.toolCallId);
  const status = oneOf(CALL_STATUSES, event.status);
  if (toolCallId === undefined || status === undefined) return undefined;
  const name = nonEmpty(event.name);
  const write = (facts: CardFacts) => {
    facts.name = name ?? facts.name;
    writePlace(facts, event, within);
    writeStatus(facts, status, event);
  };
  return { toolCallId, name, status, write };
}

export function discardReason(value: unknown): DiscardReason | undefined {
  return oneOf(DISCARD_REASONS, value);
}

/** What the call is about, as far as the event says. */
export function writeLook(facts: CardFacts, event: Told): void {
  facts.input = input(event.input) ?? facts.input;
  facts.title = text(event.title) ?? facts.title;
  facts.kind = text(event.kind) ?? facts.kind;
  facts.locations = locations(event.locations) ?? facts.locations;
}

/** The arguments as a person edited them, when the event has some. */
export function writeEdit(facts: CardFacts, event: Told): void {
  const edited = input(event.input);
  if (edited === undefined) return;
  facts.input = edited;
  facts.inputEdited = true;
}

/** Undefined for a heartbeat. */
export function progressOf(event: Told): CardProgress | undefined {
  const progress: { -readonly [K in keyof CardProgress]: CardProgress[K] } = {};
  if (typeof event.progress === "number") progress.progress = event.progress;
  if (typeof event.total === "number") progress.total = event.total;
  if (typeof event.message === "string") progress.message = event.message;
  if (Array.isArray(event.content)) progress.content = event.content;
  return Object.keys(progress).length === 0 ? undefined : progress;
}

/** Where the call belongs. */
export function writePlace(facts: CardFacts, event: Told, within: Told = event): void {
  facts.turnId = nonEmpty(within.turnId) ?? facts.turnId;
  facts.round = number(event.round) ?? facts.round;
  facts.attempt = number(event.attempt) ?? facts.attempt;
  facts.parentToolCallId = nonEmpty(event.parentToolCallId) ?? facts.parentToolCallId;
}

function writeStatus(facts: CardFacts, status: CallStatus, event: Told): void {
  const at = number(event.at);
  switch (status) {
    case "preparing":
      facts.preparedAt = at ?? facts.preparedAt;
      return;
    case "discarded":
      facts.reason = discardReason(event.reason) ?? facts.reason;
      facts.endedAt = at ?? facts.endedAt;
      return;
    case "pending":
      writeLook(facts, event);
      facts.inputProblem = text(event.inputProblem) ?? facts.inputProblem;
      if (event.needsApproval === true) facts.needsApproval = true;
      if (event.providerExecuted === true) facts.providerExecuted = true;
      facts.preparedAt = number(event.preparedAt) ?? facts.preparedAt;
      facts.pendingAt = at ?? facts.pendingAt;
      return;
    case "running":
      writeEdit(facts, event);
      facts.runningAt = at ?? facts.runningAt;
      return;
    default:
      facts.result = text(event.result) ?? facts.result;
      facts.endedAt = at ?? facts.endedAt;
  }
  if (status === "completed") {
    // null is a value here.
    if (event.output !== undefined) facts.output = event.output as JsonValue;
    if (event.display !== undefined) facts.display = event.display as JsonValue;
  } else {
    facts.reason = oneOf(FAIL_REASONS, event.reason) ?? facts.reason;
    facts.executed = oneOf(EXECUTED, event.executed) ?? facts.executed;
  }
}

function locations(value: unknown): readonly CallLocation[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof told(entry)?.path === "string") : undefined;
}

function oneOf<T extends string>(words: readonly T[], value: unknown): T | undefined {
  return words.find((word) => word === value);
}
