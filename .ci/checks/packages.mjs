// Checks on what is published: packed as npm does it, judged by publint and attw, and loaded by plain node from the packed files.
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { run } from "./run.mjs";

const TOOL = resolve(".ci/tool.mjs");

/** Every package of the workspace, in build order. */
export function readPackages() {
  return JSON.parse(readFileSync("package.json", "utf8")).workspaces.map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")),
  }));
}

/** Packs one package into `scratch`, unpacks it into `scratch/app`, and lets publint and attw judge the tarball. */
export async function packAndJudge({ folder, manifest }, scratch) {
  const tarball = join(scratch, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
  const home = join(scratch, "app", "node_modules", manifest.name);
  mkdirSync(home, { recursive: true });
  const steps = [
    ["npm", ["pack", "--silent", "--pack-destination", scratch], { cwd: folder }],
    ["tar", ["xzf", tarball, "-C", home, "--strip-components=1"]],
    [process.execPath, [TOOL, "publint", "--strict", tarball]],
    // ESM only: CommonJS and node10 resolution are none of our promises. No rule is switched off.
    ...(Object.keys(manifest.exports).length === 0 ? [] : [[process.execPath, [TOOL, "attw", tarball, "--profile", "esm-only"]]]),
  ];
  for (const [command, args, options] of steps) {
    const problem = await run(command, args, { ...options, quiet: true });
    if (problem !== undefined) return `${[command, ...args].join(" ")}: ${problem}`;
  }
  return undefined;
}

/**
 * Plain node imports every entry of the unpacked package, as a user's program would, and runs its command with `--help`. Its outside
 * dependencies are those of this workspace.
 */
export async function load({ manifest }, scratch) {
  const app = join(scratch, "app");
  linkOutsiders(join(app, "node_modules"));
  for (const bin of Object.values(manifest.bin ?? {})) {
    const problem = await run(process.execPath, [join("node_modules", manifest.name, bin), "--help"], { cwd: app, quiet: true });
    if (problem !== undefined) return `${bin} --help: ${problem}`;
  }
  for (const entry of Object.keys(manifest.exports)) {
    const specifier = manifest.name + entry.slice(1);
    const source = `const names = Object.keys(await import(${JSON.stringify(specifier)})); if (names.length === 0) throw new Error("no exports");`;
    const problem = await run(process.execPath, ["--input-type=module", "-e", source], { cwd: app, quiet: true });
    if (problem !== undefined) return `import ${specifier}: ${problem}`;
  }
  return undefined;
}

function linkOutsiders(modules) {
  const ours = new Set(["@callwire", "callwire"]);
  for (const name of readdirSync("node_modules")) {
    if (ours.has(name) || name.startsWith(".") || lstatSync(join(modules, name), { throwIfNoEntry: false })) continue;
    symlinkSync(resolve("node_modules", name), join(modules, name));
  }
}

/** The newcomer's download: `npm ci` of this workspace brings at most 250 MB. */
export function installSize(limitMB = 250) {
  const megabytes = Math.round(diskUse("node_modules") / 1e6);
  const seconds = process.env.CALLWIRE_INSTALL_SECONDS;
  console.log(`node_modules has ${megabytes} MB${seconds === undefined ? "" : `, installed in ${seconds} s`}`);
  return megabytes <= limitMB ? undefined : `node_modules has ${megabytes} MB, more than ${limitMB}`;
}

function diskUse(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? diskUse(path) : lstatSync(path).blocks * 512;
  }
  return bytes;
}
