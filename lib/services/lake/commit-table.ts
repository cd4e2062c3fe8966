import type { LakePointer } from "../../domain/lake/lake-settings.ts";
import { type LakeTableName, lakeTable, lakeTableId, lakeTablePrefix } from "../../domain/lake/lake-tables.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { FileNaming } from "./iceberg/file-names.ts";
import { createMetadata } from "./iceberg/table-metadata.ts";
import { readTable, type TableState } from "./iceberg/table-state.ts";
import { type PreparedTable, type TableChange, writeSnapshot } from "./iceberg/write-snapshot.ts";

/** Dependencies of a commit. */
export type CommitDependencies = Dependencies<"lake" | "lakeTables" | "commit">;

/** A table of a team. */
export interface TableOf {
  readonly scope: TeamScope;
  readonly name: LakeTableName;
}

/** A table with its pointer; a new table has none. */
export interface OpenTable extends TableState {
  readonly pointer: LakePointer | undefined;
  readonly tableId: string;
  readonly naming: FileNaming;
}

/** Attempts of a commit that other commits precede. */
const COMMIT_ATTEMPTS = 12;
/** Retention of replaced snapshots, for readers that have begun: 6 hours. */
export const SNAPSHOT_MS = 6 * 60 * 60_000;
/** Time from the first append to the maintenance of a table. */
export const MAINTENANCE_MS = 60 * 60_000;

/** Reads a table and its pointer. */
export async function openTable(
  { lake, lakeTables }: Pick<CommitDependencies, "lake" | "lakeTables">,
  { scope, name }: TableOf,
): Promise<OpenTable> {
  const { columns } = lakeTable(name);
  const tableId = lakeTableId(scope.teamId, name);
  const naming = namingOf({ scope, name });
  const pointer = await lakeTables.getPointer(scope, name);
  if (pointer) {
    const state = await readTable(lake, pointer.metadata_key, columns);
    return { ...state, pointer, tableId, naming };
  }
  const location = lake.uri(naming.prefix.slice(0, -1));
  return { metadata: createMetadata(tableId, location, columns), manifests: [], pointer, tableId, naming };
}

const namingOf = ({ scope, name }: TableOf): FileNaming => ({
  prefix: lakeTablePrefix(scope.teamId, name),
  nowMs: ports().clock.now(),
  uuid: () => ports().ids.uuid(),
});

/**
 * Commits a change of a table: writes its metadata, then moves the pointer and writes the other items in one
 * transaction. After a commit of another writer it starts again from the new state. Files of a lost attempt stay until
 * a sweep finds them unused: an attempt whose answer is lost may have taken effect.
 * @param plan returns the change, and when maintenance is due; undefined to leave the table as it is.
 * @throws ConditionFailed if the condition of another item fails. Then the table is unchanged.
 */
export async function commitTable(
  deps: CommitDependencies,
  table: TableOf,
  plan: (state: OpenTable) => Promise<(TableChange & { readonly dueAt?: string }) | undefined>,
  others: readonly WriteItem[] = [],
): Promise<(OpenTable & PreparedTable) | undefined> {
  for (let attempt = 1; ; attempt++) {
    const open = await openTable(deps, table);
    const change = await plan(open);
    if (!change) return undefined;
    const prepared = await writeSnapshot(deps.lake, open, change, open.naming);
    try {
      const next = { ...nextPointer(deps, table, open, prepared), ...(change.dueAt ? { due_at: change.dueAt } : {}) };
      await deps.commit([deps.lakeTables.moveItem(table.scope, open.pointer, next), ...others]);
      return { ...open, ...prepared };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (!error.items.has(0) || attempt === COMMIT_ATTEMPTS) throw error;
    }
  }
}

function nextPointer(
  { lake }: CommitDependencies,
  { name }: TableOf,
  { pointer, tableId, naming }: OpenTable,
  prepared: PreparedTable,
): LakePointer {
  const { manifests, metadataKey } = prepared;
  const sum = (of: (one: (typeof manifests)[number]) => number) => manifests.reduce((total, one) => total + of(one), 0);
  const dueAt = new Date(naming.nowMs + MAINTENANCE_MS).toISOString();
  return {
    name,
    table_id: tableId,
    metadata_location: lake.uri(metadataKey),
    metadata_key: metadataKey,
    version: (pointer?.version ?? 0) + 1,
    rows: sum((one) => one.added_rows_count + one.existing_rows_count),
    files: sum((one) => one.added_files_count + one.existing_files_count),
    updated_at: new Date(naming.nowMs).toISOString(),
    due_at: pointer && pointer.due_at < dueAt ? pointer.due_at : dueAt,
  };
}
