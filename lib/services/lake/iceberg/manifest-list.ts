import * as z from "zod";
import { field } from "./avro-fields.ts";
import { decodeAvroFile, encodeAvroFile } from "./avro-file.ts";

/** Fields of format version 2 (Iceberg spec, "Manifest Lists"). */
const manifestListSchema = {
  type: "record",
  name: "manifest_file",
  fields: [
    field(500, "manifest_path", "string"),
    field(501, "manifest_length", "long"),
    field(502, "partition_spec_id", "int"),
    field(517, "content", "int"),
    field(515, "sequence_number", "long"),
    field(516, "min_sequence_number", "long"),
    field(503, "added_snapshot_id", "long"),
    field(504, "added_files_count", "int"),
    field(505, "existing_files_count", "int"),
    field(506, "deleted_files_count", "int"),
    field(512, "added_rows_count", "long"),
    field(513, "existing_rows_count", "long"),
    field(514, "deleted_rows_count", "long"),
  ],
};

const manifestReference = z.object({
  manifest_path: z.string(),
  manifest_length: z.number(),
  partition_spec_id: z.number(),
  content: z.number(),
  sequence_number: z.number(),
  min_sequence_number: z.number(),
  added_snapshot_id: z.number(),
  added_files_count: z.number(),
  existing_files_count: z.number(),
  deleted_files_count: z.number(),
  added_rows_count: z.number(),
  existing_rows_count: z.number(),
  deleted_rows_count: z.number(),
});
/** One manifest of a snapshot. */
export type ManifestReference = z.output<typeof manifestReference>;

/** A snapshot, as the header of its manifest list names it. */
export interface ListedSnapshot {
  readonly snapshotId: number;
  readonly parentId: number | undefined;
  readonly sequenceNumber: number;
}

/** Encodes the manifest list of a snapshot. */
export function encodeManifestList(manifests: readonly ManifestReference[], of: ListedSnapshot): Promise<Buffer> {
  const header = {
    "snapshot-id": String(of.snapshotId),
    "parent-snapshot-id": of.parentId === undefined ? "null" : String(of.parentId),
    "sequence-number": String(of.sequenceNumber),
    "format-version": "2",
  };
  return encodeAvroFile(manifestListSchema as never, header, manifests);
}

/** Decodes the manifests of a snapshot. */
export async function decodeManifestList(bytes: Uint8Array): Promise<ManifestReference[]> {
  return z.array(manifestReference).parse(await decodeAvroFile(bytes));
}
