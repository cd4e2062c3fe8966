import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { buildAllLocally } from "../lib/build/local-build.ts";
import { checkSpec } from "../test/conventions/spec/check-spec.ts";
import { browserProvenIds, specRows, unprovenIds } from "../test/conventions/spec/spec-rows.ts";
import {
  countTests,
  describeFailures,
  type TestReport,
  type TestTally,
  testReportSchema,
} from "../test/conventions/spec/test-report.ts";
import { DEEP_TAG, DEPTH_VARIABLE, FULL_TAG } from "../test/support/depth.ts";
import {
  deepOptions,
  fullOptions,
  listChangedFiles,
  listChangedTests,
  listDeepTests,
  quickFolders,
  quickOptions,
} from "../test/support/select-tests.ts";
import { testSettings } from "../test/support/test-settings.ts";

/**
 * Number of test files in parallel. On two cores, two files leave a third of the time idle, mostly waiting for the
 * DynamoDB engine, which is a separate process. Each file takes up to 3 GB of memory.
 */
const WORKERS = totalmem() < 12e9 ? 2 : 3;

/** An in-memory folder of Linux, and the free space that tests need there. */
const [MEMORY_FOLDER, MIN_FREE_BYTES] = ["/dev/shm", 4 * 2 ** 30];

const EMPTY_REPORT: TestReport = { testResults: [] };

/** Parent of the test folders: in memory if space allows, because each engine waits for the disk at each write. */
function findTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return process.env.TMPDIR === undefined && bavail * bsize >= MIN_FREE_BYTES ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Runs vitest. @returns whether it succeeded, and its report (empty when vitest wrote none). */
async function runVitest(selection: readonly string[]): Promise<{ isOk: boolean; report: TestReport }> {
  const directory = mkdtempSync(join(findTemporaryFolder(), "tributary-tests-"));
  const file = join(directory, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const options = ["run", "--config", "test/vitest.config.ts", `--maxWorkers=${WORKERS}`, ...reporters];
  const vitest = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", ...options, ...selection], {
    stdio: "inherit",
    env: { ...process.env, TMPDIR: directory },
  });
  const code = await new Promise((resolve) => vitest.once("exit", resolve));
  try {
    return { isOk: code === 0, report: testReportSchema.parse(JSON.parse(readFileSync(file, "utf8"))) };
  } catch {
    return { isOk: false, report: EMPTY_REPORT };
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Prints how many statements of the specification the tests prove. @returns the number of problems. */
function reportSpec(report: TestReport): number {
  const { proven, problems } = checkSpec(specRows, [...unprovenIds, ...browserProvenIds], report);
  for (const problem of problems) console.error(`spec: ${problem}`);
  console.log(
    `spec: ${proven} of ${specRows.length} statements proven, ${browserProvenIds.length} by browser tests, ${unprovenIds.length} not yet`,
  );
  return problems.length;
}

/** What vitest runs: paths and options, and whether they leave out tests that belong to a full run. */
interface Selection {
  readonly paths: readonly string[];
  readonly isFiltered: boolean;
}

/**
 * Selects tests by the arguments of the command: `--deep` or `--full`, `--changed` with files or without, or paths and
 * options of vitest. Without arguments, a run of `npm test`.
 */
function selectTests([mode, ...rest]: readonly string[]): Selection {
  if (mode === "--deep" || mode === "--full") {
    const [depth, options] = mode === "--deep" ? [DEEP_TAG, deepOptions] : [FULL_TAG, fullOptions];
    process.env[DEPTH_VARIABLE] = depth;
    return { paths: [...(rest.length > 0 ? rest : listDeepTests()), ...options], isFiltered: true };
  }
  if (mode === "--changed") {
    const paths = listChangedTests(rest.length > 0 ? rest : listChangedFiles());
    return { paths: [...paths, ...quickOptions], isFiltered: true };
  }
  if (mode !== undefined) return { paths: [mode, ...rest], isFiltered: true };
  return { paths: [...quickFolders, ...quickOptions], isFiltered: false };
}

async function test({ paths, isFiltered }: Selection): Promise<TestTally> {
  // Built once here, because parallel test files would each build the service.
  await buildAllLocally(isFiltered ? [testSettings.standard] : Object.values(testSettings));
  const { isOk, report } = await runVitest(paths);
  const { passed, failed, deferred } = countTests(report, { isFiltered });
  for (const failure of describeFailures(report, process.cwd())) console.error(`failed: ${failure}`);
  const unproven = isFiltered ? 0 : reportSpec(report);
  return { passed, failed: failed + unproven || Number(!isOk), deferred };
}

const { passed, failed, deferred } = await test(selectTests(process.argv.slice(2))).catch((error) => {
  console.error(error);
  return { passed: 0, failed: 1, deferred: 0 };
});
if (deferred > 0) console.log(`${deferred} tests are deferred to npm run test:deep`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
