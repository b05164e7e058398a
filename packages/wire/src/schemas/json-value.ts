// Tells JSON values from everything else, without recursion: their depth is somebody else's choice.
import type { JsonValue } from "../call.ts";

/** True when `JSON.parse(JSON.stringify(value))` gives an equal value. Linear; does not end for a cyclic one. */
export function isJsonValue(root: unknown): root is JsonValue {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (value === null || typeof value === "string" || typeof value === "boolean") continue;
    if (typeof value === "number") {
      if (!Number.isFinite(value)) return false;
    } else if (Array.isArray(value)) {
      for (const item of value) stack.push(item);
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) stack.push(value[key]);
    } else return false;
  }
  return true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
