import {
  deleteObject,
  getItem,
  getObject,
  grants,
  listBucket,
  putItem,
  putObject,
  queryItems,
  updateItem,
} from "../../contract/access.ts";
import { lake, lakeTables, lakeUsers } from "../../contract/resources.ts";
import { dateOfDay } from "../../domain/lake/lake-column.ts";
import { type LakeTableName, lakeTable } from "../../domain/lake/lake-tables.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { LakeDay } from "../../store/lake/lake-users.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type AppendRowsDependencies, writeDataFile } from "./append-rows.ts";
import { commitTable, type OpenTable, openTable, type TableOf } from "./commit-table.ts";
import type { DataFile } from "./iceberg/manifest-file.ts";
import { decodeRows } from "./iceberg/parquet-rows.ts";
import { sweepFiles } from "./iceberg/sweep-files.ts";
import { listLiveFiles } from "./iceberg/table-state.ts";

/** Grants of {@link eraseFromLake}. */
export const eraseFromLakeAccess = grants(
  [queryItems(lakeUsers), updateItem(lakeUsers), getItem(lakeTables), putItem(lakeTables)],
  [getObject(lake), putObject(lake), deleteObject(lake), listBucket(lake)],
);

/** Files that one commit replaces. A stopped erasure repeats no more than that. */
const FILES_PER_COMMIT = 40;
const CONCURRENT_MARKS = 16;

/**
 * Removes the rows of a user from all tables: rewrites the files of the user's days, drops every older snapshot, and
 * deletes the replaced files at once. Queries that began before fail then.
 * @returns the number of removed rows.
 */
export async function eraseFromLake(deps: AppendRowsDependencies, scope: TeamScope, userId: string): Promise<number> {
  const days = await deps.lakeUsers.listDays(scope, userId);
  let rows = 0;
  for (const [name, some] of Map.groupBy(days, ({ table }) => table)) {
    rows += await eraseFromTable(deps, { scope, name }, userId, some);
    await inParallel(some, (day) => deps.lakeUsers.clearDay(scope, userId, day, isoNow()), CONCURRENT_MARKS);
  }
  return rows;
}

async function eraseFromTable(
  deps: AppendRowsDependencies,
  table: TableOf,
  userId: string,
  days: readonly LakeDay[],
): Promise<number> {
  const marked = new Set(days.map(({ day }) => day));
  const checked = new Set<string>();
  let rows = 0;
  for (;;) {
    const open = await openTable(deps, table);
    if (!open.pointer) break;
    const files = (await listLiveFiles(deps.lake, open)).filter(
      ({ day, path }) => marked.has(day) && !checked.has(path),
    );
    if (files.length === 0) break;
    rows += await rewriteFiles(deps, table, userId, files.slice(0, FILES_PER_COMMIT), checked);
  }
  await sweepErased(deps, table, userId, marked);
  return rows;
}

/** Rewrites files without the rows of a user. @param checked takes the paths without rows of the user. */
async function rewriteFiles(
  deps: AppendRowsDependencies,
  table: TableOf,
  userId: string,
  files: readonly DataFile[],
  checked: Set<string>,
): Promise<number> {
  const { naming } = await openTable(deps, table);
  const replaced = new Set<string>();
  const added: DataFile[] = [];
  let erased = 0;
  for (const { path, day } of files) {
    const rows = await readFile(deps, table.name, deps.lake.keyOf(path));
    const others = rows.filter(({ user_id }) => user_id !== userId);
    if (others.length === rows.length) {
      checked.add(path);
      continue;
    }
    erased += rows.length - others.length;
    replaced.add(path);
    if (others.length > 0) added.push(await writeDataFile(deps.lake, table.name, others, { day, naming }));
  }
  for (const { path } of added) checked.add(path);
  if (replaced.size === 0) return 0;
  // Without a commit, a merge replaced one of the files meanwhile: the next round reads the merged file.
  const committed = await commitTable(deps, table, (state) => planErasure(deps, state, replaced, added));
  return committed ? erased : 0;
}

async function planErasure(
  { lake }: AppendRowsDependencies,
  state: OpenTable,
  replaced: ReadonlySet<string>,
  added: readonly DataFile[],
) {
  const live = await listLiveFiles(lake, state);
  const kept = live.filter(({ path }) => !replaced.has(path));
  if (live.length - kept.length !== replaced.size) return undefined;
  return { added, kept, operation: "overwrite", keepSnapshotsAfterMs: Number.POSITIVE_INFINITY } as const;
}

/** Deletes unused files of the days that hold rows of a user, however young, and all old unused files. */
async function sweepErased(
  deps: AppendRowsDependencies,
  table: TableOf,
  userId: string,
  days: ReadonlySet<number>,
): Promise<void> {
  const open = await openTable(deps, table);
  const { prefix, nowMs } = open.naming;
  const folders = [...days].map((day) => `${prefix}data/day=${dateOfDay(day)}/`);
  const mustDelete = async (key: string) => {
    if (!folders.some((folder) => key.startsWith(folder))) return false;
    const rows = await readFile(deps, table.name, key);
    return rows.some(({ user_id }) => user_id === userId);
  };
  const metadataKey = open.pointer?.metadata_key ?? "";
  await sweepFiles(deps.lake, { state: open, metadataKey, prefix, nowMs, mustDelete });
}

const readFile = async ({ lake }: AppendRowsDependencies, name: LakeTableName, key: string) =>
  decodeRows(lakeTable(name).columns, await lake.get(key));
