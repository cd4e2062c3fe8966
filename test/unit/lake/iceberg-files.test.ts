import { expect, test } from "vitest";
import { lakeTable } from "../../../lib/domain/lake/lake-tables.ts";
import { decodeManifest, encodeManifest } from "../../../lib/services/lake/iceberg/manifest-file.ts";
import { decodeRows, encodeRows } from "../../../lib/services/lake/iceberg/parquet-rows.ts";
import { toTableSchema } from "../../../lib/services/lake/iceberg/table-metadata.ts";

const { columns } = lakeTable("samples");
const row = {
  day: 20_000,
  user_id: "u",
  resource: "heartrate",
  provider: "oura",
  source_type: "ring",
  device_id: null,
  app_id: "a",
  start: 20_000 * 86_400_000 + 1,
  end: 20_000 * 86_400_000 + 1,
  value: 61.5,
  value_text: null,
  unit: "bpm",
  type: null,
  subtype: "é",
  timezone_offset: -3600,
  fields: null,
  is_deleted: false,
  received_at: 20_001 * 86_400_000,
  receipt: "r",
};

test("a Parquet file returns its rows as they were", async () => {
  expect(await decodeRows(columns, await encodeRows(columns, [row, row]))).toEqual([row, row]);
});

test("a file from before a column existed has null in it", async () => {
  const added = { id: 99, name: "added", type: "string", isRequired: false, meaning: "later" } as const;
  const old = await encodeRows(columns, [row]);
  expect(await decodeRows([...columns, added], old)).toEqual([{ ...row, added: null }]);
});

test("a manifest returns its files, and added files take its sequence number", async () => {
  const file = { path: "s3://lake/a.parquet", day: 20_000, records: 2, bytes: 10 };
  const old = { ...file, path: "s3://lake/b.parquet", snapshotId: 3, sequenceNumber: 1 };
  const bytes = await encodeManifest({ added: [file], existing: [old] }, 7, toTableSchema(columns));
  expect(await decodeManifest(bytes, 5)).toEqual([{ ...file, snapshotId: 7, sequenceNumber: 5 }, old]);
});
