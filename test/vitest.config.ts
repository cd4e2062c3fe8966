import { defineConfig } from "vitest/config";
import { DEEP_TAG, FULL_TAG, isDeep, SHARE_TAG, STORY_TAG } from "./support/depth.ts";
import { DrillSequencer } from "./support/drill-sequencer.ts";

const env = {
  // What a shell may have set, and clients of brokers would follow.
  GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: "",
  // A seventh of the time of a synthesis, and no test reads where a construct was created.
  CDK_DISABLE_STACK_TRACE: "1",
  // The validator of the CDK is WebAssembly that takes up to 18 s in a process with many modules. `cdk synth` of CI runs it.
  CDK_VALIDATION: "false",
};

/** Ends a test that hangs. Full counts on a machine with other work take minutes, and no test asserts a duration. */
const TIMEOUT_MS = isDeep ? 900_000 : 120_000;

/** One configuration for every kind of test; `npm test` picks folders. */
export default defineConfig({
  test: {
    root: ".",
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/fresh-environment.ts"],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    tags: [
      { name: DEEP_TAG, description: "only `npm run test:deep`, or by the name of the file" },
      { name: STORY_TAG, description: "tests that build on each other" },
      { name: SHARE_TAG, description: "longer in `npm run test:deep`" },
      { name: FULL_TAG, description: "only `npm run test:full`, or by the name of the file" },
    ],
    pool: "forks",
    sequence: { sequencer: DrillSequencer },
    // Files share modules that are loaded and compiled already: a third of all time, with services in so many of them.
    isolate: false,
    // A deep run has some eighty files in one process, which keeps what they loaded. Requests make many short-lived objects.
    execArgv: ["--max-old-space-size=6144", "--max-semi-space-size=64"],
    env,
    // Bundled functions are modules of Node already, and a hundred megabytes take a minute to transform.
    server: { deps: { external: [/\.mjs$/] } },
  },
});
