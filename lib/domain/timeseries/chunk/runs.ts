import { compareText } from "../../shared/compare-text.ts";
import type { BatchReceipt, Chunk, Run, Sample, StoredSample } from "./sample.ts";

/** A sample with its run, before runs are numbered. */
export interface SampleWithRun {
  sample: Sample;
  run: Run;
}

/** Compares receipts by time of receipt: positive when `a` is later. */
export function compareReceipts(a: BatchReceipt, b: BatchReceipt): number {
  return a.receivedAt - b.receivedAt || compareText(a.batchId, b.batchId);
}

/** The newest receipt of a run's values, which later batches are compared with. */
export function latestReceipt(run: Run): BatchReceipt {
  return run.confirmedBy ?? run;
}

/** Builds a chunk. Numbers the used runs in order of receipt, each once, so that equal contents give equal chunks. */
export function buildChunk(entries: readonly SampleWithRun[]): Chunk {
  const used = [...new Set(entries.map((entry) => entry.run))].sort(compareRuns);
  const runs: Run[] = [];
  const indexOf = new Map<Run, number>();
  for (const run of used) {
    const last = runs.at(-1);
    if (!last || compareRuns(last, run) !== 0) runs.push(run);
    indexOf.set(run, runs.length - 1);
  }
  const samples = entries.map(({ sample, run }): StoredSample => ({ ...sample, run: indexOf.get(run) ?? 0 }));
  return { samples, runs };
}

/**
 * Compacts run metadata that is needed only while old batches can arrive: all runs last received before `olderThan`
 * (epoch milliseconds) become one, at their newest instant and without a batch id.
 * Precondition: no batch received before `olderThan` is merged later (queue retention, and no redrive from a
 * dead-letter queue after that). The values of such a batch lose against the compacted ones.
 */
export function compactRuns(chunk: Chunk, olderThan: number): Chunk {
  const isSettled = (receipt: BatchReceipt) => receipt.receivedAt < olderThan;
  const instants = chunk.runs.flatMap((run) => [run, latestReceipt(run)]).filter(isSettled);
  if (instants.length === 0) return chunk;
  const receivedAt = instants.reduce(
    (newest, receipt) => Math.max(newest, receipt.receivedAt),
    Number.NEGATIVE_INFINITY,
  );
  const settled: Run = { receivedAt, batchId: "", verb: "created" };
  const compacted = chunk.runs.map((run): Run => {
    if (!isSettled(run)) return run;
    return isSettled(latestReceipt(run)) ? settled : { ...settled, confirmedBy: latestReceipt(run) };
  });
  return buildChunk(chunk.samples.map((sample) => ({ sample, run: compacted[sample.run] ?? settled })));
}

/** Total order of runs: by the latest receipt, then by the one that set the values, then by verb. */
function compareRuns(a: Run, b: Run): number {
  return compareReceipts(latestReceipt(a), latestReceipt(b)) || compareReceipts(a, b) || compareText(a.verb, b.verb);
}
