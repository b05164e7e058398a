// The rules of the house as functions over a workspace: each returns its violations in words, none when all is well.
import { builtinModules } from "node:module";
import { type Manifest, type Package, resolveImport, type SourceFile, type Workspace } from "./source-tree.ts";

/** Arrows: package -> the packages of ours that it may import, and the outside packages where those are limited. */
export interface Arrows {
  readonly ours: readonly string[];
  /** Outside packages, by exact name or `@scope/*`; absent: whatever its manifest declares. */
  readonly outside?: readonly string[];
}

export const ARROWS: Readonly<Record<string, Arrows>> = {
  "@callwire/wire": { ours: [], outside: ["zod"] },
  "@callwire/models": { ours: ["@callwire/wire"] },
  "@callwire/agent": { ours: ["@callwire/wire"] },
  "@callwire/cards": { ours: ["@callwire/wire"], outside: ["rxjs", "react"] },
  "@callwire/sessions": { ours: ["@callwire/wire"], outside: ["libsql", "bun:sqlite"] },
  "@callwire/hosts": {
    ours: ["@callwire/wire", "@callwire/agent/turn", "@callwire/cards", "@callwire/sessions"],
    outside: ["@agentclientprotocol/sdk", "hono", "@hono/node-server", "@ag-ui/core"],
  },
  callwire: {
    ours: ["@callwire/wire", "@callwire/models", "@callwire/agent", "@callwire/cards", "@callwire/sessions", "@callwire/hosts"],
  },
};

/** Imports between packages follow the arrows; relative imports stay inside their package; every import resolves. */
export function arrowViolations(workspace: Workspace, arrows: Readonly<Record<string, Arrows>> = ARROWS): string[] {
  return eachImport(workspace, (file, owner, specifier) => {
    const allowed = arrows[owner.manifest.name];
    if (allowed === undefined) return `${owner.manifest.name} has no row in the table of arrows`;
    const target = resolveImport(workspace, file.path, specifier);
    if (target.kind === "missing") return target.problem;
    if (target.kind === "external") {
      const fits = allowed.outside?.some((name) => matches(target.name, name)) ?? true;
      return fits ? undefined : `${owner.manifest.name} may not import ${target.name}`;
    }
    if (target.kind === "node") return undefined;
    const other = packageOf(workspace, target.path);
    if (specifier.startsWith(".")) return other === owner ? undefined : `${specifier} leaves its package`;
    if (other === owner) return `${specifier} is its own package: import the file`;
    return allowed.ours.some((name) => specifier === name || specifier.startsWith(`${name}/`))
      ? undefined
      : `${owner.manifest.name} may not import ${specifier}`;
  });
}

/** Outside packages that the sources import are declared; node builtins carry `node:`. */
export function undeclaredImports(workspace: Workspace): string[] {
  return eachImport(workspace, (file, owner, specifier) => {
    const target = resolveImport(workspace, file.path, specifier);
    const name = target.kind === "external" ? target.name : packageName(workspace, specifier);
    if (name === undefined || name === owner.manifest.name) return undefined;
    if (builtinModules.includes(name)) return `${specifier} is a builtin: write node:${specifier}`;
    const { dependencies, peerDependencies, optionalDependencies } = owner.manifest;
    const declared = { ...dependencies, ...peerDependencies, ...optionalDependencies };
    return name in declared ? undefined : `${owner.manifest.name} does not declare ${name}`;
  });
}

/** Cycles between files, type-only imports included: each as `a -> b -> a`. */
export function importCycles(workspace: Workspace): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) cycles.push([...trail.slice(at), path].join(" -> "));
    if (at >= 0 || done.has(path)) return;
    for (const next of filesImportedBy(workspace, path)) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of workspace.files.keys()) visit(path, []);
  return cycles;
}

/** What an entry must not reach, over any number of files: `node` stands for every `node:` builtin. */
export function forbiddenReach(workspace: Workspace, entry: string, forbidden: readonly string[]): string[] {
  const [start, violations] = [resolveImport(workspace, "", entry), [] as string[]];
  if (start.kind !== "file") return [`${entry}: no such entry`];
  const seen = new Set([start.path]);
  for (const path of seen) {
    for (const { specifier, line } of workspace.files.get(path)?.imports ?? []) {
      const target = resolveImport(workspace, path, specifier);
      if (target.kind === "file") seen.add(target.path);
      const name = target.kind === "external" ? target.name : target.kind;
      const hit = forbidden.some((one) => (target.kind === "external" || target.kind === "node") && matches(name, one));
      if (hit) violations.push(`${entry} reaches ${specifier} (${path}:${line})`);
    }
  }
  return violations;
}

