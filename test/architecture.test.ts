// The house keeps its shape: arrows, cycles, browser-safe entries, named exports, pinned versions. Each rule catches its sample.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  ambientViolations,
  arrowViolations,
  browserUnsafe,
  exportViolations,
  forbiddenReach,
  importCycles,
  shapeViolations,
  undeclaredImports,
  unpinned,
  versionViolations,
} from "./kit/architecture.ts";
import { type Manifest, parseFile, readManifest, readWorkspace, sourcePaths, type Workspace } from "./kit/source-tree.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const workspace = readWorkspace(ROOT);
const manifests = workspace.packages.map((one) => one.manifest);

// Entries that a browser may load: all, except those written down here because they run on Node only (as agent/mcp-stdio will).
const NODE_ONLY: readonly string[] = [];
const browserEntries = manifests
  .flatMap((one) => Object.keys(one.exports ?? {}).map((entry) => `${one.name}${entry.slice(1)}`))
  .filter((entry) => !NODE_ONLY.includes(entry));

const AMBIENT_TIME = ["Date", "Math.random", "performance", "crypto", "setTimeout", "setInterval", "setImmediate"];
const AMBIENT_IO = ["fetch", "process", "Buffer", "console", "require"];

/** A workspace in memory: files by path; manifests by folder. */
function sample(files: Readonly<Record<string, string>>, extra: Readonly<Record<string, Partial<Manifest>>> = {}): Workspace {
  const names = { wire: "@callwire/wire", agent: "@callwire/agent", models: "@callwire/models", cards: "@callwire/cards" };
  const packages = Object.entries(names).map(([folder, name]) => ({
    folder: `packages/${folder}`,
    manifest: {
      name,
      version: "1.0.0",
      exports: { ".": { "callwire-source": "./src/index.ts" }, "./turn": { "callwire-source": "./src/turn/index.ts" } },
      ...extra[folder],
    },
  }));
  return { packages, files: new Map(Object.entries(files).map(([path, text]) => [path, parseFile(path, text)])) };
}

const INDEX = { "packages/wire/src/index.ts": "// Words.\nexport const a = 1;\n" };

describe("arrows", () => {
  it("are kept by every import of every package", () => {
    expect(arrowViolations(workspace)).toEqual([]);
  });

  it("are broken by a sibling, by a foreign package in wire, by a relative path into another package", () => {
    const found = arrowViolations(
      sample({
        ...INDEX,
        "packages/cards/src/index.ts": 'import type { a } from "@callwire/agent";\nexport type B = typeof a;\n',
        "packages/agent/src/index.ts":
          'export { a } from "@callwire/wire";\nexport const b = import("../../wire/src/index.ts");\n',
        "packages/wire/src/bad.ts": 'import "rxjs";\nexport type C = import("@callwire/cards").B;\n',
      }),
    );
    expect(found).toEqual([
      "packages/cards/src/index.ts:1: @callwire/cards may not import @callwire/agent",
      "packages/agent/src/index.ts:2: ../../wire/src/index.ts leaves its package",
      "packages/wire/src/bad.ts:1: @callwire/wire may not import rxjs",
      "packages/wire/src/bad.ts:2: @callwire/wire may not import @callwire/cards",
    ]);
  });

  it("are broken by an entry that does not exist and by an import without its extension", () => {
    const found = arrowViolations(
      sample({ ...INDEX, "packages/agent/src/a.ts": 'import "@callwire/wire/secret";\nimport "./other";\n' }),
    );
    expect(found).toEqual([
      "packages/agent/src/a.ts:1: @callwire/wire has no entry ./secret",
      "packages/agent/src/a.ts:2: packages/agent/src/other does not exist",
    ]);
  });
});

describe("dependencies", () => {
  it("are declared by the package that imports them", () => {
    expect(undeclaredImports(workspace)).toEqual([]);
  });

  it("are missed when the manifest does not name them, or a builtin lacks node:", () => {
    const files = { ...INDEX, "packages/agent/src/a.ts": 'import "zod";\nimport "@callwire/wire";\nimport "fs";\n' };
    expect(undeclaredImports(sample(files, { agent: { peerDependencies: { zod: "4" } } }))).toEqual([
      "packages/agent/src/a.ts:2: @callwire/agent does not declare @callwire/wire",
      "packages/agent/src/a.ts:3: fs is a builtin: write node:fs",
    ]);
  });

  it("are pinned exactly, in the workspace and in the tools of the CI", () => {
    expect(
      unpinned([readManifest(`${ROOT}/package.json`), readManifest(`${ROOT}/.ci/tools/package.json`), ...manifests]),
    ).toEqual([]);
  });

  it("are caught when they are a range, a tag or a git address", () => {
    const dependencies = { a: "^1.0.0", b: "latest", c: "1.x", d: "1.2.3", e: "git+ssh://host/e" };
    expect(unpinned([{ name: "x", version: "1.0.0", dependencies, peerDependencies: { f: ">=1 <2" } }])).toEqual([
      "x: a is ^1.0.0, not an exact version",
      "x: b is latest, not an exact version",
      "x: c is 1.x, not an exact version",
      "x: e is git+ssh://host/e, not an exact version",
    ]);
  });

  it("of our own packages have one version", () => {
    expect(versionViolations(manifests)).toEqual([]);
    expect(
      versionViolations([
        { name: "a", version: "1.0.0" },
        { name: "b", version: "1.0.1", dependencies: { a: "0.9.0" } },
      ]),
    ).toEqual(["b is 1.0.1, not 1.0.0", "b wants a 0.9.0, not 1.0.0"]);
  });
});

