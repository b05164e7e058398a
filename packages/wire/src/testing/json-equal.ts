// Deep equality of JSON values, without recursion: their depth is the model's choice.

/** Members that are `undefined` count as absent, as they do in JSON. Identical objects are not walked. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  const stack: unknown[] = [left, right];
  while (stack.length > 0) {
    const b = stack.pop();
    const a = stack.pop();
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b) || !pushMembers(stack, a, b)) return false;
  }
  return true;
}

function pushMembers(stack: unknown[], a: object, b: object): boolean {
  const left = presentMembers(a);
  if (left.length !== presentMembers(b).length) return false;
  for (const [key, value] of left) {
    if (!Object.hasOwn(b, key)) return false;
    stack.push(value, (b as Record<string, unknown>)[key]);
  }
  return true;
}

function presentMembers(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
