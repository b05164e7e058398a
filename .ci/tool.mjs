// Runs a tool of .ci/tools (biome, publint, attw, bun): node .ci/tool.mjs NAME [arguments]
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [name = "", ...args] = process.argv.slice(2);
const bin = fileURLToPath(new URL(`./tools/node_modules/.bin/${name}`, import.meta.url));

if (name === "" || !existsSync(bin)) {
  console.error(
    `.ci/tools has no ${name === "" ? "tool without a name" : name}. Install the tools once: npm ci --prefix .ci/tools`,
  );
  process.exit(1);
}
const { status, error } = spawnSync(bin, args, { stdio: "inherit" });
if (error !== undefined) console.error(`${name} did not start: ${error.message}`);
process.exit(status ?? 1);
