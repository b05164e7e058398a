// Finds the `[ID]` marks in the titles of tests, so that each requirement is tied to the tests that verify it.
import { parseSync } from "vite";

export interface Mark {
  readonly id: string;
  readonly path: string;
}

interface Node {
  readonly type: string;
}

// Only what is shaped like an id: a title may well speak of `[DONE]` or `[]`.
const ID = /^(?:[A-Z]\d+[a-z]?|(?:row|discard|fail)-[a-z\d-]+)$/;
const TEST_FUNCTIONS = new Set(["it", "test", "describe"]);
// A test that may not run verifies nothing.
const IDLE = new Set(["skip", "todo", "skipIf", "runIf", "fails"]);

/** The marks in one test file, in order; several ids may share their brackets: `[T1a, row-12]`. */
export function marksIn(path: string, text: string): readonly Mark[] {
  const marks: Mark[] = [];
  visit(parseSync(path, text).program, (node) => {
    for (const title of titlesOf(node)) {
      for (const [, inside = ""] of title.matchAll(/\[([^[\]]+)\]/g)) {
        for (const id of inside.split(/[\s,]+/)) if (ID.test(id)) marks.push({ id, path });
      }
    }
  });
  return marks;
}

// `it("title")`, `it.each(rows)("title")`, `describe.concurrent(...)`; a template's fixed parts count as title.
function titlesOf(node: Node): readonly string[] {
  if (node.type !== "CallExpression") return [];
  const { callee, arguments: args } = node as unknown as { callee: Node; arguments: readonly Node[] };
  const chain = namesOf(callee);
  if (!TEST_FUNCTIONS.has(chain[0] ?? "") || chain.some((name) => IDLE.has(name))) return [];
  const title = args[0] as
    | { readonly value?: unknown; readonly quasis?: readonly { readonly value: { readonly cooked: string } }[] }
    | undefined;
  if (typeof title?.value === "string") return [title.value];
  return title?.quasis?.map((part) => part.value.cooked) ?? [];
}

function namesOf(callee: Node): readonly string[] {
  const node = callee as { name?: string; object?: Node; property?: Node; callee?: Node; tag?: Node };
  const inner = node.object ?? node.callee ?? node.tag;
  const own = node.name ?? (node.property as { name?: string } | undefined)?.name;
  return [...(inner === undefined ? [] : namesOf(inner)), ...(own === undefined ? [] : [own])];
}

function visit(value: unknown, each: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (typeof (value as { type?: unknown }).type === "string") each(value as Node);
  for (const child of Object.values(value)) visit(child, each);
}
