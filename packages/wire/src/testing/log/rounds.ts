// Rounds and attempts of one group of calls: a turn's own, or those of one sub-agent.
import { type AttemptDiscarded, isTerminal, type RoundUsage, type ToolCallEvent } from "../../index.ts";
import { jsonEqual } from "../json-equal.ts";
import { RunOrder } from "./run-order.ts";
import type { CallTrack, LogContext } from "./track.ts";

interface Place {
  readonly round: number;
  readonly attempt: number;
}

interface AttemptFound {
  /** Names of the calls that it showed. */
  readonly names: string[];
  /** Why it was withdrawn. */
  reason?: string;
}

/** How far the group is: which attempt lives, which calls were announced. */
export class Rounds {
  /** 0 before the first. */
  round = 0;
  /** 0 while nothing of the round was seen. */
  attempt = 0;
  /** The round's answer was accepted: its message came, or its first pending. */
  accepted = false;
  /** Live text of the attempt. */
  text = "";
  /** The attempt's calls that are preparing. */
  readonly preparing = new Set<CallTrack>();
  /** The round's announced calls. */
  calls: CallTrack[] = [];
  /** Who of them may run when. */
  order: RunOrder;
  #ran = false;
  #withdrawn = false;
  #discardReason: string | undefined;
  /** What was seen of each attempt of the round. */
  readonly #facts = new Map<number, AttemptFound>();
  readonly #context: LogContext;
  /** The group of a sub-agent: only its calls are seen from here, not its attempts' ends. */
  readonly #forwarded: boolean;

  constructor(context: LogContext, forwarded: boolean) {
    this.#context = context;
    this.#forwarded = forwarded;
    this.order = new RunOrder(context);
  }

  /** The turn's last attempt was neither accepted nor withdrawn, and calls of it were discarded. */
  get keptDiscards(): boolean {
    return !this.accepted && !this.#withdrawn && this.#discardReason !== undefined;
  }

  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  /** Text or cards of an attempt are shown that is not over. */
  get live(): boolean {
    return this.text !== "" || this.preparing.size > 0;
  }

