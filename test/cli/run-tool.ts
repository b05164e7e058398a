// Runs a tool's body as a turn would, without a turn.
import type { Tool, ToolContext } from "@callwire/wire";

/** The tool's return value. Rejects with what it threws. */
export async function runTool(tool: Tool, input: object): Promise<unknown> {
  if (typeof tool.execute !== "function") throw new Error(`${tool.name} has no body`);
  const signal = new AbortController().signal;
  const context: ToolContext = { toolCallId: "c", idempotencyKey: "c", signal, progress: () => {} };
  return await tool.execute(input, context);
}

/** True, false, or what the tool's rule says about this input. */
export function asks(tool: Tool, input: { readonly [key: string]: unknown }): boolean {
  return typeof tool.requiresApproval === "function" ? tool.requiresApproval(input) : tool.requiresApproval === true;
}
