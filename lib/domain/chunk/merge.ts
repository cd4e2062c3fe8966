import type { SampleOfRun } from "./runs.ts";
import { buildChunk, compactRuns, compareReceipts, latestReceipt } from "./runs.ts";
import type { Chunk, Receipt, Run, Sample } from "./sample.ts";
import { compareKeys, sameContent } from "./sample.ts";

/** How to merge; both default to what is always exact. */
export interface MergeOptions {
  /**
   * Whether a value that came again moves to the newer receipt (default true). Take receipts R1 = 5, R3 = 5 and then, late,
   * R2 = 6: the value is 5, which only a chunk that noted R3 still knows. A caller that knows that no older batch is under
   * way may set false and is spared the write.
   */
  refreshUnchanged?: boolean;
  /** Runs received before this instant (epoch milliseconds) are compacted on a write; see `compactRuns` for the promise. */
  settledBefore?: number;
}

/** What a batch did to a chunk: each of its samples is in exactly one of the four lists. */
export interface MergeResult {
  chunk: Chunk;
  created: Sample[];
  updated: Sample[];
  /** What updated samples were before; of a batch merged again this is not known any more. */
  replaced: Sample[];
  /** The same value is stored already. */
  unchanged: Sample[];
  /** A value received later is stored. */
  superseded: Sample[];
  /** What the written chunk will not know any more: values that were replaced, and receipts that only confirmed. */
  displaced: SampleOfRun[];
  /** What the batch brings and the chunk never learns, because it knows something that was received later. */
  late: SampleOfRun[];
  /** Whether `chunk` differs from the existing one and has to be written. */
  changed: boolean;
}

/** A stored sample, one of the batch, or both when they share a key. */
type Pair = [before: SampleOfRun, sample: undefined] | [before: SampleOfRun | undefined, sample: Sample];

type Outcome = "created" | "updated" | "unchanged" | "superseded";

/** The runs that one merge may add; made once, so that its samples share them. */
interface BatchRuns {
  receipt: Receipt;
  created: Run;
  updated: Run;
  confirm: (run: Run) => Run;
}

/**
 * Merges one batch into a chunk; of each key the value received last wins, whatever order batches are merged in. Samples
 * and their latest receipts do not depend on that order, nor on repetition. The verbs, and the receipt that a value is
 * credited to, do: they tell what happened at this store.
 * A batch merged again after a crash is told the same created and updated samples, as far as their values still stand,
 * with `changed` false. Hence a batch brings all of its samples for one chunk in one call; of a key twice, the last wins.
 */
export function mergeChunk(
  existing: Chunk | undefined,
  incoming: readonly Sample[],
  receipt: Receipt,
  { refreshUnchanged = true, settledBefore = Number.NEGATIVE_INFINITY }: MergeOptions = {},
): MergeResult {
  const stored = existing ?? { samples: [], runs: [] };
  const outcomes: Record<Outcome, Sample[]> = { created: [], updated: [], unchanged: [], superseded: [] };
  const runs = runsOfBatch(receipt, refreshUnchanged);
  const replaced: Sample[] = [];
  const displaced: SampleOfRun[] = [];
  const late: SampleOfRun[] = [];
  let changed = false;
  const entries = [...pairByKey(stored, lastOfEachKey(incoming))].map((pair): SampleOfRun => {
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
  // The runs of the batch itself stay, so that it can be told again what it did.
  const chunk = compactRuns(buildChunk(entries), Math.min(settledBefore, receipt.receivedAt));
  return { chunk, ...outcomes, replaced, displaced, late, changed };
}

/** Whether something is not known any more after a merge: the value of before, or when it was confirmed. */
function isDisplaced(before: SampleOfRun, after: SampleOfRun): boolean {
  return after.sample !== before.sample || (after.run !== before.run && before.run.confirmedBy !== undefined);
}

function runsOfBatch({ receivedAt, batchId }: Receipt, refreshUnchanged: boolean): BatchRuns {
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

/** What becomes of one key that the batch brings. */
function mergeSample(before: SampleOfRun | undefined, sample: Sample, runs: BatchRuns): [Outcome, SampleOfRun] {
  if (!before) return ["created", { sample, run: runs.created }];
  const isSame = sameContent(before.sample, sample);
  const order = compareReceipts(runs.receipt, latestReceipt(before.run));
  if (order > 0) {
    // What was deleted is new again.
    if (before.sample.isDeleted && !isSame) return ["created", { sample, run: runs.created }];
    return isSame
      ? ["unchanged", { sample: before.sample, run: runs.confirm(before.run) }]
      : ["updated", { sample, run: runs.updated }];
  }
  if (isSame && compareReceipts(runs.receipt, before.run) === 0) return [before.run.verb, before];
  return [isSame && order === 0 ? "unchanged" : "superseded", before];
}

/** Walks both lists by key: what is stored, what the batch brings, or both; one of the two is always there. */
function* pairByKey({ samples, runs }: Chunk, incoming: readonly Sample[]): Generator<Pair> {
  let next = 0;
  for (const sample of samples) {
    const before = { sample, run: runs[sample.run]! };
    let brought = incoming[next];
    for (; brought && compareKeys(brought, sample) < 0; brought = incoming[++next]) yield [undefined, brought];
    if (brought && compareKeys(brought, sample) === 0) {
      next++;
      yield [before, brought];
    } else yield [before, undefined];
  }
  for (const sample of incoming.slice(next)) yield [undefined, sample];
}

/** The samples of a batch by key; an empty subtype or set of fields is left out, as if it had not been sent. */
function lastOfEachKey(incoming: readonly Sample[]): Sample[] {
  const sorted = incoming
    .map(
      ({ subtype, fields, ...rest }): Sample => ({
        ...rest,
        ...(subtype ? { subtype } : {}),
        ...(fields && Object.keys(fields).length > 0 ? { fields } : {}),
      }),
    )
    .sort(compareKeys);
  return sorted.filter((sample, index) => {
    const following = sorted[index + 1];
    return !following || compareKeys(sample, following) !== 0;
  });
}
