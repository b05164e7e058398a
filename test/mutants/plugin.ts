// Applies one mutant while the sources are loaded: nothing on disk changes.
import type { Plugin } from "vite";
import { type Edit, MUTANTS } from "./mutants.ts";

/** The plugin for the mutant that the environment names; none without one. */
export function mutantPlugin(name: string | undefined): Plugin[] {
  if (name === undefined) return [];
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) throw new Error(`No mutant is named "${name}": ${MUTANTS.map((one) => one.name).join(", ")}.`);
  return [
    {
      name: "callwire-mutant",
      enforce: "pre",
      transform(code, id) {
        const path = id.split("?")[0] ?? id;
        const edits = mutant.edits.filter((edit) => path.endsWith(edit.file));
        return edits.length === 0 ? undefined : edits.reduce(apply, code);
      },
    },
  ];
}

function apply(code: string, edit: Edit): string {
  if (!code.includes(edit.from))
    throw new Error(`The mutant no longer fits ${edit.file}: it does not hold ${JSON.stringify(edit.from)}.`);
  return code.replace(edit.from, () => edit.to);
}