  /** An event of that place arrives. */
  enter(place: Place, what: string): void {
    this.enterRound(place.round, what);
    if (place.round !== this.round) return;
    if (place.attempt !== this.attempt) this.#enterAttempt(place.attempt, what);
    else if (this.#withdrawn) this.#report("T4", `${what} of attempt ${place.attempt} after its attempt-discarded`);
    if (this.accepted && what !== "pending") this.#report("T1", `${what} after the answer of round ${place.round} was accepted`);
  }

  enterRound(round: number, what: string): void {
    if (round === this.round) return;
    if (round !== this.round + 1) this.#report("T4", `${what} of round ${round} follows round ${this.round}`);
    if (round > this.round) this.#begin(round);
  }

  #begin(round: number): void {
    for (const call of this.preparing) this.#report("I4", `round ${round} begins while ${call.id} is preparing`);
    for (const call of this.calls) {
      const paused = call.pending?.providerExecuted === true && call.status === "running";
      if (!isTerminal(call.status) && !paused) this.#report("T1", `round ${round} begins while ${call.id} is ${call.status}`);
    }
    if (this.#withdrawn) this.#report("T4", `round ${round} begins though round ${this.round} has no accepted answer`);
    this.expectNoText(`round ${round} begins`);
    this.preparing.clear();
    this.calls = [];
    this.order = new RunOrder(this.#context);
    this.#ran = false;
    this.accepted = false;
    this.round = round;
    this.attempt = 0;
    this.#facts.clear();
    this.#resetAttempt();
  }

  #resetAttempt(): void {
    this.#withdrawn = false;
    this.#discardReason = undefined;
    this.text = "";
  }

  #enterAttempt(attempt: number, what: string): void {
    const { attempt: current } = this;
    const jump = this.#forwarded || this.#context.stored ? attempt > current : attempt === current + 1;
    if (!jump) this.#report("T4", `${what} of attempt ${attempt} follows attempt ${current}`);
    if (attempt < current) return;
    if (this.accepted && !this.#context.stored)
      this.#report("T4", `attempt ${attempt} begins after the answer of round ${this.round} was accepted`);
    for (const call of this.preparing)
      this.#report("I4", `attempt ${attempt} begins while ${call.id} of attempt ${current} is preparing`);
    if (current > 0 && !this.#withdrawn && !this.#forwarded && !this.#context.stored) {
      this.#report("T4", `attempt ${attempt} begins and no attempt-discarded came for attempt ${current}`);
      this.text = "";
    }
    this.expectNoText(`attempt ${attempt} begins`);
    this.preparing.clear();
    this.attempt = attempt;
    this.#resetAttempt();
  }

  /** Shown text must be in a message or withdrawn. */
  expectNoText(then: string): void {
    if (this.text === "") return;
    this.#report("T4", `live text is neither in a message nor withdrawn: ${JSON.stringify(this.text.slice(0, 40))} (${then})`);
    this.text = "";
  }

  prepare(call: CallTrack, event: ToolCallEvent): void {
    this.enter(event, "preparing");
    this.preparing.add(call);
    this.#factsOf(event.attempt).names.push(event.name);
  }

  discard(call: CallTrack, reason: string): void {
    if (this.accepted) this.#report("T6", `${call.id} is discarded after the answer of its round was accepted`);
    this.preparing.delete(call);
    if (reason === "unresolved" || reason === "coalesced") return;
    if (this.#discardReason !== undefined && this.#discardReason !== reason) {
      this.#report("T4", `${call.id} is discarded for ${reason}, another call of the attempt for ${this.#discardReason}`);
    }
    this.#discardReason = reason;
  }

  withdraw(event: AttemptDiscarded): void {
    this.enter(event, "attempt-discarded");
    for (const call of this.preparing) this.#report("T4", `attempt-discarded comes before the discarded of ${call.id}`);
    if (this.#discardReason !== undefined && this.#discardReason !== event.reason) {
      this.#report("T4", `the attempt is discarded for ${event.reason}, its calls for ${this.#discardReason}`);
    }
    this.#factsOf(event.attempt).reason = event.reason;
    this.#withdrawn = true;
    this.text = "";
  }

  /** The round's answer is accepted, with these calls. */
  accept(ids: ReadonlySet<string>): void {
    if (this.accepted || this.round === 0) this.#begin(this.round + 1);
    // An attempt of which nothing was seen until its answer was whole.
    if (this.#withdrawn || (this.attempt === 0 && !this.#context.stored)) {
      this.attempt++;
      this.#resetAttempt();
    }
    for (const call of this.preparing) {
      if (!ids.has(call.id)) this.#report("I3", `${call.id} is neither among the calls of the answer nor discarded`);
    }
    this.accepted = true;
  }

  announce(call: CallTrack, place: Place): void {
    this.enter(place, "pending");
    if (this.#ran) this.#report("T1", `${call.id} is announced after a call of its round went running`);
    this.preparing.delete(call);
    this.accepted = true;
    this.calls.push(call);
    this.order.announce(call);
  }

  run(call: CallTrack): void {
    if (call.round !== this.round) return;
    if (!this.#ran)
      for (const other of this.preparing) this.#report("I3", `${call.id} goes running while ${other.id} is preparing`);
    this.#ran = true;
    this.order.run(call);
  }

  /** The facts that a `round-usage` tells of attempts that were seen here. */
  checkFacts({ attempts }: RoundUsage): void {
    attempts.forEach((facts, i) => {
      if (facts.n !== i + 1) this.#report("E", `attempts[${i}].n is ${facts.n}`);
      if (this.#context.stored) return;
      const seen = this.#factsOf(facts.n);
      if (!jsonEqual(seen.names, facts.prepared)) {
        this.#report(
          "E",
          `attempt ${facts.n} showed [${seen.names.join(", ")}], round-usage says [${facts.prepared.join(", ")}]`,
        );
      }
      if (seen.reason !== undefined && seen.reason !== facts.reason) {
        this.#report("E", `attempt ${facts.n} was discarded for ${seen.reason}, round-usage says ${facts.reason ?? "accepted"}`);
      }
    });
  }

  #factsOf(attempt: number): AttemptFound {
    const known = this.#facts.get(attempt);
    if (known !== undefined) return known;
    const found: AttemptFound = { names: [] };
    this.#facts.set(attempt, found);
    return found;
  }

  #report(rule: string, problem: string): void {
    this.#context.report(rule, problem);
  }
}
