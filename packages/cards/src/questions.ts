// Questions to a person or the host, and their answers, as a card shows them.
import type { Card } from "./card.ts";
import { type CardFacts, changeCard, createCard, fillCard, reopenCard } from "./card-changes.ts";
import { type CardsState, getCard, putCard } from "./cards-state.ts";
import { answer, input, nonEmpty, number, strings, type Told, text, writeLook, writePlace } from "./event-facts.ts";
import { arrivalAt, noted, place } from "./meet.ts";

/** Takes `approval-requested` or `input-requested`. A question shows that its call is running. */
export function asked(state: CardsState, event: Told): CardsState {
  const toolCallId = nonEmpty(event.toolCallId);
  const questionId = questionIdOf(event);
  if (toolCallId === undefined || questionId === undefined) return noted(state, "malformed-event", event);
  const before = getCard(state, toolCallId);
  const arrives = before === undefined ? "advance" : arrivalAt(before, "running");
  if (arrives === "stale" || arrives === "conflict") return noted(state, "late-event", event);
  const known = arrives === "revive" ? undefined : before;
  // The same question again, and answered: a replay, no sign of life.
  if (known !== undefined && isAnswered(known, questionId)) return state;
  const write = (facts: CardFacts) => {
    writePlace(facts, event);
    if (event.type === "approval-requested") writeLook(facts, event);
  };
  const name = nonEmpty(event.name) ?? before?.name;
  if (name === undefined) return noted(state, "unknown-call", event);
  const card = known === undefined ? createCard({ toolCallId, name, status: "running" }, write) : fillCard(known, write);
  return place(state, reopenCard(changeCard(card, { status: "running", ...questionFacts(card, event, questionId) })));
}

/** Takes `approval-answered` or `input-answered`. */
export function answered(state: CardsState, event: Told): CardsState {
  const toolCallId = nonEmpty(event.toolCallId);
  const questionId = questionIdOf(event);
  if (toolCallId === undefined || questionId === undefined) return noted(state, "malformed-event", event);
  const card = getCard(state, toolCallId);
  if (card === undefined) return noted(state, "unknown-call", event);
  const arrives = arrivalAt(card, "running");
  const about = event.type === "approval-answered" ? card.approval?.approvalId : card.question?.inputId;
  const other = about !== undefined && about !== questionId;
  if (arrives === "stale" || arrives === "revive" || other) return noted(state, "late-event", event);
  const facts = answerFacts(card, event, questionId);
  return facts === undefined ? noted(state, "malformed-event", event) : putCard(state, changeCard(card, facts));
}

function questionIdOf(event: Told): string | undefined {
  return nonEmpty(event.type === "approval-requested" || event.type === "approval-answered" ? event.approvalId : event.inputId);
}

function isAnswered({ approval, question }: Card, questionId: string): boolean {
  if (approval?.approvalId === questionId) return approval.answer !== undefined;
  return question?.inputId === questionId && question.answered === true;
}

function questionFacts(card: Card, event: Told, questionId: string): CardFacts {
  // A question that is put again under its id was asked when it was first put.
  const again = card.approval?.approvalId === questionId || card.question?.inputId === questionId;
  const askedAt = (again ? card.askedAt : undefined) ?? number(event.at);
  if (event.type === "approval-requested") return { approval: { approvalId: questionId, reach: strings(event.reach) }, askedAt };
  return { question: { inputId: questionId, input: input(event.input) }, askedAt };
}

function answerFacts(card: Card, event: Told, questionId: string): CardFacts | undefined {
  const by = text(event.by);
  const answeredAt = number(event.at);
  if (event.type === "input-answered")
    return { question: { ...card.question, inputId: questionId, answered: true, by }, answeredAt };
  const given = answer(event.answer);
  if (given === undefined) return undefined;
  const facts = { approval: { ...card.approval, approvalId: questionId, answer: given, by }, answeredAt };
  const edited = input(event.input);
  return edited === undefined ? facts : { ...facts, input: edited, inputEdited: true };
}
