// The few ways in which a card changes. Each gives a new card, or the same object when it knew everything.
import type { CallStatus } from "@callwire/wire";
import { type Card, stateOf } from "./card.ts";

type CardDraft = { -readonly [K in keyof Card]: Card[K] };
/** Facts of a card, without those that make it one. */
export type CardFacts = Partial<CardDraft>;
/** Writes facts over those of a card; what the writer does not know stays as it is. */
export type Write = (facts: CardFacts) => void;

type CardIdentity = Pick<Card, "toolCallId" | "name" | "status">;

/** A new card, also for an id that is shown anew after it was discarded. */
export function createCard(identity: CardIdentity, write: Write): Card {
  const draft: CardDraft = { ...BLANK };
  write(draft);
  draft.toolCallId = identity.toolCallId;
  draft.name = identity.name;
  draft.status = identity.status;
  return drawn(draft);
}

/** The card at a further status, shown and alive. */
export function advanceCard(card: Card, status: CallStatus, write: Write): Card {
  const draft: CardDraft = { ...card };
  write(draft);
  draft.status = status;
  draft.hidden = status === "discarded" ? true : undefined;
  draft.interrupted = undefined;
  return drawn(draft);
}

/** The card with what it did not know yet; the same object when it knew everything. */
export function fillCard(card: Card, write: Write): Card {
  const facts: CardFacts = {};
  write(facts);
  const unknown = FILLABLE.filter((fact) => card[fact] === undefined && facts[fact] !== undefined);
  if (unknown.length === 0) return card;
  const draft: CardDraft = { ...card };
  for (const fact of unknown) fill(draft, facts, fact);
  return draft;
}

/** The card with other facts. */
export function changeCard(card: Card, facts: CardFacts): Card {
  return drawn({ ...card, ...facts });
}

/** Nothing more comes for this open card: a preparing one hides, one that was announced shows as interrupted. */
export function closeCard(card: Card): Card {
  return drawn(card.status === "preparing" ? { ...card, hidden: true } : { ...card, interrupted: true });
}

/** Sign of life of a card that was closed. */
export function reopenCard(card: Card): Card {
  return card.hidden || card.interrupted ? drawn({ ...card, hidden: undefined, interrupted: undefined }) : card;
}

function fill<K extends keyof CardFacts>(draft: CardFacts, facts: CardFacts, fact: K): void {
  draft[fact] = facts[fact];
}

function drawn(draft: CardDraft): Card {
  draft.state = stateOf(draft);
  return draft;
}

// What an event that comes late, or a second time, may still tell.
const FILLABLE = [
  "input",
  "inputProblem",
  "title",
  "kind",
  "locations",
  "needsApproval",
  "providerExecuted",
  "turnId",
  "round",
  "attempt",
  "parentToolCallId",
  "preparedAt",
  "pendingAt",
  "runningAt",
] as const satisfies readonly (keyof Card)[];

// Every member named once: all cards have one hidden class, which keeps copying them cheap.
const BLANK: Card = {
  toolCallId: "",
  name: "",
  status: "preparing",
  state: "preparing",
  hidden: undefined,
  interrupted: undefined,
  input: undefined,
  inputEdited: undefined,
  inputProblem: undefined,
  title: undefined,
  kind: undefined,
  locations: undefined,
  needsApproval: undefined,
  providerExecuted: undefined,
  approval: undefined,
  question: undefined,
  progress: undefined,
  result: undefined,
  output: undefined,
  display: undefined,
  reason: undefined,
  executed: undefined,
  turnId: undefined,
  round: undefined,
  attempt: undefined,
  parentToolCallId: undefined,
  preparedAt: undefined,
  pendingAt: undefined,
  runningAt: undefined,
  askedAt: undefined,
  answeredAt: undefined,
  endedAt: undefined,
};
