// The state that the reducer folds into: cards by id in the order of first evidence, kept in persistent arrays.
import { type Card, isOpen } from "./card.ts";
import { type Radix, radixGet, radixSet, radixValues } from "./radix.ts";

/**
 * Why an event was not taken as it stands:
 * - `unknown-event`: no object, or of a type that is none of ours.
 * - `malformed-event`: of a known type, without the members that it must have.
 * - `unknown-call`: speaks of a call that was never announced and does not say enough to draw it.
 * - `late-event`: belongs to a part of the call's life that is over; ignored.
 * - `conflict`: contradicts what is settled; ignored.
 */
export type DiagnosticKind = "unknown-event" | "malformed-event" | "unknown-call" | "late-event" | "conflict";

export interface Diagnostic {
  readonly kind: DiagnosticKind;
  /** Of the event, where it had one. */
  readonly type?: string;
  readonly toolCallId?: string;
  /** The event's own time. */
  readonly at?: number;
}

/** How many diagnostics a state keeps. */
const KEPT_DIAGNOSTICS = 32;

/**
 * All cards of one conversation. An immutable value made of plain objects and arrays: every state stays valid after the
 * next event, equal events give deeply equal states, and a state may be cloned to or from another thread.
 * The cost of an event does not depend on the number of cards (up to about a million).
 */
export interface CardsState {
  /** The newest ones, at most 32, newest last. */
  readonly diagnostics: readonly Diagnostic[];
  /** How many there were in all. */
  readonly diagnosticCount: number;
  /** How the cards are kept. Read them with `cards` and `getCard`. */
  readonly store: CardStore;
}

interface CardStore {
  /** By position: the order of first evidence. Hidden cards keep their position. */
  readonly table: Radix<Card>;
  readonly size: number;
  /** Positions by hash of the id. */
  readonly index: Radix<readonly number[]>;
  /** Positions in the order in which they opened; closed ones are dropped at the next sweep. */
  readonly opened: Radix<number>;
  readonly openedCount: number;
  /** The turn that ended last: what comes of it afterwards opens nothing. */
  readonly endedTurnId: string | undefined;
}

/** The state before the first event. */
export const EMPTY_CARDS: CardsState = {
  diagnostics: [],
  diagnosticCount: 0,
  store: { table: [], size: 0, index: [], opened: [], openedCount: 0, endedTurnId: undefined },
};

/** How many cards stand where. `total` is the sum of completed, failed, discarded, interrupted and open. */
export interface CardCounts {
  readonly total: number;
  readonly preparing: number;
  readonly pending: number;
  /** Waiting for a person included. */
  readonly running: number;
  readonly completed: number;
  /** Denied and cancelled ones included. */
  readonly failed: number;
  /** Withdrawn ones, which are hidden. */
  readonly discarded: number;
  /** Left without a result by the end of their turn. */
  readonly interrupted: number;
  /** Preparing, pending or running. */
  readonly open: number;
}

// Kept by the array they were made from: a change touches one branch, and the lists of the others are joined as they are.
const NONE: readonly Card[] = [];
const VISIBLE = new WeakMap<object, readonly Card[]>();

/** The cards to draw, in the order of first evidence. The same array until a card changes. */
export function cards(state: CardsState): readonly Card[] {
  return visible(state.store.table, (table) => NONE.concat(...table.map((branch) => visible(branch, shownIn))));
}

// Loops and concat: flat and flatMap take a hundred times as long.
function shownIn(branch: Radix<Card>[number]): readonly Card[] {
  const shown: Card[] = [];
  for (const leaf of branch) for (const card of leaf) if (!card.hidden) shown.push(card);
  return shown;
}

function visible<T extends object>(part: T, list: (part: T) => readonly Card[]): readonly Card[] {
  let shown = VISIBLE.get(part);
  if (shown === undefined) {
    shown = list(part);
    VISIBLE.set(part, shown);
  }
  return shown;
}

/** The card of one call, hidden ones included. */
export function getCard(state: CardsState, toolCallId: string): Card | undefined {
  const position = positionOf(state.store, toolCallId);
  return position === undefined ? undefined : radixGet(state.store.table, position);
}

/** Counts every card that was ever shown, once. */
export function countCards(state: CardsState): CardCounts {
  const counts = { preparing: 0, pending: 0, running: 0, completed: 0, failed: 0, discarded: 0, interrupted: 0 };
  for (const card of radixValues(state.store.table)) {
    if (card.hidden) counts.discarded++;
    else if (card.interrupted) counts.interrupted++;
    else counts[card.status]++;
  }
  return { total: state.store.size, ...counts, open: counts.preparing + counts.pending + counts.running };
}

/** The state with this card at the place of its id: the old place, or the end. */
export function putCard(state: CardsState, card: Card): CardsState {
  const { store } = state;
  const known = positionOf(store, card.toolCallId);
  const position = known ?? store.size;
  const before = known === undefined ? undefined : radixGet(store.table, known);
  if (card === before) return state;
  const opens = isOpen(card) && !(before !== undefined && isOpen(before));
  const bucket = hash(card.toolCallId);
  return {
    ...state,
    store: {
      table: radixSet(store.table, position, card),
      size: known === undefined ? store.size + 1 : store.size,
      index:
        known === undefined ? radixSet(store.index, bucket, [...(radixGet(store.index, bucket) ?? []), position]) : store.index,
      opened: opens ? radixSet(store.opened, store.openedCount, position) : store.opened,
      openedCount: opens ? store.openedCount + 1 : store.openedCount,
      endedTurnId: store.endedTurnId,
    },
  };
}

/** Puts every open card through `change`. Costs O(cards opened since the last sweep, and cards still open). */
export function sweepOpen(state: CardsState, change: (card: Card) => Card): CardsState {
  const { store } = state;
  let { table } = store;
  let opened: Radix<number> = [];
  let openedCount = 0;
  for (let i = 0; i < store.openedCount; i++) {
    const position = radixGet(store.opened, i);
    const card = position === undefined ? undefined : radixGet(table, position);
    if (position === undefined || card === undefined || !isOpen(card)) continue;
    const changed = change(card);
    if (changed !== card) table = radixSet(table, position, changed);
    if (isOpen(changed)) opened = radixSet(opened, openedCount++, position);
  }
  if (openedCount === store.openedCount && table === store.table) return state;
  return { ...state, store: { ...store, table, opened, openedCount } };
}

export function withEndedTurn(state: CardsState, endedTurnId: string | undefined): CardsState {
  return state.store.endedTurnId === endedTurnId ? state : { ...state, store: { ...state.store, endedTurnId } };
}

export function withDiagnostic(state: CardsState, diagnostic: Diagnostic): CardsState {
  return {
    diagnostics: [...state.diagnostics.slice(1 - KEPT_DIAGNOSTICS), diagnostic],
    diagnosticCount: state.diagnosticCount + 1,
    store: state.store,
  };
}

function positionOf(store: CardStore, toolCallId: string): number | undefined {
  const bucket = radixGet(store.index, hash(toolCallId));
  return bucket?.find((position) => radixGet(store.table, position)?.toolCallId === toolCallId);
}

/** FNV-1a, folded to the 15 bits of a full tree. */
function hash(id: string): number {
  let bits = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) bits = Math.imul(bits ^ id.charCodeAt(i), 0x01000193);
  return (bits ^ (bits >>> 15)) & 0x7fff;
}
