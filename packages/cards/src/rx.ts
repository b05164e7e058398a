// Cards for RxJS: a stream of events in, the list of cards to draw out.
import {
  concatMap,
  distinctUntilChanged,
  filter,
  materialize,
  type Observable,
  type ObservableNotification,
  of,
  scan,
  startWith,
  throwError,
} from "rxjs";
import type { Card } from "./card.ts";
import { type CardsState, cards, EMPTY_CARDS } from "./cards-state.ts";
import { endCards, isCardEvent, reduceCards } from "./reduce.ts";

interface Step {
  readonly state: CardsState;
  readonly end?: Exclude<ObservableNotification<unknown>, { readonly kind: "N" }>;
}

/**
 * The cards of one conversation: the empty list on subscription, then a list after each event that changed one. Cards that
 * did not change are the same objects.
 *
 * `events$`: turn events, or tool-call events of Workglow's own AgentTask; other chunks of the same channel are ignored.
 * When it completes or fails no card is left busy: a last list shows preparing cards gone and open ones interrupted, then
 * the end or the error follows. Every subscription subscribes to `events$` anew and folds from the start.
 */
export function cards$(events$: Observable<unknown>): Observable<readonly Card[]> {
  return events$.pipe(
    filter(isCardEvent),
    materialize(),
    scan(step, { state: EMPTY_CARDS }),
    concatMap(({ state, end }) =>
      end?.kind === "E" ? throwError(() => end.error).pipe(startWith(cards(state))) : of(cards(state)),
    ),
    startWith(cards(EMPTY_CARDS)),
    distinctUntilChanged(),
  );
}

function step({ state }: Step, told: ObservableNotification<unknown>): Step {
  return told.kind === "N" ? { state: reduceCards(state, told.value) } : { state: endCards(state), end: told };
}
