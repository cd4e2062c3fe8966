import { defineConfig } from "vitest/config";

/** What a shell may have set, and clients of brokers would follow. */
const env = { GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: "" };

/** One configuration for every kind of test; `npm test` picks folders. */
export default defineConfig({
  test: { root: ".", include: ["test/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 120_000, pool: "forks", env },
});
