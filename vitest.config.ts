import { defineConfig } from "vitest/config";
import { mutantPlugin } from "./test/mutants/plugin.ts";

// One condition makes every @callwire/* import resolve to its TypeScript source: no build before a test.
const resolve = { conditions: ["callwire-source", "module", "node", "import", "default"] };
const ssr = {
  resolve: { conditions: ["callwire-source", "module", "node", "import", "default"], noExternal: [/^@callwire\//, "callwire"] },
};

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
