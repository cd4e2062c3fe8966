import { Progress } from "../../lib/terminal/progress.ts";
import { type Kind, type ReportDocument, reportDocument } from "./documents.ts";
import type { Layout } from "./layout.ts";
import { type ReadReport, type RowScore, scoreReport } from "./score.ts";
import { Tally } from "./tally.ts";

/** Parses a report's files. */
export type ReadDocument = (files: readonly Uint8Array[]) => Promise<ReadReport>;

/** Hooks of a run. */
export interface BenchHooks {
  /** Receives each report with its row scores; `failure` if parsing failed. */
  readonly scored?: (made: ReportDocument, rows: readonly RowScore[], failure: unknown) => void;
}

const SAMPLED_EVERY_MS = 100;

/** Runs a function and samples the memory of the process. @returns its seconds, and the peak memory in bytes. */
async function watched<Result>(run: () => Promise<Result>): Promise<{ result: Result; seconds: number; peak: number }> {
  let peak = process.memoryUsage.rss();
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLED_EVERY_MS);
  const begun = performance.now();
  try {
    const result = await run();
    return { result, seconds: (performance.now() - begun) / 1000, peak: Math.max(peak, process.memoryUsage.rss()) };
  } finally {
    clearInterval(sampler);
  }
}

async function readInto(tally: Tally, made: ReportDocument, read: ReadDocument, hooks: BenchHooks): Promise<void> {
  let failure: unknown = null;
  const { result, seconds, peak } = await watched(() =>
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
  hooks.scored?.(made, score.rows, failure);
}

/** Creates the reports of each kind, parses them and counts the correct values. */
export async function runBench(
  wanted: readonly { readonly layout: Layout; readonly seed: number }[],
  kinds: readonly Kind[],
  read: ReadDocument,
  hooks: BenchHooks = {},
): Promise<Map<Kind, Tally>> {
  const tallies = new Map(kinds.map((kind) => [kind, new Tally()]));
  const progress = new Progress({ label: "Reports", total: wanted.length * kinds.length, unit: "reports" });
  let done = 0;
  for (const [kind, tally] of tallies)
    for (const { layout, seed } of wanted) {
      const made = await reportDocument(layout, seed, kind);
      await readInto(tally, made, read, hooks);
      done += 1;
      progress.update(done, made.name);
    }
  progress.done(`Read ${done} reports.`);
  return tallies;
}