/** Every package's root entry and every entry named is free of `node:`, directly or over other files. */
export function browserUnsafe(workspace: Workspace, entries: readonly string[]): string[] {
  return entries.flatMap((entry) => forbiddenReach(workspace, entry, ["node"]));
}

/** Only named exports, each named where it is exported. */
export function exportViolations(workspace: Workspace): string[] {
  return eachFile(workspace, (file) => [
    ...(file.exports.some((one) => one.name === "default") ? ["has a default export"] : []),
    ...(file.exports.some((one) => one.name === "*") ? ["has an export *"] : []),
  ]);
}

/** A file starts with one sentence of purpose and has at most 250 lines. */
export function shapeViolations(files: Iterable<SourceFile>, maxLines = 250): string[] {
  return [...files].flatMap((file) => {
    const lines = file.text.trimEnd().split("\n");
    const first = lines[0]?.startsWith("#!") === true ? lines[1] : lines[0];
    return [
      ...(/^\/\/ \S/.test(first ?? "") ? [] : [`${file.path}: does not start with a // line of purpose`]),
      ...(lines.length <= maxLines ? [] : [`${file.path}: has ${lines.length} lines, at most ${maxLines}`]),
    ];
  });
}

/** Files under `folder` mention none of the ambient names (time, randomness, I/O), except where allowed. */
export function ambientViolations(
  workspace: Workspace,
  folder: string,
  rule: { readonly names: readonly string[]; readonly except?: readonly string[] },
): string[] {
  return eachFile(workspace, (file) => {
    if (!file.path.startsWith(`${folder}/`) || rule.except?.includes(file.path) === true) return [];
    return file.mentions.filter((one) => rule.names.includes(one.name)).map((one) => `line ${one.line} uses ${one.name}`);
  });
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** Dependencies are pinned exactly; peers may be ranges. */
export function unpinned(manifests: readonly Manifest[]): string[] {
  return manifests.flatMap(({ name, dependencies, devDependencies, optionalDependencies }) =>
    Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
      .filter(([, version]) => !EXACT.test(version))
      .map(([dependency, version]) => `${name}: ${dependency} is ${version}, not an exact version`),
  );
}

/** All packages have the version of the first, and depend on each other at it. */
export function versionViolations(manifests: readonly Manifest[]): string[] {
  const version = manifests[0]?.version;
  const ours = new Set(manifests.map((one) => one.name));
  return manifests.flatMap((one) => [
    ...(one.version === version ? [] : [`${one.name} is ${one.version}, not ${version}`]),
    ...Object.entries({ ...one.dependencies, ...one.peerDependencies })
      .filter(([name, wanted]) => ours.has(name) && wanted !== version)
      .map(([name, wanted]) => `${one.name} wants ${name} ${wanted}, not ${version}`),
  ]);
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function packageOf(workspace: Workspace, path: string): Package | undefined {
  return workspace.packages.find((one) => path.startsWith(`${one.folder}/`));
}

function packageName(workspace: Workspace, specifier: string): string | undefined {
  return workspace.packages
    .map((one) => one.manifest.name)
    .find((name) => specifier === name || specifier.startsWith(`${name}/`));
}

function filesImportedBy(workspace: Workspace, path: string): readonly string[] {
  return (workspace.files.get(path)?.imports ?? []).flatMap(({ specifier }) => {
    const target = resolveImport(workspace, path, specifier);
    return target.kind === "file" ? [target.path] : [];
  });
}

function eachFile(workspace: Workspace, check: (file: SourceFile) => readonly string[]): string[] {
  return [...workspace.files.values()].flatMap((file) => check(file).map((problem) => `${file.path}: ${problem}`));
}

function eachImport(
  workspace: Workspace,
  check: (file: SourceFile, owner: Package, specifier: string) => string | undefined,
): string[] {
  return [...workspace.files.values()].flatMap((file) => {
    const owner = packageOf(workspace, file.path);
    if (owner === undefined) return [`${file.path}: belongs to no package`];
    return file.imports.flatMap(({ specifier, line }) => {
      const problem = check(file, owner, specifier);
      return problem === undefined ? [] : [`${file.path}:${line}: ${problem}`];
    });
  });
}
