// The demo's temporary folder: made anew, and gone whatever ends the process.
import { rmSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DRAFT } from "./story.ts";

export interface DemoFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Makes the folder in which the story plays. */
export async function makeDemoFolder(): Promise<DemoFolder> {
  const path = await mkdtemp(join(tmpdir(), "callwire-demo-"));
  // A second Ctrl-C exits at once: only synchronous work is done then.
  const onExit = () => rmSync(path, { recursive: true, force: true });
  process.on("exit", onExit);
  await writeFile(join(path, DRAFT.path), DRAFT.content);
  return {
    path,
    remove: async () => {
      process.off("exit", onExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}
