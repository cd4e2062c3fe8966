import type { Chunk, Receipt, Run, Sample, StoredSample } from "./sample.ts";
import { compareText } from "./sample.ts";

/** A sample with the run it belongs to, before runs are numbered. */
export interface SampleOfRun {
  sample: Sample;
  run: Run;
}

/** The order in which batches were received: positive when `a` came later. */
export function compareReceipts(a: Receipt, b: Receipt): number {
  return a.receivedAt - b.receivedAt || compareText(a.batchId, b.batchId);
}

/** The newest receipt that brought the values of a run: the one that a later batch is compared with. */
export function latestReceipt(run: Run): Receipt {
  return run.confirmedBy ?? run;
}

/** Numbers the runs in receive order, each once and only those in use, so that equal contents are equal chunks. */
export function buildChunk(entries: readonly SampleOfRun[]): Chunk {
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
 * Forgets what is only needed while old batches may still arrive: all runs last received before `olderThan` (epoch
 * milliseconds) become one, at the newest instant among them and without a batch id.
 * The caller promises that no batch received before `olderThan` is merged any more (queue retention, and nothing redriven
 * from a dead-letter queue after that). Should one come all the same, its values lose against the compacted ones.
 */
export function compactRuns(chunk: Chunk, olderThan: number): Chunk {
  const isSettled = (receipt: Receipt) => receipt.receivedAt < olderThan;
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

/** A total order of runs: by the receipt that counts, then by the one that set the values, then by verb. */
function compareRuns(a: Run, b: Run): number {
  return compareReceipts(latestReceipt(a), latestReceipt(b)) || compareReceipts(a, b) || compareText(a.verb, b.verb);
}
