// Arguments come from a model: keys that reach into prototypes are dropped before anybody sees them.
import type { CallInput } from "@callwire/wire";

function isPrototypeKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

const DEEP = 64;

/** Walks plain values directly; below 64 levels it keeps its own stack, because the depth is the model's choice. */
function hasPrototypeKey(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === DEEP) return hasPrototypeKeyDeep(value);
  if (Array.isArray(value)) {
    for (const item of value) if (hasPrototypeKey(item, depth + 1)) return true;
    return false;
  }
  // Own keys only: `in` would find the prototype's.
  for (const key of Object.keys(value)) {
    if (isPrototypeKey(key) || hasPrototypeKey((value as Record<string, unknown>)[key], depth + 1)) return true;
  }
  return false;
}

function hasPrototypeKeyDeep(root: object): boolean {
  const stack: object[] = [root];
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    for (const [key, item] of Object.entries(value)) {
      if (!Array.isArray(value) && isPrototypeKey(key)) return true;
      if (typeof item === "object" && item !== null) stack.push(item);
    }
  }
  return false;
}

function withoutPrototypeKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypeKeys);
  const clean: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (!isPrototypeKey(key)) clean[key] = withoutPrototypeKeys((value as Record<string, unknown>)[key]);
  }
  return clean;
}

/** The arguments without `__proto__`, `constructor` and `prototype` at any depth; the same object when there are none. */
export function sanitise(input: CallInput): CallInput {
  return hasPrototypeKey(input) ? (withoutPrototypeKeys(input) as CallInput) : input;
}

/** Arguments as text with sorted keys, to tell equal calls from different ones. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "object" && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
        : item,
    ) ?? ""
  );
}
