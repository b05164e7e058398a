// A persistent array: a write copies three short lists, whatever the size, and leaves the old version as it was.

/** Three levels of at most 32 entries; the top one grows with every 1,024 keys. Holes read as undefined. */
export type Radix<T> = readonly (readonly (readonly T[])[])[];

/** `key`: a whole number from 0. */
export function radixGet<T>(tree: Radix<T>, key: number): T | undefined {
  return tree[key >>> 10]?.[(key >>> 5) & 31]?.[key & 31];
}

/** The tree with `value` at `key`. */
export function radixSet<T>(tree: Radix<T>, key: number, value: T): Radix<T> {
  const top = key >>> 10;
  const middle = (key >>> 5) & 31;
  const branch = tree[top] ?? [];
  return replaced(tree, top, replaced(branch, middle, replaced(branch[middle] ?? [], key & 31, value)));
}

/** All values of a tree without holes, in the order of their keys. */
export function radixValues<T>(tree: Radix<T>): T[] {
  const values: T[] = [];
  for (const branch of tree) for (const leaf of branch) for (const value of leaf) values.push(value);
  return values;
}

function replaced<T>(list: readonly T[], at: number, value: T): readonly T[] {
  const copy = list.slice();
  copy[at] = value;
  return copy;
}
