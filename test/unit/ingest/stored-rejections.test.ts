import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { acceptBatch } from "../../../lib/domain/ingest/accept-batch.ts";
import { toWireRejections } from "../../../lib/domain/ingest/wire-rejections.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { packRejections, unpackRejections } from "../../../lib/store/packed-rejections.ts";
import { recordExamples } from "./record-examples.ts";

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "ada" }, ids, "2026-01-02T00:00:00.000Z");
const about = { provider: "oura", source_type: "ring", device_id: null, stage: "daily" } as const;

const reject = (resources: Record<string, readonly unknown[]>) =>
  acceptBatch({ ...about, resources }, user, Date.UTC(2026, 4, 2)).rejected;

/** One faulty record of every resource, in turn. */
const faultyRecords = (count: number) => {
  const names = [...recordExamples.keys()];
  const resources = names.map((name, at) => {
    const own = Array.from({ length: Math.ceil((count - at) / names.length) }, (_, index) => {
      const record = recordExamples.get(name)!;
      const field = Object.keys(record)[index % Object.keys(record).length]!;
      return { ...record, [field]: { junk: index } };
    });
    return [name, own] as const;
  });
  return reject(Object.fromEntries(resources));
};

/** Maximum size of a DynamoDB item, bytes. */
const MAX_ITEM_BYTES = 400 * 1024;
/** Bytes of a write unit. */
const WRITE_UNIT_BYTES = 1024;

test("stored rejections read as they were, and are stored without words", () => {
  const rejected = faultyRecords(200);
  expect(unpackRejections(packRejections(rejected))).toEqual(rejected);
  expect(JSON.stringify(rejected)).not.toContain("detail");
  expect(toWireRejections(rejected).every(({ detail }) => detail.length > 20)).toBe(true);
});

test("rejections that earlier versions stored have an effect and words", () => {
  const earlier = [
    { resource: "heartrate", index: 3, reason: "bad_time" },
    { resource: "workouts", index: 0, reason: "value_out_of_range", field: "average_hr", detail: "Too small" },
    { resource: "note", index: 1, reason: "too_dense" },
    { resource: "retired", index: 0, reason: "reason_of_old", field: "gone.0" },
  ];
  expect(toWireRejections(unpackRejections(gzipSync(JSON.stringify(earlier))))).toMatchObject([
    { ...earlier[0], effect: "record_rejected", field: null, detail: expect.stringMatching(/^A time is missing/) },
    { ...earlier[1], effect: "field_dropped" },
    { ...earlier[2], effect: "record_rejected", field: null, detail: expect.stringMatching(/^There are more samples/) },
    { ...earlier[3], effect: "field_dropped", detail: "The record is invalid." },
  ]);
});

test("the rejections of a full request fit in an item, and those of a few records in a write unit", () => {
  expect(packRejections(faultyRecords(10_000)).byteLength).toBeLessThan(MAX_ITEM_BYTES / 2);
  expect(packRejections(faultyRecords(20)).byteLength).toBeLessThan(WRITE_UNIT_BYTES / 2);
  expect(packRejections([]).byteLength).toBe(gzipSync("[]").byteLength);
});