describe("import cycles", () => {
  it("do not exist", () => {
    expect(importCycles(workspace)).toEqual([]);
  });

  it("are found over several files, over re-exports and over type imports", () => {
    const files = {
      "packages/wire/src/a.ts": 'export { b } from "./b.ts";\n',
      "packages/wire/src/b.ts": 'import type { C } from "./c.ts";\nexport const b: C = 1;\n',
      "packages/wire/src/c.ts": 'export type C = typeof import("./a.ts").b;\n',
    };
    const [a, b, c] = Object.keys(files);
    expect(importCycles(sample(files))).toEqual([[a, b, c, a].join(" -> ")]);
  });
});

describe("entries", () => {
  it("of every package are free of node:", () => {
    expect(browserEntries.length).toBeGreaterThan(5);
    expect(browserUnsafe(workspace, browserEntries)).toEqual([]);
  });

  it("wire is free of zod at its root, of node:, of timers and of I/O everywhere [E5a]", () => {
    expect(forbiddenReach(workspace, "@callwire/wire", ["zod"])).toEqual([]);
    expect(ambientViolations(workspace, "packages/wire/src", { names: [...AMBIENT_TIME, ...AMBIENT_IO] })).toEqual([]);
  });

  it("agent/turn is free of Workglow", () => {
    expect(forbiddenReach(workspace, "@callwire/agent/turn", ["@workglow/*"])).toEqual([]);
  });

  it("cards is free of rxjs, zod, React and Workglow at its root", () => {
    expect(forbiddenReach(workspace, "@callwire/cards", ["rxjs", "zod", "react", "@workglow/*"])).toEqual([]);
  });

  it("are caught when they reach something over another file or another package", () => {
    const bad = sample({
      "packages/wire/src/index.ts": 'export { a } from "./deep.ts";\n',
      "packages/wire/src/deep.ts":
        'import * as z from "zod";\nimport type { Stats } from "node:fs";\nexport const a: Stats = z;\n',
      "packages/agent/src/turn/index.ts": 'import "@callwire/wire";\nexport const load = () => import("@workglow/task-graph");\n',
    });
    expect(browserUnsafe(bad, ["@callwire/agent/turn"])).toEqual([
      "@callwire/agent/turn reaches node:fs (packages/wire/src/deep.ts:2)",
    ]);
    expect(forbiddenReach(bad, "@callwire/agent/turn", ["@workglow/*", "zod"])).toEqual([
      "@callwire/agent/turn reaches @workglow/task-graph (packages/agent/src/turn/index.ts:2)",
      "@callwire/agent/turn reaches zod (packages/wire/src/deep.ts:1)",
    ]);
    expect(forbiddenReach(bad, "@callwire/gone", ["zod"])).toEqual(["@callwire/gone: no such entry"]);
  });
});

describe("time and chance", () => {
  it("come from ports: only the turn's wall clock and id source touch them [P4]", () => {
    const except = ["packages/agent/src/turn/clock.ts"];
    expect(ambientViolations(workspace, "packages/agent/src", { names: AMBIENT_TIME, except })).toEqual([]);
    expect(ambientViolations(workspace, "packages/cards/src", { names: AMBIENT_TIME })).toEqual([]);
  });

  it("are caught when a file takes them from the global scope, not when a member has their name", () => {
    const text = "export const t = () => Date.now();\nexport const u = { setTimeout: 1 }.setTimeout + Math.max(Math.random());\n";
    const bad = sample({ "packages/wire/src/a.ts": text, "packages/wire/src/b.ts": text });
    expect(ambientViolations(bad, "packages/wire/src", { names: AMBIENT_TIME, except: ["packages/wire/src/b.ts"] })).toEqual([
      "packages/wire/src/a.ts: line 1 uses Date",
      "packages/wire/src/a.ts: line 2 uses Math.random",
    ]);
  });
});

describe("files", () => {
  const others = ["test", "examples", "bench", ".ci"].flatMap((folder) => sourcePaths(ROOT, folder));

  it("export by name only, each name where it is exported", () => {
    expect(exportViolations(workspace)).toEqual([]);
    const bad = sample({
      "packages/wire/src/a.ts": 'export default 1;\nexport * from "./b.ts";\n',
      "packages/wire/src/b.ts": "",
    });
    expect(exportViolations(bad)).toEqual([
      "packages/wire/src/a.ts: has a default export",
      "packages/wire/src/a.ts: has an export *",
    ]);
  });

  it("start with their purpose and have at most 250 lines", () => {
    const rest = others.map((path) => parseFile(path, readFileSync(`${ROOT}/${path}`, "utf8")));
    expect(shapeViolations([...workspace.files.values(), ...rest])).toEqual([]);
    const bad = [parseFile("a.ts", "export const a = 1;\n"), parseFile("b.ts", `// B.\n${"//\n".repeat(250)}`)];
    expect(shapeViolations(bad)).toEqual(["a.ts: does not start with a // line of purpose", "b.ts: has 251 lines, at most 250"]);
  });
});
