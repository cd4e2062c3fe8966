import { defineConfig } from "vitest/config";

/** One configuration for every kind of test; `npm test` picks folders. */
export default defineConfig({
  test: { root: ".", include: ["test/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 60_000, pool: "forks" },
});
