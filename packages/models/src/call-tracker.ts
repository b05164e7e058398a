// Puts the pieces of streamed tool calls together: which call a piece belongs to, when it is named, what it says in the end.
import type { CallProblem, CallSlot, JsonValue, ModelCall, ModelSink } from "@callwire/wire";
import { type Decoded, decodeArguments, decodeValue, isObject } from "./arguments.ts";

interface OpenCall {
  readonly slot: number;
  id: string | undefined;
  name: string | undefined;
  announced: boolean;
  /** Argument text so far. */
  text: string;
  /** Arguments that came as a JSON value instead of text. */
  value: unknown;
  freeText: boolean;
  payload: JsonValue | undefined;
  problem: CallProblem | undefined;
}

/**
 * The calls of one answer.
 *
 * A piece belongs to the call at its index (or block key); without a usable index to the call with its id; without either to
 * the last call. `""` and null count as absent. A call goes to `sink.call` once, as soon as id and name are both known, and its
 * argument text to `sink.fragment` from then on. Text is only collected here; it is parsed once, by `calls`.
 */
export class CallTracker {
  readonly #sink: ModelSink;
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<CallSlot, OpenCall>();
  readonly #byId = new Map<string, OpenCall>();
  #last: OpenCall | undefined;

  constructor(sink: ModelSink) {
    this.#sink = sink;
  }

  /** How many calls there are so far. */
  get size(): number {
    return this.#calls.length;
  }

  /**
   * Takes one piece in. `args` is a fragment of argument text, or the whole arguments as a JSON value. Returns the slot of the
   * call that it belongs to: its place in the order of first sight; -1 for a piece that says nothing and belongs to none yet.
   */
  add(index: CallSlot | undefined, id: string | undefined, name: string | undefined, args: unknown): number {
    // The norm, a bare fragment for a known index, first.
    const at = index === undefined ? undefined : this.#byIndex.get(index);
    if (!id && !name && (args === undefined || args === null || args === "")) return at?.slot ?? -1;
    const call = at !== undefined && !id ? at : this.#find(index, id || undefined, name || undefined);
    if (id || name) this.#identify(call, id || undefined, name || undefined);
    if (typeof args === "string") this.#append(call, args);
    else if (args !== undefined && args !== null) takeValue(call, args);
    this.#last = call;
    return call.slot;
  }

  /** Says that the arguments of this call are free text, not JSON: its input will be `{ input: text }`. */
  markFreeText(slot: number): void {
    const call = this.#calls[slot];
    if (call !== undefined) call.freeText = true;
  }

  /** Keeps what must be replayed to this provider with the call. */
  setPayload(slot: number, payload: JsonValue): void {
    const call = this.#calls[slot];
    if (call !== undefined) call.payload = payload;
  }

  /** Forgets everything: the response began anew. */
  restart(): void {
    this.#calls.length = 0;
    this.#byIndex.clear();
    this.#byId.clear();
    this.#last = undefined;
  }

  /**
   * The complete calls in the order of first sight; only for an attempt that ended well. `emptyIsObject` says that missing
   * arguments mean `{}`: the wire named tool calls as the reason of the stop (where it has such a reason).
   */
  calls(emptyIsObject: boolean): ModelCall[] {
    return this.#calls.map((call) => finished(call, emptyIsObject));
  }

  #find(index: CallSlot | undefined, id: string | undefined, name: string | undefined): OpenCall {
    if (index === undefined) return this.#findWithoutIndex(id, name);
    const at = this.#byIndex.get(index);
    if (at !== undefined)
      return id === undefined || at.id === undefined || at.id === id ? at : this.#otherId(index, at, id, name);
    // An index that nothing opened and that opens nothing: some servers count it up per fragment.
    const known = name !== undefined ? undefined : id === undefined ? this.#last : this.#byId.get(id);
    return known ?? this.#open(index);
  }

  /** An occupied index with another id: some servers give every call the index 0. */
  #otherId(index: CallSlot, at: OpenCall, id: string, name: string | undefined): OpenCall {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    if (name !== undefined) return this.#open(index);
    at.problem ??= conflict("two ids");
    return at;
  }

  #findWithoutIndex(id: string | undefined, name: string | undefined): OpenCall {
    const last = this.#last;
    if (id !== undefined) {
      const known = this.#byId.get(id);
      if (known !== undefined) return known;
      return last !== undefined && last.id === undefined && name === undefined ? last : this.#open(undefined);
    }
    const continues = last !== undefined && (name === undefined || last.name === undefined);
    return continues ? last : this.#open(undefined);
  }

  #open(index: CallSlot | undefined): OpenCall {
    const call: OpenCall = {
      slot: this.#calls.length,
      id: undefined,
      name: undefined,
      announced: false,
      text: "",
      value: undefined,
      freeText: false,
      payload: undefined,
      problem: undefined,
    };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }

  #identify(call: OpenCall, id: string | undefined, name: string | undefined): void {
    if (id !== undefined && call.id === undefined) {
      call.id = id;
      this.#byId.set(id, call);
    }
    if (name !== undefined && name !== call.name) {
      if (call.name === undefined) call.name = name;
      else if (call.text === "" && isNothing(call.value)) call.name += name;
      else call.problem ??= conflict("another name after its arguments began");
    }
    if (call.announced || call.id === undefined || call.name === undefined || call.problem !== undefined) return;
    call.announced = true;
    this.#sink.call(call.slot, call.id, call.name);
    if (call.text !== "") this.#sink.fragment?.(call.slot, call.text);
  }

  #append(call: OpenCall, fragment: string): void {
    if (fragment === "") return;
    call.text += fragment;
    if (call.announced) this.#sink.fragment?.(call.slot, fragment);
  }
}

function conflict(what: string): CallProblem {
  return { code: "identity-conflict", message: `One tool call came with ${what}.` };
}

/** Servers that send values instead of text may send `{}` first, or the same value again. */
function takeValue(call: OpenCall, value: unknown): void {
  if (isNothing(call.value)) call.value = value;
  else if (!isNothing(value) && JSON.stringify(value) !== JSON.stringify(call.value)) {
    call.problem ??= { code: "invalid-json", message: "Two different sets of arguments came for one tool call." };
  }
}

function isNothing(value: unknown): boolean {
  if (value === undefined) return true;
  return isObject(value) && Object.keys(value).length === 0;
}

function finished(call: OpenCall, emptyIsObject: boolean): ModelCall {
  const base: { slot: number; id?: string; name?: string; payload?: JsonValue } = { slot: call.slot };
  if (call.id !== undefined) base.id = call.id;
  if (call.name !== undefined) base.name = call.name;
  if (call.payload !== undefined) base.payload = call.payload;
  if (call.problem !== undefined) return { ...base, problem: call.problem };
  if (call.name === undefined) return { ...base, problem: { code: "nameless", message: "A tool call came without a name." } };
  return { ...base, ...decode(call, emptyIsObject) };
}

function decode(call: OpenCall, emptyIsObject: boolean): Decoded {
  if (call.freeText) return { input: { input: call.text } };
  // Text wins: a value beside it is the empty one that some wires open a call with.
  return call.text === "" ? decodeValue(call.value, emptyIsObject) : decodeArguments(call.text, emptyIsObject);
}
