import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { LakeColumn } from "../../../lib/domain/lake/lake-column.ts";
import type { DataFile } from "../../../lib/services/lake/iceberg/manifest-file.ts";
import { sweepFiles, UNUSED_FILE_MS } from "../../../lib/services/lake/iceberg/sweep-files.ts";
import { createMetadata, currentSchema } from "../../../lib/services/lake/iceberg/table-metadata.ts";
import {
  listLiveFiles,
  listReferencedKeys,
  readTable,
  type TableState,
} from "../../../lib/services/lake/iceberg/table-state.ts";
import { type TableChange, writeSnapshot } from "../../../lib/services/lake/iceberg/write-snapshot.ts";
import { MemoryObjects } from "./memory-objects.ts";

const columns: LakeColumn[] = [
  { id: 1, name: "day", type: "date", isRequired: true, meaning: "the partition" },
  { id: 2, name: "user_id", type: "string", isRequired: true, meaning: "the user" },
];
const later: LakeColumn = { id: 3, name: "mood", type: "string", isRequired: false, meaning: "a later column" };

const naming = (nowMs: number) => ({ prefix: "team/table/", nowMs, uuid: randomUUID });
const fileAt = (nowMs: number, day: number): DataFile => ({
  path: `s3://lake/team/table/data/${String(nowMs).padStart(13, "0")}-${day}.parquet`,
  day,
  records: 2,
  bytes: 10,
});
const keepAll = { keepSnapshotsAfterMs: 0 };
const append = (...added: DataFile[]): TableChange => ({ added, operation: "append", ...keepAll });

function newTable(): { objects: MemoryObjects; empty: TableState } {
  const empty = { metadata: createMetadata(randomUUID(), "s3://lake/team/table", columns), manifests: [] };
  return { objects: new MemoryObjects(), empty };
}

test("each append adds its files, and the snapshot before it still has its own", async () => {
  const { objects, empty } = newTable();
  const one = await writeSnapshot(objects, empty, append(fileAt(1, 10)), naming(1));
  const two = await writeSnapshot(objects, one, append(fileAt(2, 10), fileAt(2, 11)), naming(2));
  const read = await readTable(objects, two.metadataKey, columns);
  expect((await listLiveFiles(objects, read)).map(({ path, sequenceNumber }) => [path, sequenceNumber])).toEqual([
    [fileAt(1, 10).path, 1],
    [fileAt(2, 10).path, 2],
    [fileAt(2, 11).path, 2],
  ]);
  expect(read.metadata.snapshots.map((snapshot) => snapshot.summary["total-records"])).toEqual(["2", "6"]);
  expect(await listLiveFiles(objects, await readTable(objects, one.metadataKey, columns))).toHaveLength(1);
});

test("a replacement keeps the sequence numbers of the files that stay", async () => {
  const { objects, empty } = newTable();
  const one = await writeSnapshot(objects, empty, append(fileAt(1, 10), fileAt(1, 11)), naming(1));
  const [kept] = (await listLiveFiles(objects, one)).filter(({ day }) => day === 11);
  if (!kept) throw new Error("no file of day 11");
  const change = { added: [fileAt(2, 10)], kept: [kept], operation: "replace", ...keepAll } as const;
  const two = await writeSnapshot(objects, one, change, naming(2));
  expect(await listLiveFiles(objects, two)).toEqual([
    expect.objectContaining({ path: fileAt(2, 10).path, sequenceNumber: 2 }),
    kept,
  ]);
});

test("a column that a later version adds becomes a further schema, and old snapshots keep theirs", async () => {
  const { objects, empty } = newTable();
  const one = await writeSnapshot(objects, empty, append(fileAt(1, 10)), naming(1));
  const opened = await readTable(objects, one.metadataKey, [...columns, later]);
  const two = await writeSnapshot(objects, opened, append(fileAt(2, 10)), naming(2));
  const { metadata } = await readTable(objects, two.metadataKey, [...columns, later]);
  expect(metadata.schemas.map(({ fields }) => fields.map(({ name }) => name))).toEqual([
    ["day", "user_id"],
    ["day", "user_id", "mood"],
  ]);
  expect(currentSchema(metadata)["schema-id"]).toBe(1);
  expect(metadata.snapshots.map((snapshot) => snapshot["schema-id"])).toEqual([0, 1]);
  expect(metadata["last-column-id"]).toBe(3);
});

test("a sweep deletes old files that no snapshot uses, and no file that one uses or that a writer may commit", async () => {
  const { objects, empty } = newTable();
  const nowMs = UNUSED_FILE_MS * 10;
  const [used, old, young] = [fileAt(1, 10), fileAt(2, 10), fileAt(nowMs - 1, 10)];
  for (const { path } of [used, old, young]) await objects.put(objects.keyOf(path), new Uint8Array(1));
  const one = await writeSnapshot(objects, empty, append(used), naming(3));
  const expire = { added: [], operation: "expire", keepSnapshotsAfterMs: nowMs } as const;
  const two = await writeSnapshot(objects, one, expire, naming(4));
  await sweepFiles(objects, { state: two, metadataKey: two.metadataKey, prefix: "team/table/", nowMs });
  const wanted = [...(await listReferencedKeys(objects, two)), two.metadataKey, objects.keyOf(young.path)];
  expect([...objects.stored.keys()].sort()).toEqual(wanted.sort());
  expect(wanted).toContain(objects.keyOf(used.path));
});
