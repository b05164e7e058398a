// Call ids: unique in the conversation, the provider's own where that is free.
import type { Ids, Message } from "@callwire/wire";

/** Reserves call ids at preparation, so that a card keeps its id whatever becomes of the call. */
export class CallIds {
  /** Id -> the next suffix to try, so that a server that restarts at `call_0` stays linear. */
  readonly #used = new Map<string, number>();
  readonly #ids: Ids;

  /** Ids in `messages` (calls and results) count as used. */
  constructor(messages: readonly Message[], ids: Ids) {
    this.#ids = ids;
    for (const message of messages) {
      // A history from outside is checked after this: here it may be anything.
      if (!Array.isArray(message?.content)) continue;
      for (const block of message.content) {
        if (block?.type === "tool_use") this.#used.set(block.id, 2);
        else if (block?.type === "tool_result") this.#used.set(block.tool_use_id, 2);
      }
    }
  }

  /** The provider's id if it is non-empty and unused, else `<id>_2`, `_3` ..., else a minted one. */
  reserve(providerId: string | undefined): string {
    const wanted = providerId === undefined || providerId === "" ? `call_${this.#ids()}` : providerId;
    let suffix = this.#used.get(wanted);
    if (suffix === undefined) {
      this.#used.set(wanted, 2);
      return wanted;
    }
    while (this.#used.has(`${wanted}_${suffix}`)) suffix++;
    this.#used.set(wanted, suffix + 1);
    const id = `${wanted}_${suffix}`;
    this.#used.set(id, 2);
    return id;
  }
}
