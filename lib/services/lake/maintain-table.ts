import type { LakeRow } from "../../domain/lake/lake-column.ts";
import { lakeTable } from "../../domain/lake/lake-tables.ts";
import { latestRows } from "../../domain/lake/latest-rows.ts";
import { writeDataFile } from "./append-rows.ts";
import {
  type CommitDependencies,
  commitTable,
  MAINTENANCE_MS,
  type OpenTable,
  openTable,
  SNAPSHOT_MS,
  type TableOf,
} from "./commit-table.ts";
import { type FileNaming, namedAtMs } from "./iceberg/file-names.ts";
import type { DataFile, LiveFile } from "./iceberg/manifest-file.ts";
import { decodeRows } from "./iceberg/parquet-rows.ts";
import { sweepFiles } from "./iceberg/sweep-files.ts";
import { withoutOldSnapshots } from "./iceberg/table-metadata.ts";
import { listLiveFiles } from "./iceberg/table-state.ts";
import type { PreparedTable } from "./iceberg/write-snapshot.ts";

/** Number of files of a day that are merged even while the day still grows. */
const FILES_OF_BUSY_DAY = 8;
/** Bounds of a merge, which reads all rows of a day into memory. */
const MAX_MERGED_ROWS = 500_000;
const MAX_MERGED_BYTES = 64_000_000;
/** Days that one run merges. The next run continues. */
const DAYS_PER_RUN = 60;
/** Due time of a table that needs no maintenance until its next commit. */
const NEVER = "9999-12-31T00:00:00.000Z";

/**
 * Merges the files of each day into one that holds the latest version of each record, drops old snapshots, and deletes
 * files that no snapshot uses. Appends may go on meanwhile: they only add files.
 */
export async function maintainTable(deps: CommitDependencies, table: TableOf): Promise<void> {
  const open = await openTable(deps, table);
  if (!open.pointer) return;
  const days = listMergeableFiles(await listLiveFiles(deps.lake, open), open.naming.nowMs).slice(0, DAYS_PER_RUN);
  const merged: DataFile[] = [];
  for (const files of days) merged.push(await mergeFiles(deps.lake, table, files, open.naming));
  const committed = await commitTable(deps, table, (state) => planMerge(deps, state, { removed: days.flat(), merged }));
  if (committed) await sweepTable(deps, committed, new Set(merged.map(({ path }) => deps.lake.keyOf(path))));
}

interface Merge {
  readonly removed: readonly LiveFile[];
  readonly merged: readonly DataFile[];
}

async function planMerge({ lake }: CommitDependencies, state: OpenTable, { removed, merged }: Merge) {
  const { nowMs } = state.naming;
  const live = await listLiveFiles(lake, state);
  const gone = new Set(removed.map(({ path }) => path));
  const kept = live.filter(({ path }) => !gone.has(path));
  // An erasure may have replaced a file meanwhile. What the merge read of it must not come back.
  const isIntact = removed.length > 0 && live.length - kept.length === removed.length;
  const keepSnapshotsAfterMs = nowMs - SNAPSHOT_MS;
  const { snapshots } = withoutOldSnapshots(state.metadata, keepSnapshotsAfterMs);
  const isSettled = !isIntact && snapshots.length <= 1 && !hasSeveralFilesOfDay(live);
  const about = { keepSnapshotsAfterMs, dueAt: isSettled ? NEVER : new Date(nowMs + MAINTENANCE_MS).toISOString() };
  if (isIntact) return { ...about, added: merged, kept, operation: "replace" } as const;
  return { ...about, added: [], kept: live, operation: "expire" } as const;
}

const hasSeveralFilesOfDay = (files: readonly LiveFile[]) => new Set(files.map(({ day }) => day)).size < files.length;

/** Selects files to merge, by day: those of quiet days, and of days with many files. Small files come first. */
function listMergeableFiles(live: readonly LiveFile[], nowMs: number): LiveFile[][] {
  return [...Map.groupBy(live, ({ day }) => day).values()].flatMap((files) => {
    const newestMs = Math.max(...files.map(({ path }) => namedAtMs(path)));
    if (files.length < FILES_OF_BUSY_DAY && newestMs > nowMs - MAINTENANCE_MS) return [];
    let [rows, bytes] = [0, 0];
    const fitting = files
      .toSorted((a, b) => a.bytes - b.bytes)
      .filter((file) => {
        rows += file.records;
        bytes += file.bytes;
        return rows <= MAX_MERGED_ROWS && bytes <= MAX_MERGED_BYTES;
      });
    return fitting.length > 1 ? [fitting] : [];
  });
}

async function mergeFiles(
  lake: CommitDependencies["lake"],
  { name }: TableOf,
  files: readonly LiveFile[],
  naming: FileNaming,
): Promise<DataFile> {
  const rows: LakeRow[] = [];
  for (const { path } of files) {
    rows.push(...(await decodeRows(lakeTable(name).columns, await lake.get(lake.keyOf(path)))));
  }
  return writeDataFile(lake, name, latestRows(lakeTable(name), rows), { day: files[0]?.day ?? 0, naming });
}

/** Deletes the files of a table that no snapshot uses. @param merged keys that only this run may have used. */
function sweepTable(
  { lake }: CommitDependencies,
  { naming, ...state }: OpenTable & PreparedTable,
  merged: ReadonlySet<string>,
): Promise<number> {
  const { prefix, nowMs } = naming;
  const mustDelete = (key: string) => merged.has(key);
  return sweepFiles(lake, { state, metadataKey: state.metadataKey, prefix, nowMs, mustDelete });
}
