import { type FileNaming, manifestKey, metadataKey } from "./file-names.ts";
import { type DataFile, encodeManifest, type LiveFile } from "./manifest-file.ts";
import { encodeManifestList, type ManifestReference } from "./manifest-list.ts";
import { currentSchema, withoutOldSnapshots, withSnapshot } from "./table-metadata.ts";
import type { TableObjects, TableState } from "./table-state.ts";

/** A change of a table's files. */
export interface TableChange {
  readonly added: readonly DataFile[];
  /** All files that stay, for a change that removes files; absent for an append. */
  readonly kept?: readonly LiveFile[];
  /**
   * `replace` keeps the content of the table, `overwrite` changes it (Iceberg spec, "Snapshots"). `expire` only drops
   * snapshots.
   */
  readonly operation: "append" | "replace" | "overwrite" | "expire";
  /** Snapshots that were replaced before this instant are dropped, epoch milliseconds. */
  readonly keepSnapshotsAfterMs: number;
}

/** The next state of a table, in files that nothing names until the pointer of the table does. */
export interface PreparedTable extends TableState {
  readonly metadataKey: string;
}

/** Characters of a snapshot id: 52 bits, which a JavaScript number holds exactly. */
const SNAPSHOT_ID_DIGITS = 13;

/** Writes the metadata of a change: a manifest and the manifest list, unless it only drops snapshots, and the metadata. */
export async function writeSnapshot(
  objects: TableObjects,
  state: TableState,
  change: TableChange,
  naming: FileNaming,
): Promise<PreparedTable> {
  const { metadata, manifests } =
    change.operation === "expire" ? state : await addSnapshot(objects, state, change, naming);
  const next = withoutOldSnapshots(metadata, change.keepSnapshotsAfterMs);
  const key = metadataKey(naming);
  await objects.put(key, Buffer.from(JSON.stringify(next)));
  return { metadata: next, manifests, metadataKey: key };
}

async function addSnapshot(objects: TableObjects, state: TableState, change: TableChange, naming: FileNaming) {
  const snapshotId = Number.parseInt(naming.uuid().replaceAll("-", "").slice(0, SNAPSHOT_ID_DIGITS), 16);
  const sequenceNumber = state.metadata["last-sequence-number"] + 1;
  const about = { snapshotId, sequenceNumber };
  const manifest = await writeManifest(objects, state, change, about, naming);
  const manifests = [...(change.kept ? [] : state.manifests), manifest];
  const parent = state.metadata["current-snapshot-id"];
  const parentId = parent === -1 ? undefined : parent;
  const listKey = manifestKey(naming);
  await objects.put(listKey, await encodeManifestList(manifests, { ...about, parentId }));
  const snapshot = {
    "snapshot-id": snapshotId,
    ...(parentId === undefined ? {} : { "parent-snapshot-id": parentId }),
    "sequence-number": sequenceNumber,
    "timestamp-ms": Math.max(naming.nowMs, state.metadata["last-updated-ms"]),
    "manifest-list": objects.uri(listKey),
    summary: summarize(change, manifests),
    "schema-id": state.metadata["current-schema-id"],
  };
  return { metadata: withSnapshot(state.metadata, snapshot), manifests };
}

async function writeManifest(
  objects: TableObjects,
  { metadata }: TableState,
  { added, kept = [] }: TableChange,
  { snapshotId, sequenceNumber }: { readonly snapshotId: number; readonly sequenceNumber: number },
  naming: FileNaming,
): Promise<ManifestReference> {
  const key = manifestKey(naming);
  const bytes = await encodeManifest({ added, existing: kept }, snapshotId, currentSchema(metadata));
  await objects.put(key, bytes);
  return {
    manifest_path: objects.uri(key),
    manifest_length: bytes.length,
    partition_spec_id: 0,
    content: 0,
    sequence_number: sequenceNumber,
    min_sequence_number: kept.reduce((least, file) => Math.min(least, file.sequenceNumber), sequenceNumber),
    added_snapshot_id: snapshotId,
    added_files_count: added.length,
    existing_files_count: kept.length,
    deleted_files_count: 0,
    added_rows_count: countRecords(added),
    existing_rows_count: countRecords(kept),
    deleted_rows_count: 0,
  };
}

const countRecords = (files: readonly DataFile[]): number => files.reduce((total, { records }) => total + records, 0);

function summarize({ operation, added }: TableChange, manifests: readonly ManifestReference[]) {
  const total = (of: (one: ManifestReference) => number) => String(manifests.reduce((sum, one) => sum + of(one), 0));
  return {
    operation,
    "added-data-files": String(added.length),
    "added-records": String(countRecords(added)),
    "total-data-files": total((one) => one.added_files_count + one.existing_files_count),
    "total-records": total((one) => one.added_rows_count + one.existing_rows_count),
  };
}
