import { Progress } from "../../../lib/cli/progress.ts";
import { createReportDocument, type DocumentKind, type ReportDocument } from "../files/report-document.ts";
import type { Layout } from "../layouts/layout.ts";
import { ReportTally } from "./report-tally.ts";
import { type ReadReport, type RowScore, scoreReport } from "./score-report.ts";

/** Parses a report's files. */
export type ReadDocument = (files: readonly Uint8Array[]) => Promise<ReadReport>;

/** Hooks of a run. */
export interface BenchHooks {
  /** Receives each report with its row scores; `failure` if parsing failed. */
  readonly onScored?: (made: ReportDocument, rows: readonly RowScore[], failure: unknown) => void;
}

const SAMPLE_INTERVAL_MS = 100;

/** Runs a function and samples the memory of the process. @returns its seconds, and the peak memory in bytes. */
async function measureRun<Result>(
  run: () => Promise<Result>,
): Promise<{ result: Result; seconds: number; peak: number }> {
  let peak = process.memoryUsage.rss();
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_INTERVAL_MS);
  const begun = performance.now();
  try {
    const result = await run();
    return { result, seconds: (performance.now() - begun) / 1000, peak: Math.max(peak, process.memoryUsage.rss()) };
  } finally {
    clearInterval(sampler);
  }
}

async function readInto(
  tally: ReportTally,
  made: ReportDocument,
  read: ReadDocument,
  hooks: BenchHooks,
): Promise<void> {
  let failure: unknown = null;
  const { result, seconds, peak } = await measureRun(() =>
    read(made.files).catch((error: unknown) => {
      failure = error;
      return null;
    }),
  );
  const score = scoreReport(made.truth, result);
  tally.add(score);
  if (result === null) tally.unread += 1;
  tally.pages += made.pageCount;
  tally.seconds += seconds;
  tally.peak = Math.max(tally.peak, peak);
  hooks.onScored?.(made, score.rows, failure);
}

/** Creates the reports of each kind, parses them and counts the correct values. */
export async function runReportBench(
  wanted: readonly { readonly layout: Layout; readonly seed: number }[],
  kinds: readonly DocumentKind[],
  read: ReadDocument,
  hooks: BenchHooks = {},
): Promise<Map<DocumentKind, ReportTally>> {
  const tallies = new Map(kinds.map((kind) => [kind, new ReportTally()]));
  const progress = new Progress({ label: "Reports", total: wanted.length * kinds.length, unit: "reports" });
  let done = 0;
  for (const [kind, tally] of tallies)
    for (const { layout, seed } of wanted) {
      const made = await createReportDocument(layout, seed, kind);
      await readInto(tally, made, read, hooks);
      done += 1;
      progress.update(done, made.name);
    }
  progress.done(`Read ${done} reports.`);
  return tallies;
}
