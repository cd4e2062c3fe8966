import { DAY, type LakeRow } from "../../domain/lake/lake-column.ts";
import { lakeTable } from "../../domain/lake/lake-tables.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { Appended } from "../../store/lake/lake-users.ts";
import { commitTable, openTable, SNAPSHOT_MS, type TableOf } from "./commit-table.ts";
import { dataFileKey, type FileNaming } from "./iceberg/file-names.ts";
import type { DataFile } from "./iceberg/manifest-file.ts";
import { encodeRows } from "./iceberg/parquet-rows.ts";

/** Dependencies of an append. */
export type AppendRowsDependencies = Dependencies<"lake" | "lakeTables" | "lakeUsers" | "commit">;

/** Rows of one batch or event. */
export interface Append extends Appended {
  readonly rows: readonly LakeRow[];
}

/** Maximum batches and events of one commit: a transaction has 100 items. */
export const APPENDS_PER_COMMIT = 90;
const CONCURRENT_WRITES = 16;

/**
 * Appends rows to a table with one file for each day. Each batch or event is appended once, however often it arrives:
 * the transaction that moves the pointer of the table also records their ids.
 */
export async function appendRows(
  deps: AppendRowsDependencies,
  table: TableOf,
  appends: readonly Append[],
): Promise<void> {
  const known = await deps.lakeUsers.listAppended(table.scope, table.name, appends);
  const fresh = appends.filter(({ id, rows }) => rows.length > 0 && !known.has(id));
  if (fresh.length === 0) return;
  await markDays(deps, table, fresh);
  const { naming } = await openTable(deps, table);
  const added = await writeDataFiles(deps, table, fresh, naming);
  const { nowMs } = naming;
  const plan = async () => ({ added, operation: "append", keepSnapshotsAfterMs: nowMs - SNAPSHOT_MS }) as const;
  const records = fresh.map((one) => deps.lakeUsers.appendItem(table.scope, table.name, one, nowMs));
  try {
    await commitTable(deps, table, plan, records);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Error("another run appended some of these rows, or the same; the queue repeats them", { cause: error });
  }
}

/** Records where rows of users will be, before they are there, so that an erasure finds them. */
async function markDays({ lakeUsers }: AppendRowsDependencies, { scope, name }: TableOf, appends: readonly Append[]) {
  const marks = new Map<string, readonly [string, number]>();
  for (const { userId, rows } of appends) {
    for (const row of rows) marks.set(`${userId}#${row[DAY]}`, [userId, Number(row[DAY])]);
  }
  await inParallel(
    [...marks.values()],
    ([userId, day]) => lakeUsers.markDay(scope, userId, { table: name, day }),
    CONCURRENT_WRITES,
  );
}

function writeDataFiles(
  { lake }: AppendRowsDependencies,
  { name }: TableOf,
  appends: readonly Append[],
  naming: FileNaming,
): Promise<DataFile[]> {
  const byDay = Map.groupBy(
    appends.flatMap(({ rows }) => rows),
    (row) => Number(row[DAY]),
  );
  return inParallel([...byDay], ([day, rows]) => writeDataFile(lake, name, rows, { day, naming }), CONCURRENT_WRITES);
}

/** Writes rows of one day as a data file. Nothing names it until a commit does. */
export async function writeDataFile(
  lake: AppendRowsDependencies["lake"],
  name: TableOf["name"],
  rows: readonly LakeRow[],
  { day, naming }: { readonly day: number; readonly naming: FileNaming },
): Promise<DataFile> {
  const key = dataFileKey(naming, day);
  const bytes = await encodeRows(lakeTable(name).columns, rows);
  await lake.put(key, bytes);
  return { path: lake.uri(key), day, records: rows.length, bytes: bytes.length };
}
