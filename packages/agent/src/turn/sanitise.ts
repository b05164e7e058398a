// Arguments come from a model: keys that reach into prototypes are dropped before anybody sees them.
import type { CallInput } from "@callwire/wire";

function isPrototypeKey(key: string): boolean {
  return key === "__proto__" || key === "constructor" || key === "prototype";
}

/** Iterative, because the depth is the model's choice. */
function hasPrototypeKey(root: unknown): boolean {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object") stack.push(item);
      continue;
    }
    for (const key of Object.keys(value)) {
      if (isPrototypeKey(key)) return true;
      const item = (value as Record<string, unknown>)[key];
      if (typeof item === "object") stack.push(item);
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
