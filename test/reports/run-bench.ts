import { Progress } from "../../lib/terminal/progress.ts";
import { type Kind, type ReportDocument, reportDocument } from "./documents.ts";
import type { Layout } from "./layout.ts";
import { type ReadReport, type RowScore, scoreReport } from "./score.ts";
import { Tally } from "./tally.ts";

/** Reads a report's files and finds its rows. */
export type ReadDocument = (files: readonly Uint8Array[]) => Promise<ReadReport>;

/** What a run does beyond reading. */
export interface BenchHooks {
  /** Called with each report and how its rows were read; `failure` when it was not read at all. */
  readonly scored?: (made: ReportDocument, rows: readonly RowScore[], failure: unknown) => void;
}

const SAMPLED_EVERY_MS = 100;

/** Runs something while the memory of the process is watched. @returns its seconds, and the most memory in bytes. */
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

/** Makes the reports in each kind, has them read, and counts what is right. */
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
