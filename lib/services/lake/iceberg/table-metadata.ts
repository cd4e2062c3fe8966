import * as z from "zod";
import { DAY, type LakeColumn } from "../../../domain/lake/lake-column.ts";

/** Id of the partition field. Iceberg numbers partition fields from 1000. */
export const PARTITION_FIELD_ID = 1000;

const schemaField = z.object({
  id: z.number(),
  name: z.string(),
  required: z.boolean(),
  type: z.string(),
  doc: z.string().optional(),
});
const tableSchema = z.object({ type: z.literal("struct"), "schema-id": z.number(), fields: z.array(schemaField) });
export type TableSchema = z.output<typeof tableSchema>;

const snapshot = z.object({
  "snapshot-id": z.number(),
  "parent-snapshot-id": z.number().optional(),
  "sequence-number": z.number(),
  "timestamp-ms": z.number(),
  "manifest-list": z.string(),
  summary: z.record(z.string(), z.string()),
  "schema-id": z.number(),
});
export type Snapshot = z.output<typeof snapshot>;

/** Table metadata of format version 2 (Iceberg spec, "Table Metadata Fields"). */
export const tableMetadata = z.object({
  "format-version": z.literal(2),
  "table-uuid": z.string(),
  location: z.string(),
  "last-sequence-number": z.number(),
  "last-updated-ms": z.number(),
  "last-column-id": z.number(),
  schemas: z.array(tableSchema),
  "current-schema-id": z.number(),
  "partition-specs": z.array(z.object({ "spec-id": z.number(), fields: z.array(z.unknown()) })),
  "default-spec-id": z.number(),
  "last-partition-id": z.number(),
  "sort-orders": z.array(z.object({ "order-id": z.number(), fields: z.array(z.unknown()) })),
  "default-sort-order-id": z.number(),
  properties: z.record(z.string(), z.string()),
  "current-snapshot-id": z.number(),
  refs: z.record(z.string(), z.object({ "snapshot-id": z.number(), type: z.string() })),
  snapshots: z.array(snapshot),
  "snapshot-log": z.array(z.object({ "timestamp-ms": z.number(), "snapshot-id": z.number() })),
  "metadata-log": z.array(z.object({ "timestamp-ms": z.number(), "metadata-file": z.string() })),
});
export type TableMetadata = z.output<typeof tableMetadata>;

/** Returns the Iceberg schema of columns. */
export const toTableSchema = (columns: readonly LakeColumn[], schemaId = 0): TableSchema => ({
  type: "struct",
  "schema-id": schemaId,
  fields: columns.map(({ id, name, type, isRequired, meaning }) => ({
    id,
    name,
    required: isRequired,
    type,
    doc: meaning,
  })),
});

/** Returns the fields of the partition spec: the day, as it is. */
export const partitionFields = ({ fields }: TableSchema) => [
  {
    "source-id": fields.find(({ name }) => name === DAY)?.id ?? 0,
    "field-id": PARTITION_FIELD_ID,
    name: DAY,
    transform: "identity",
  },
];

/** Creates the metadata of a table without snapshots. @param location URI prefix of its files. */
export function createMetadata(uuid: string, location: string, columns: readonly LakeColumn[]): TableMetadata {
  const schema = toTableSchema(columns);
  return {
    "format-version": 2,
    "table-uuid": uuid,
    location,
    "last-sequence-number": 0,
    "last-updated-ms": 0,
    "last-column-id": lastColumnId(columns),
    schemas: [schema],
    "current-schema-id": 0,
    "partition-specs": [{ "spec-id": 0, fields: partitionFields(schema) }],
    "default-spec-id": 0,
    "last-partition-id": PARTITION_FIELD_ID,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    "default-sort-order-id": 0,
    properties: {},
    "current-snapshot-id": -1,
    refs: {},
    snapshots: [],
    "snapshot-log": [],
    "metadata-log": [],
  };
}

const lastColumnId = (columns: readonly LakeColumn[]) => Math.max(...columns.map(({ id }) => id));

/** Returns the metadata with the columns of this version as current schema. Files of earlier schemas stay readable. */
export function withColumns(metadata: TableMetadata, columns: readonly LakeColumn[]): TableMetadata {
  const wanted = toTableSchema(columns, metadata["current-schema-id"]);
  if (JSON.stringify(currentSchema(metadata).fields) === JSON.stringify(wanted.fields)) return metadata;
  const next = { ...wanted, "schema-id": Math.max(...metadata.schemas.map((schema) => schema["schema-id"])) + 1 };
  return {
    ...metadata,
    schemas: [...metadata.schemas, next],
    "current-schema-id": next["schema-id"],
    "last-column-id": Math.max(metadata["last-column-id"], lastColumnId(columns)),
  };
}

/** Returns the current schema. @throws Error for damaged metadata. */
export function currentSchema(metadata: TableMetadata): TableSchema {
  const found = metadata.schemas.find((schema) => schema["schema-id"] === metadata["current-schema-id"]);
  if (!found) throw new Error("the table has no current schema");
  return found;
}

/** Returns the current snapshot; undefined for an empty table. */
export const currentSnapshot = (metadata: TableMetadata): Snapshot | undefined =>
  metadata.snapshots.find((one) => one["snapshot-id"] === metadata["current-snapshot-id"]);

/**
 * Returns the metadata without the snapshots that others replaced before an instant, epoch milliseconds. The current
 * snapshot stays.
 */
export function withoutOldSnapshots(metadata: TableMetadata, keepAfterMs: number): TableMetadata {
  const { snapshots } = metadata;
  const kept = snapshots.filter((_, index) => (snapshots[index + 1]?.["timestamp-ms"] ?? Infinity) > keepAfterMs);
  // A current snapshot stays even if everything is to go.
  const all = kept.length > 0 ? kept : snapshots.slice(-1);
  const log = all.map((one) => ({ "timestamp-ms": one["timestamp-ms"], "snapshot-id": one["snapshot-id"] }));
  return { ...metadata, snapshots: all, "snapshot-log": log };
}

/** Returns the metadata with a new current snapshot. */
export function withSnapshot(metadata: TableMetadata, next: Snapshot): TableMetadata {
  const id = next["snapshot-id"];
  return {
    ...metadata,
    "last-sequence-number": next["sequence-number"],
    "last-updated-ms": next["timestamp-ms"],
    "current-snapshot-id": id,
    refs: { main: { "snapshot-id": id, type: "branch" } },
    snapshots: [...metadata.snapshots, next],
  };
}
