// Where servers that speak Chat Completions differ, as data: one row per vendor, the first match counts.

export interface Vendor {
  /** Matches the host of the base URL. */
  readonly host: RegExp;
  /** The parameter that limits the answer's length. */
  readonly maxTokens: "max_tokens" | "max_completion_tokens";
}

const VENDORS: readonly Vendor[] = [
  { host: /(^|\.)openai\.com(:\d+)?$/, maxTokens: "max_completion_tokens" },
  { host: /\.openai\.azure\.com(:\d+)?$/, maxTokens: "max_completion_tokens" },
];

/** What compatible servers have in common. */
const COMPATIBLE: Vendor = { host: /./, maxTokens: "max_tokens" };

export function vendorOf(host: string): Vendor {
  return VENDORS.find((vendor) => vendor.host.test(host)) ?? COMPATIBLE;
}
