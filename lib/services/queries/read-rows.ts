import { queryItems } from "../../contract/access.ts";
import { chunks, summaries } from "../../contract/resources.ts";
import { userKeyAccess } from "../../contract/user-key-access.ts";
import type { QueriedTable } from "../../domain/queries/expressions/expression-names.ts";
import { MAX_ROWS_PER_QUERY } from "../../domain/queries/query-limits.ts";
import { chunkRows } from "../../domain/queries/rows/chunk-rows.ts";
import { queriedRows } from "../../domain/queries/rows/queried-rows.ts";
import type { RowSet } from "../../domain/queries/rows/row-set.ts";
import type { SourcePriorities, SummaryRow } from "../../domain/queries/rows/rows.ts";
import { resolveTimeseries } from "../../domain/queries/rows/sample-rows.ts";
import type { TableName } from "../../domain/queries/tables/columns.ts";
import type { DaysToRead } from "../../domain/queries/timeframe.ts";
import { dayToDate, instantsOfDays, type ToFloatingTime } from "../../domain/shared/local-day.ts";
import { activity } from "../../domain/summaries/activity.ts";
import { body } from "../../domain/summaries/body.ts";
import { meal } from "../../domain/summaries/meal.ts";
import { menstrualCycle } from "../../domain/summaries/menstrual-cycle.ts";
import { profile } from "../../domain/summaries/profile.ts";
import { sleep } from "../../domain/summaries/sleep.ts";
import { sleepCycle } from "../../domain/summaries/sleep-cycle.ts";
import { START_OFFSET } from "../../domain/summaries/start-offset.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { workouts } from "../../domain/summaries/workouts.ts";
import type { SampleSlice } from "../../domain/timeseries/chunk/sample-slice.ts";
import type { SummaryStore } from "../../store/summaries/summaries.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { ChunkStore } from "../../store/timeseries/chunks.ts";
import { toWireStoredSummary } from "../summaries/list-summaries.ts";

/** User, time conversion and limits of a row read. */
export interface RowReadOptions {
  readonly scope: TeamScope;
  readonly userId: string;
  readonly floatingOf: ToFloatingTime;
  readonly priorities: SourcePriorities;
  /** Instant of the data, epoch ms; by default the current state. */
  readonly asOfMs?: number | undefined;
  /** Maximum rows to read; by default {@link MAX_ROWS_PER_QUERY}. */
  readonly maxRows?: number | undefined;
}

interface RowStores {
  readonly chunks: Pick<ChunkStore, "read">;
  readonly summaries: Pick<SummaryStore, "list" | "listAll">;
}

/** Grants of {@link readRows}. */
export const readRowsAccess = [
  queryItems(chunks),
  ...userKeyAccess,
  queryItems(summaries),
  queryItems(summaries, "by_day"),
] as const;

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
  reading: RowReadOptions,
  table: QueriedTable,
  days: DaysToRead,
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
  { scope, userId, floatingOf, asOfMs, maxRows = MAX_ROWS_PER_QUERY }: RowReadOptions,
  timeseries: string,
  { first, last, beforeMs = 0, afterMs = 0 }: DaysToRead,
): Promise<RowSet> {
  const slices: SampleSlice[] = [];
  let count = 0;
  const { fromMs, toMs } = instantsOfDays(first, last);
  const range = { fromMs: fromMs - beforeMs, toMs: toMs + afterMs };
  const query = { range, isConsistent: true, readsWholeRange: true, asOfMs };
  for await (const slice of chunks.read(scope, userId, resolveTimeseries(timeseries), query)) {
    slices.push(slice);
    count += slice.to - slice.from;
    if (count > maxRows) throw new TooManySamples();
  }
  return chunkRows(timeseries, slices, floatingOf);
}

async function readSummaries(
  { summaries }: RowStores,
  { scope, userId, asOfMs }: RowReadOptions,
  kind: SummaryKind,
  { first, last }: DaysToRead,
): Promise<SummaryRow[]> {
  const records = kind.days
    ? await summaries.list(scope, userId, kind, { from: dayToDate(first), to: dayToDate(last) }, asOfMs)
    : await summaries.listAll(scope, userId, kind, asOfMs);
  return records.map((record) => {
    const hidden = { [START_OFFSET]: record.fields[START_OFFSET] };
    return { ...toWireStoredSummary(kind, record), ...hidden } as SummaryRow;
  });
}
