import type { ChunkReader, ChunkWriter } from "./atom-column.ts";
import { readStringColumn, writeAtomColumn } from "./atom-column.ts";
import { MAX_SAMPLES_PER_CHUNK } from "./check-columns.ts";
import { planIntegers, readIntegers, writeIntegers } from "./integer-column.ts";
import { readLabels, writeLabels } from "./label-column.ts";
import type { BatchReceipt, Run } from "./sample.ts";

/** Bits of a run's label. */
const UPDATED = 1;
const CONFIRMED = 2;

/** Writes the runs: verbs, the receipts that set the values, then the confirming receipts. */
export function writeRuns(writer: ChunkWriter, runs: readonly Run[]): void {
  writer.packed.varint(runs.length);
  const labels = runs.map((run) => (run.verb === "updated" ? UPDATED : 0) + (run.confirmedBy ? CONFIRMED : 0));
  writeLabels(writer, Float64Array.from(labels));
  writeReceipts(writer, runs);
  writeReceipts(
    writer,
    runs.flatMap((run) => run.confirmedBy ?? []),
  );
}

/** Reads the runs of a chunk. */
export function readRuns(reader: ChunkReader): Run[] {
  const count = reader.packed.count(MAX_SAMPLES_PER_CHUNK, "number of runs");
  const labels = [...readLabels(reader, count, UPDATED + CONFIRMED)];
  const receipts = readReceipts(reader, count);
  const confirmations = readReceipts(reader, labels.filter((label) => label >= CONFIRMED).length).values();
  return receipts.map((receipt, index) => {
    const label = labels[index] ?? 0;
    const run: Run = { ...receipt, verb: label % 2 === UPDATED ? "updated" : "created" };
    const confirmedBy = label >= CONFIRMED ? confirmations.next().value : undefined;
    return confirmedBy ? { ...run, confirmedBy } : run;
  });
}

function writeReceipts(writer: ChunkWriter, receipts: readonly BatchReceipt[]): void {
  if (receipts.length === 0) return;
  writeIntegers(writer, planIntegers(Float64Array.from(receipts, (receipt) => receipt.receivedAt)));
  writeAtomColumn(
    writer,
    receipts.map((receipt) => receipt.batchId),
  );
}

function readReceipts(reader: ChunkReader, count: number): BatchReceipt[] {
  if (count === 0) return [];
  const instants = readIntegers(reader, count);
  const batchIds = readStringColumn(reader, count);
  return Array.from(instants, (receivedAt, index) => ({ receivedAt, batchId: batchIds[index] ?? "" }));
}
