import * as z from "zod";
import { field, optional } from "./avro-fields.ts";
import { decodeAvroFile, encodeAvroFile } from "./avro-file.ts";
import { PARTITION_FIELD_ID, partitionFields, type TableSchema } from "./table-metadata.ts";

/** A data file with its partition. */
export interface DataFile {
  /** URI of the file. */
  readonly path: string;
  /** Partition: days since 1970. */
  readonly day: number;
  readonly records: number;
  readonly bytes: number;
}

/** A data file in a manifest, with the snapshot that added it. */
export interface LiveFile extends DataFile {
  readonly snapshotId: number;
  readonly sequenceNumber: number;
}

/** Status of a manifest entry (Iceberg spec, "Manifests"). */
const status = { existing: 0, added: 1 } as const;

const dataFileSchema = {
  type: "record",
  name: "r2",
  fields: [
    field(134, "content", "int"),
    field(100, "file_path", "string"),
    field(101, "file_format", "string"),
    field(102, "partition", {
      type: "record",
      name: "r102",
      fields: [optional(PARTITION_FIELD_ID, "day", { type: "int", logicalType: "date" })],
    }),
    field(103, "record_count", "long"),
    field(104, "file_size_in_bytes", "long"),
  ],
};

/** Required fields of format version 2. It leaves out column bounds, which would name users. */
const manifestSchema = {
  type: "record",
  name: "manifest_entry",
  fields: [
    field(0, "status", "int"),
    optional(1, "snapshot_id", "long"),
    optional(3, "sequence_number", "long"),
    optional(4, "file_sequence_number", "long"),
    field(2, "data_file", dataFileSchema),
  ],
};

const manifestEntry = z.object({
  snapshot_id: z.number().nullable(),
  sequence_number: z.number().nullable(),
  data_file: z.object({
    file_path: z.string(),
    partition: z.object({ day: z.number() }),
    record_count: z.number(),
    file_size_in_bytes: z.number(),
  }),
});

/** Files of a manifest: those that its snapshot adds, and those that earlier snapshots added. */
export interface ManifestFiles {
  readonly added: readonly DataFile[];
  readonly existing: readonly LiveFile[];
}

/** Encodes a manifest (Iceberg spec, "Manifests"). */
export function encodeManifest({ added, existing }: ManifestFiles, snapshotId: number, schema: TableSchema) {
  const entry = (file: DataFile, about: object) => ({
    ...about,
    data_file: {
      content: 0,
      file_path: file.path,
      file_format: "PARQUET",
      partition: { day: file.day },
      record_count: file.records,
      file_size_in_bytes: file.bytes,
    },
  });
  // The sequence number of an added file is that of the manifest, so a retried commit need not know it.
  const inherited = { sequence_number: null, file_sequence_number: null };
  const entries = [
    ...added.map((file) => entry(file, { status: status.added, snapshot_id: snapshotId, ...inherited })),
    ...existing.map((file) => {
      const { snapshotId: snapshot_id, sequenceNumber: sequence } = file;
      const numbers = { sequence_number: sequence, file_sequence_number: sequence };
      return entry(file, { status: status.existing, snapshot_id, ...numbers });
    }),
  ];
  const header = {
    schema: JSON.stringify(schema),
    "schema-id": String(schema["schema-id"]),
    "partition-spec": JSON.stringify(partitionFields(schema)),
    "partition-spec-id": "0",
    "format-version": "2",
    content: "data",
  };
  return encodeAvroFile(manifestSchema as never, header, entries);
}

/** Decodes the files of a manifest. @param sequenceNumber that of the manifest, which its added files inherit. */
export async function decodeManifest(bytes: Uint8Array, sequenceNumber: number): Promise<LiveFile[]> {
  const entries = z.array(manifestEntry).parse(await decodeAvroFile(bytes));
  return entries.map(({ snapshot_id, sequence_number, data_file }) => ({
    path: data_file.file_path,
    day: data_file.partition.day,
    records: data_file.record_count,
    bytes: data_file.file_size_in_bytes,
    snapshotId: snapshot_id ?? 0,
    sequenceNumber: sequence_number ?? sequenceNumber,
  }));
}
