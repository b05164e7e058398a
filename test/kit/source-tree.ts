// Reads the workspace as the architecture rules see it: packages with their manifests, files with their imports and exports.
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { parseSync } from "vite";

/** One import, whatever its form: static, type-only, re-export, dynamic, or `import("x").T`. */
export interface ImportOf {
  readonly specifier: string;
  readonly line: number;
}

export interface ExportOf {
  /** `*` for `export *`, `default` for the default export. */
  readonly name: string;
  readonly typeOnly: boolean;
}

export interface SourceFile {
  /** Relative to the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ImportOf[];
  readonly exports: readonly ExportOf[];
  /** Names of the globals of interest that the file mentions (`Date`, `setTimeout`, ...), with their lines. */
  readonly mentions: readonly { readonly name: string; readonly line: number }[];
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Package {
  /** For example `packages/wire`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Workspace {
  readonly packages: readonly Package[];
  readonly files: ReadonlyMap<string, SourceFile>;
}

const AMBIENT = new Set(
  "Date Math.random performance crypto setTimeout setInterval setImmediate fetch process Buffer console require".split(" "),
);

interface Node {
  readonly type: string;
  readonly start: number;
}

/** Parses one file; throws with its path when it does not parse. */
export function parseFile(path: string, text: string): SourceFile {
  const { module, program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const lineOf = lineFinder(text);
  const imports: ImportOf[] = [];
  const add = (specifier: string, start: number) => imports.push({ specifier, line: lineOf(start) });
  for (const one of module.staticImports) add(one.moduleRequest.value, one.start);
  const exports: ExportOf[] = [];
  for (const entry of module.staticExports.flatMap((one) => one.entries)) {
    if (entry.moduleRequest !== null) add(entry.moduleRequest.value, entry.start);
    exports.push({ name: exportName(entry.exportName), typeOnly: entry.isType });
  }
  const mentions: { name: string; line: number }[] = [];
  walk(program, undefined, (node, parent) => {
    const literal = importedLiteral(node);
    if (literal !== undefined) add(literal, node.start);
    const name = ambientName(node, parent);
    if (name !== undefined) mentions.push({ name, line: lineOf(node.start) });
  });
  return { path, text, imports, exports, mentions };
}

/** The workspace on disk. `root` is the folder of the root package.json. */
export function readWorkspace(root: string): Workspace {
  const packages = readdirSync(`${root}/packages`)
    .sort()
    .map((name): Package => ({ folder: `packages/${name}`, manifest: readManifest(`${root}/packages/${name}/package.json`) }));
  const files = new Map<string, SourceFile>();
  for (const { folder } of packages) {
    for (const path of sourcePaths(root, `${folder}/src`))
      files.set(path, parseFile(path, readFileSync(`${root}/${path}`, "utf8")));
  }
  return { packages, files };
}

export function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8")) as Manifest;
}

/** All source files under a folder, relative to `root`, sorted; none where the folder is absent. */
export function sourcePaths(root: string, folder: string): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(`${root}/${folder}`, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
  return names
    .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes("/node_modules/"))
    .sort();
}

/** What a specifier in `from` stands for: a file of the workspace, a builtin, an external package, or nothing. */
export type Target =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "node" }
  | { readonly kind: "external"; readonly name: string }
  | { readonly kind: "missing"; readonly problem: string };

export function resolveImport(workspace: Workspace, from: string, specifier: string): Target {
  if (specifier.startsWith(".")) return fileTarget(workspace, posix.join(posix.dirname(from), specifier));
  if (specifier.startsWith("node:")) return { kind: "node" };
  const [first = "", second = ""] = specifier.split("/");
  const name = first.startsWith("@") ? `${first}/${second}` : first;
  const own = workspace.packages.find((one) => one.manifest.name === name);
  if (own === undefined) return { kind: "external", name };
  const entry = `.${specifier.slice(name.length)}`;
  const source = own.manifest.exports?.[entry]?.["callwire-source"];
  if (source === undefined) return { kind: "missing", problem: `${name} has no entry ${entry}` };
  return fileTarget(workspace, posix.join(own.folder, source));
}

function fileTarget(workspace: Workspace, path: string): Target {
  return workspace.files.has(path) ? { kind: "file", path } : { kind: "missing", problem: `${path} does not exist` };
}

function exportName(name: { readonly kind: string; readonly name?: string | null }): string {
  if (name.kind === "Default") return "default";
  return name.name ?? "*";
}

// `import("x")` as expression (ImportExpression) and as type (TSImportType), and `import x = require("x")`.
function importedLiteral(node: Node): string | undefined {
  if (!["ImportExpression", "TSImportType", "TSExternalModuleReference"].includes(node.type)) return undefined;
  const holder = node as { source?: unknown; argument?: unknown; expression?: unknown };
  const literal = (holder.source ?? holder.argument ?? holder.expression) as { value?: unknown } | undefined;
  return typeof literal?.value === "string" ? literal.value : "<computed>";
}

function ambientName(node: Node, parent: Node | undefined): string | undefined {
  if (node.type !== "Identifier") return undefined;
  const holder = parent as (Node & { property?: { name?: string }; key?: unknown; computed?: boolean }) | undefined;
  const isMember = holder?.computed !== true && (holder?.property === (node as unknown) || holder?.key === node);
  const { name } = node as unknown as { name: string };
  const whole = name === "Math" ? `Math.${holder?.property?.name}` : name;
  return AMBIENT.has(whole) && !isMember ? whole : undefined;
}

function walk(node: Node, parent: Node | undefined, visit: (node: Node, parent: Node | undefined) => void): void {
  visit(node, parent);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, node, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map((match) => match.index);
  return (offset) => ends.filter((end) => end < offset).length + 1;
}
