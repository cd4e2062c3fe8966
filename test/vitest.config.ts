import { defineConfig } from "vitest/config";

/** One configuration for every kind of test; `npm test` picks folders. */
export default defineConfig({
  test: { root: ".", include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, pool: "forks" },
});
