// Tools, approvers and one way to look at a call's input, shared by the tests of the turn.
import { defineTool } from "@callwire/agent/turn";
import type { ApprovalResponse, Approver, InputSchema, Tool } from "@callwire/wire";
import * as z from "zod";
import { call, oneRound, playTurn, type Stage } from "../../kit/turn.ts";

export const echo = defineTool({
  name: "echo",
  description: "Says it back",
  input: z.object({ say: z.string() }),
  execute: ({ say }) => say,
});

export const fails = defineTool({
  name: "fails",
  description: "Throws",
  execute: () => {
    throw new Error("no luck");
  },
});

/** Needs approval. */
export const write = defineTool({ name: "write", description: "Writes", requiresApproval: true, execute: () => "written" });

/** A tool that says nothing of itself, with a body of the test's own. */
export function tool(name: string, execute: Exclude<Tool["execute"], "host">, more: Partial<Tool> = {}): Tool {
  return { name, description: name, execute, ...more } as Tool;
}

/** Works for `ms` on the turn's clock, whatever its signal says, then returns `<name> done`. */
export function slow(stage: Stage, name: string, ms: number, more: Partial<Tool> = {}): Tool {
  return tool(name, () => stage.clock.sleep(ms).then(() => `${name} done`), more);
}

/** Works for `ms`; gives in to its signal at once. */
export function obedient(stage: Stage, name: string, ms: number, more: Partial<Tool> = {}): Tool {
  const body = async (_input: unknown, { signal }: { readonly signal: AbortSignal }) => {
    await stage.clock.sleep(ms, signal);
    signal.throwIfAborted();
    return `${name} done`;
  };
  return tool(name, body, more);
}

/** A reply to the question about one call, after `ms` on the turn's clock. Without a reply nobody ever answers. */
export interface Reply {
  readonly ms?: number;
  readonly reply?: ApprovalResponse | Error | unknown;
}

/** Answers by call id. A call that is not in the table is allowed at once. */
export function replies(table: Readonly<Record<string, Reply>> = {}): (stage: Stage) => Approver {
  return ({ clock }) => ({
    async ask({ toolCallId }) {
      const { ms = 0, ...rest } = table[toolCallId] ?? { reply: { answer: "allow" } };
      await clock.sleep(ms);
      if (!("reply" in rest)) return new Promise(() => undefined);
      if (rest.reply instanceof Error) throw rest.reply;
      return rest.reply as ApprovalResponse;
    },
  });
}

export const ALLOW: Reply = { reply: { answer: "allow" } };
export const DENY: Reply = { reply: { answer: "deny" } };
export const CANCEL: Reply = { reply: { answer: "cancel" } };

/** Plays one call with this argument text and returns all that was seen of its input. */
export async function seen(input: InputSchema | undefined, argsText: string, more: Partial<Tool> = {}) {
  const bodies: unknown[] = [];
  const t = tool("t", (given) => void bodies.push(given), { input, ...more });
  const turn = await playTurn({ script: oneRound(call("a", "t", {}, { args: undefined, argsText })), tools: [t] });
  const use = turn.added
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .find((block) => block.type === "tool_use");
  return { ...turn, body: bodies[0], ran: bodies.length === 1, told: turn.event("a", "pending").input, stored: use?.input };
}
