// What a requirement is, and the two ways to write a set of them.

/** One testable rule. `later` rules belong to the issue named. */
export type Requirement =
  | { readonly text: string; readonly status: "in-scope" }
  | { readonly text: string; readonly status: "later"; readonly issue: number };

export type RuleSet = Readonly<Record<string, Requirement>>;

/** Rules that a test must verify now. */
export function inScope(texts: Readonly<Record<string, string>>): RuleSet {
  return mapValues(texts, (text) => ({ text, status: "in-scope" }));
}

/** Rules that come with the issue of that number. */
export function later(issue: number, texts: Readonly<Record<string, string>>): RuleSet {
  return mapValues(texts, (text) => ({ text, status: "later", issue }));
}

function mapValues(texts: Readonly<Record<string, string>>, make: (text: string) => Requirement): RuleSet {
  return Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, make(text)]));
}
