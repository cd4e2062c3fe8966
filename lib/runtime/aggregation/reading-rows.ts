import { chunkRows, type StoredSlice } from "../../domain/aggregation/chunk-rows.ts";
import type { TableName } from "../../domain/aggregation/columns.ts";
import type { QueriedTable } from "../../domain/aggregation/expression-names.ts";
import { queriedRows } from "../../domain/aggregation/queried-rows.ts";
import { MOST_SAMPLES } from "../../domain/aggregation/query-work.ts";
import type { RowSet } from "../../domain/aggregation/row-set.ts";
import type { SourcePriorities, SummaryRow } from "../../domain/aggregation/rows.ts";
import { queriedResource } from "../../domain/aggregation/sample-rows.ts";
import type { ReadDays } from "../../domain/aggregation/timeframe.ts";
import { dateOf, type FloatingOf, instantsOf } from "../../domain/local-day.ts";
import { activity } from "../../domain/summaries/activity.ts";
import { body } from "../../domain/summaries/body.ts";
import { meal } from "../../domain/summaries/meal.ts";
import { menstrualCycle } from "../../domain/summaries/menstrual-cycle.ts";
import { profile } from "../../domain/summaries/profile.ts";
import { sleep } from "../../domain/summaries/sleep.ts";
import { sleepCycle } from "../../domain/summaries/sleep-cycle.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { workouts } from "../../domain/summaries/workouts.ts";
import type { ChunkStore } from "../../store/chunks.ts";
import type { SummaryStore } from "../../store/summaries.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { wireSummaryOf } from "../summary-list.ts";

/** User, time conversion and limits of a row read. */
export interface Reading {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly floatingOf: FloatingOf;
  readonly priorities: SourcePriorities;
  /** Instant of the data, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
  /** Maximum rows to read; by default {@link MOST_SAMPLES}. */
  readonly most?: number | undefined;
}

interface RowStores {
  readonly chunks: Pick<ChunkStore, "read">;
  readonly summaries: Pick<SummaryStore, "list" | "all">;
}

/** A query would read more rows than its limit. */
export class TooManySamples extends Error {
  override readonly name = "TooManySamples";
}

const kinds: Readonly<Record<Exclude<TableName, "derived_readiness">, SummaryKind>> = {
  sleep,
  activity,
  workout: workouts,
  body,
  meal,
  menstrual_cycle: menstrualCycle,
  profile,
};

/** Reads the stored rows of a table on some days. @throws TooManySamples */
export async function readRows(
  stores: RowStores,
  reading: Reading,
  table: QueriedTable,
  days: ReadDays,
): Promise<RowSet> {
  if (typeof table !== "string") return readSamples(stores, reading, table.timeseries, days);
  const name = table === "derived_readiness" ? "sleep" : table;
  const [rows, cycles] = await Promise.all([
    readSummaries(stores, reading, kinds[name], days),
    table === "sleep" ? readSummaries(stores, reading, sleepCycle, days) : [],
  ]);
  const data = { timeseries: {}, summaries: { [name]: rows, sleep_cycle: cycles }, priorities: reading.priorities };
  return queriedRows(table, data, reading.floatingOf);
}

async function readSamples(
  { chunks }: RowStores,
  { scope, userId, floatingOf, asOfMs, most = MOST_SAMPLES }: Reading,
  timeseries: string,
  days: ReadDays,
): Promise<RowSet> {
  const slices: StoredSlice[] = [];
  let count = 0;
  const range = instantsOf(days.first, days.last);
  const query = { range, isConsistent: true, isWhole: true, asOfMs };
  for await (const slice of chunks.read(scope, userId, queriedResource(timeseries), query)) {
    slices.push(slice);
    count += slice.to - slice.from;
    if (count > most) throw new TooManySamples();
  }
  return chunkRows(timeseries, slices, floatingOf);
}

async function readSummaries(
  { summaries }: RowStores,
  { scope, userId, asOfMs }: Reading,
  kind: SummaryKind,
  { first, last }: ReadDays,
): Promise<SummaryRow[]> {
  const records = kind.days
    ? await summaries.list(scope, userId, kind, { from: dateOf(first), to: dateOf(last) }, asOfMs)
    : await summaries.all(scope, userId, kind, asOfMs);
  return records.map((record) => wireSummaryOf(kind, record) as SummaryRow);
}
