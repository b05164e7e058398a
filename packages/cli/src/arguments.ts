// The command line of one command, read by node:util and refused in words that name what is wrong.
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The command line cannot be understood. The command prints the message and exits with 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;
interface Config<O extends Options> {
  readonly args: string[];
  readonly options: O;
  readonly allowPositionals: boolean;
  readonly strict: true;
}
type Parsed<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>;

function hasCode(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && typeof error.code === "string";
}

/** Reads flags and positionals. Throws `UsageError` for whatever `options` does not allow. */
export function readArguments<const O extends Options>(
  args: readonly string[],
  options: O,
  allowPositionals: boolean,
): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals, strict: true });
  } catch (error) {
    if (!hasCode(error) || !error.code.startsWith("ERR_PARSE_ARGS")) throw error;
    // Node adds advice on how to pass such a word as a positional; the first sentence names the flag.
    const [first = error.message] = error.message.split(/\. (?=To specify|This command|Did you)/u);
    throw new UsageError(first.replace(/\.$/u, ""));
  }
}

/** The answer to every approval question, where a flag gives one. Throws `UsageError` for both flags at once. */
export function standingAnswer(values: { readonly yes?: boolean; readonly no?: boolean }): "allow" | "deny" | undefined {
  if (values.yes === true && values.no === true) throw new UsageError("--yes and --no contradict each other");
  if (values.yes === true) return "allow";
  return values.no === true ? "deny" : undefined;
}
