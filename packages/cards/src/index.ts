// Events of turns to one card per call id. Browser-safe: no zod, no Workglow; RxJS stands in `@callwire/cards/rx`.
export type { Card, CardApproval, CardProgress, CardQuestion, CardState } from "./card.ts";
export {
  type CardCounts,
  type CardsState,
  cards,
  countCards,
  type Diagnostic,
  type DiagnosticKind,
  EMPTY_CARDS,
  getCard,
} from "./cards-state.ts";
export { endCards, isCardEvent, reduceCards } from "./reduce.ts";
