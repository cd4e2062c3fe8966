import type { SampleWithRun } from "./runs.ts";
import { buildChunk, compactRuns, compareReceipts, latestReceipt } from "./runs.ts";
import type { BatchReceipt, Chunk, Run, Sample } from "./sample.ts";
import { compareSampleKeys, hasSameContent } from "./sample.ts";

/** Merge options. The defaults are always exact. */
export interface MergeOptions {
  /**
   * Whether a repeated value moves to the newer receipt (default true). Example: receipts R1 = 5 and R3 = 5 arrive,
   * then, late, R2 = 6. The value is 5, which only a chunk that recorded R3 still knows. A caller that knows that no
   * older batch is pending may set false to avoid the write.
   */
  refreshUnchanged?: boolean;
  /**
   * Runs received before this instant (epoch milliseconds) are compacted on a write; see `compactRuns` for the
   * precondition.
   */
  settledBefore?: number;
}

/** The effect of a batch on a chunk. Each sample of the batch is in exactly one of the four lists. */
export interface MergeResult {
  chunk: Chunk;
  created: Sample[];
  updated: Sample[];
  /** Previous content of updated samples; unknown when a batch is merged again. */
  replaced: Sample[];
  /** The same value is already stored. */
  unchanged: Sample[];
  /** The chunk holds a value received later. */
  superseded: Sample[];
  /** Content that the written chunk no longer holds: replaced values, and receipts that only confirmed. */
  displaced: SampleWithRun[];
  /** Samples of the batch that the chunk ignores, because it holds a later receipt. */
  late: SampleWithRun[];
  /** Whether `chunk` differs from the existing one and must be written. */
  changed: boolean;
}

/** A stored sample, a sample of the batch, or both when their keys match. */
type Pair = [before: SampleWithRun, sample: undefined] | [before: SampleWithRun | undefined, sample: Sample];

type Outcome = "created" | "updated" | "unchanged" | "superseded";

/** The runs that one merge may add, shared by its samples. */
interface BatchRuns {
  receipt: BatchReceipt;
  created: Run;
  updated: Run;
  confirm: (run: Run) => Run;
}

/**
 * Merges one batch into a chunk. For each key the value received last wins, in whatever order batches are merged.
 * Samples and their latest receipts do not depend on that order or on repetition. The verbs, and the receipt that a
 * value is credited to, do: they record what happened in this store.
 * A batch merged again after a crash reports the same created and updated samples, as far as their values still stand,
 * with `changed` false. So a batch must bring all of its samples for one chunk in one call. For a repeated key, the
 * last sample wins.
 */
export function mergeChunk(
  existing: Chunk | undefined,
  incoming: readonly Sample[],
  receipt: BatchReceipt,
  { refreshUnchanged = true, settledBefore = Number.NEGATIVE_INFINITY }: MergeOptions = {},
): MergeResult {
  const stored = existing ?? { samples: [], runs: [] };
  const outcomes: Record<Outcome, Sample[]> = { created: [], updated: [], unchanged: [], superseded: [] };
  const runs = createBatchRuns(receipt, refreshUnchanged);
  const replaced: Sample[] = [];
  const displaced: SampleWithRun[] = [];
  const late: SampleWithRun[] = [];
  let changed = false;
  const entries = [...pairByKey(stored, deduplicateByKey(incoming))].map((pair): SampleWithRun => {
    const [before, sample] = pair;
    if (sample === undefined) return before;
    const [outcome, after] = mergeSample(before, sample, runs);
    outcomes[outcome].push(sample);
    if (outcome === "superseded") late.push({ sample, run: runs.created });
    if (before && after.sample !== before.sample) replaced.push(before.sample);
    if (before && isDisplaced(before, after)) displaced.push(before);
    changed ||= after.run !== before?.run;
    return after;
  });
  if (!changed) return { chunk: stored, ...outcomes, replaced, displaced, late, changed };
  // Keep the runs of this batch, so that a repeated merge reports the same result.
  const chunk = compactRuns(buildChunk(entries), Math.min(settledBefore, receipt.receivedAt));
  return { chunk, ...outcomes, replaced, displaced, late, changed };
}

/** Whether a merge loses information: the previous value, or its confirmation. */
function isDisplaced(before: SampleWithRun, after: SampleWithRun): boolean {
  return after.sample !== before.sample || (after.run !== before.run && before.run.confirmedBy !== undefined);
}

function createBatchRuns({ receivedAt, batchId }: BatchReceipt, refreshUnchanged: boolean): BatchRuns {
  const receipt = { receivedAt, batchId };
  const confirmed = new Map<Run, Run>();
  const confirm = (run: Run) => {
    if (!refreshUnchanged) return run;
    const newer = confirmed.get(run) ?? { ...run, confirmedBy: receipt };
    confirmed.set(run, newer);
    return newer;
  };
  return { receipt, created: { ...receipt, verb: "created" }, updated: { ...receipt, verb: "updated" }, confirm };
}

/** Merges one key of the batch. */
function mergeSample(before: SampleWithRun | undefined, sample: Sample, runs: BatchRuns): [Outcome, SampleWithRun] {
  if (!before) return ["created", { sample, run: runs.created }];
  const isSame = hasSameContent(before.sample, sample);
  const order = compareReceipts(runs.receipt, latestReceipt(before.run));
  if (order > 0) {
    // A deleted sample that returns counts as created.
    if (before.sample.isDeleted && !isSame) return ["created", { sample, run: runs.created }];
    return isSame
      ? ["unchanged", { sample: before.sample, run: runs.confirm(before.run) }]
      : ["updated", { sample, run: runs.updated }];
  }
  if (isSame && compareReceipts(runs.receipt, before.run) === 0) return [before.run.verb, before];
  return [isSame && order === 0 ? "unchanged" : "superseded", before];
}

/** Merge-joins stored and incoming samples by key. At least one side is present. */
function* pairByKey({ samples, runs }: Chunk, incoming: readonly Sample[]): Generator<Pair> {
  let next = 0;
  for (const sample of samples) {
    const before = { sample, run: runs[sample.run]! };
    let brought = incoming[next];
    for (; brought && compareSampleKeys(brought, sample) < 0; brought = incoming[++next]) yield [undefined, brought];
    if (brought && compareSampleKeys(brought, sample) === 0) {
      next++;
      yield [before, brought];
    } else yield [before, undefined];
  }
  for (const sample of incoming.slice(next)) yield [undefined, sample];
}

/** Sorts and deduplicates a batch by key. An empty subtype or set of fields is treated as absent. */
function deduplicateByKey(incoming: readonly Sample[]): Sample[] {
  const sorted = incoming
    .map(
      ({ subtype, fields, ...rest }): Sample => ({
        ...rest,
        ...(subtype ? { subtype } : {}),
        ...(fields && Object.keys(fields).length > 0 ? { fields } : {}),
      }),
    )
    .sort(compareSampleKeys);
  return sorted.filter((sample, index) => {
    const following = sorted[index + 1];
    return !following || compareSampleKeys(sample, following) !== 0;
  });
}
