// The loop of a conversation: prompts and commands in, turns out. Nothing that a turn does ends it.
import { errorMessage } from "@callwire/wire";
import type { Staging } from "../play-turn.ts";
import type { Prompts } from "./prompts.ts";
import type { ChatSession } from "./session.ts";

const COMMANDS = "/reset forgets the conversation, /exit leaves";

/** How one turn ended: an exit code, and whether the process was told to go. */
export interface TurnOutcome {
  readonly code: number;
  readonly interrupted: boolean;
}

/** Plays one turn and says what went wrong, if anything. Never rejects. */
export async function takeTurn(session: ChatSession, prompt: string, { streams: { err } }: Staging): Promise<TurnOutcome> {
  try {
    const { result, interrupted } = await session.say(prompt);
    if (interrupted !== undefined) return { code: interrupted, interrupted: true };
    if (result.error === undefined) return { code: 0, interrupted: false };
    err.write(`callwire chat: ${result.error.code}: ${result.error.message}\n`);
  } catch (error) {
    err.write(`callwire chat: ${errorMessage(error)}\n`);
  }
  return { code: 1, interrupted: false };
}

/** Runs the conversation to its end. Resolves to the exit code: on a terminal 0, from a pipe 1 when a turn failed. */
export async function converse(session: ChatSession, prompts: Prompts, staging: Staging): Promise<number> {
  const { input, out, err } = staging.streams;
  const typed = input.isTTY === true;
  const say = (text: string) => (staging.json ? err : out).write(`${text}\n`);
  let worst = 0;
  for (;;) {
    const prompt = (await prompts.next())?.trim();
    if (prompt === undefined || prompt === "/exit" || prompt === "/quit") return typed ? 0 : worst;
    if (prompt === "") continue;
    if (prompt === "/reset") {
      session.reset();
      say("The conversation is forgotten.");
    } else if (/^\/\w+$/u.test(prompt)) {
      say(`There is no command ${prompt}: ${COMMANDS}.`);
    } else {
      if (!typed && !staging.json) say(`> ${prompt}`);
      const { code, interrupted } = await takeTurn(session, prompt, staging);
      // Ctrl-C stops a turn, not the conversation; whatever else ends a process ends both.
      if (interrupted && !(typed && code === 130)) return code;
      if (!interrupted) worst = Math.max(worst, code);
      if (typed && !staging.json) say("");
    }
  }
}
