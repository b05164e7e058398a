import { defineConfig } from "vitest/config";
import { mutantPlugin } from "./test/mutants/plugin.ts";

// One condition makes every @callwire/* import resolve to its TypeScript source: no build before a test. On Bun what is inlined
// must resolve as Bun itself resolves the rest, else Workglow is loaded twice.
const runtime = process.versions.bun === undefined ? [] : ["bun"];
const conditions = ["callwire-source", ...runtime, "module", "node", "import", "default"];
const resolve = { conditions };
const ssr = { resolve: { conditions, noExternal: [/^@callwire\//, "callwire"] } };

export default defineConfig({
  test: {
    projects: [
      {
        plugins: mutantPlugin(process.env.CALLWIRE_MUTANT),
        resolve,
        ssr,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          setupFiles: ["test/kit/setup.ts"],
          testTimeout: 20_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: "types",
          include: [],
          typecheck: { enabled: true, only: true, include: ["test/types/**/*.test-d.ts"], tsconfig: "tsconfig.json" },
        },
      },
      {
        resolve,
        ssr,
        test: { name: "examples", include: ["test/examples.spec.ts"], testTimeout: 60_000 },
      },
    ],
  },
});
