// @module-tag share
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { acceptBatch, countRecords } from "../../../../lib/domain/ingest/accept-batch.ts";
import { MAX_RECORDS_PER_REQUEST } from "../../../../lib/domain/ingest/batch.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";
import { type DemoRequest, generateDemoBatches } from "../../../../lib/simulators/demo/demo-batches.ts";
import { demoDevices } from "../../../../lib/simulators/demo/devices.ts";
import { chooseCount } from "../../../support/depth.ts";
import { deliverDemoData, startMsOf } from "./deliver-demo-data.ts";

const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
const user = newUser({ client_user_id: "demo" }, ids, "2026-01-01T00:00:00+00:00");
const endMs = Date.UTC(2026, 3, 10, 14, 3);

describe.each(["America/Santiago", "Europe/Berlin", "UTC", "Asia/Kathmandu"])("in %s", (timeZone) => {
  const request: DemoRequest = { days: 90, endMs, seed: 7, timeZone };
  const batches = [...generateDemoBatches(request)];
  const delivery = deliverDemoData(request);

  test("delivers only records that ingestion accepts", { tags: "deep" }, () => {
    const answers = batches.map((batch) => acceptBatch(batch, user, endMs));
    expect(answers.flatMap(({ rejected }) => rejected)).toEqual([]);
    expect(answers.map(({ accepted }) => accepted)).toEqual(batches.map(({ resources }) => countRecords(resources)));
  });

  test("fills 90 days with every resource of every source type", () => {
    const expected = demoDevices.flatMap(({ sourceType, resources }) =>
      resources.map((resource) => `${sourceType} ${resource}`),
    );
    expect([...delivery.keys()].toSorted()).toEqual(expected.toSorted());
    for (const records of delivery.values()) {
      const times = records.map(startMsOf).filter(Number.isFinite);
      if (times.length > 100) expect(endMs - Math.min(...times)).toBeGreaterThanOrEqual(89 * 86_400_000);
    }
  });

  test("sends a resource in one batch up to the record limit of a batch", () => {
    const sizes = batches.map(({ source_type, resources }) => {
      const [resource] = Object.keys(resources);
      return {
        name: `${source_type} ${resource}`,
        count: countRecords(resources),
        resources: Object.keys(resources).length,
      };
    });
    for (const { name, count, resources } of sizes) {
      expect(resources).toBe(1);
      expect(count).toBeLessThanOrEqual(MAX_RECORDS_PER_REQUEST);
      const all = delivery.get(name)?.length ?? 0;
      expect(sizes.filter((size) => size.name === name)).toHaveLength(Math.ceil(all / MAX_RECORDS_PER_REQUEST));
    }
  });

  test("marks batches as historical and names the device", () => {
    const devicesOf = (source: string) => delivery.get(`${source} devices`)?.map(({ device_id }) => device_id);
    for (const batch of batches) {
      expect(batch).toMatchObject({ provider: "apple_health_kit", stage: "historical" });
      expect(devicesOf(batch.source_type)).toEqual([batch.device_id]);
      // The published schema of a source has a UUID, and the service gives back what a sender names.
      expect(z.uuid().safeParse(batch.device_id).success).toBe(true);
    }
  });

  test("delivers nothing that ends later, and no sample twice", { tags: "deep" }, () => {
    for (const records of delivery.values()) {
      const times = records.map(startMsOf).filter(Number.isFinite);
      expect(new Set(times).size).toBe(times.length);
      for (const record of records) {
        const end = record.end ?? record.timestamp ?? record.bedtime_stop ?? record.time_end;
        if (end !== undefined) expect(Date.parse(String(end))).toBeLessThanOrEqual(endMs);
      }
    }
  });
});

test("delivers only records that ingestion accepts, for any person", { tags: "deep" }, () => {
  const seed = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const anyRequest = fc.record({ seed, days: fc.constant(14) });
  fc.assert(
    fc.property(anyRequest, (request) => {
      const answers = [...generateDemoBatches({ ...request, endMs })].map((batch) => acceptBatch(batch, user, endMs));
      expect(answers.flatMap(({ rejected }) => rejected)).toEqual([]);
    }),
    { numRuns: chooseCount(10, 40) },
  );
});

test("delivers only the requested source type", () => {
  const sources = [...generateDemoBatches({ sourceType: "phone", days: 3, endMs, seed: 7 })];
  expect(new Set(sources.map(({ source_type }) => source_type))).toEqual(new Set(["phone"]));
});

test("delivers phone and watch as separate sources, the phone with fewer steps", () => {
  const delivery = deliverDemoData({ days: 20, endMs, seed: 7 });
  const steps = (source: string) => delivery.get(`${source} activity`)?.map((day) => Number(day.steps)) ?? [];
  expect(steps("watch")).toHaveLength(21);
  for (const [index, walked] of steps("watch").entries()) expect(steps("phone")[index]).toBeLessThan(walked);
});

test("generates another person for another seed", () => {
  const [one, other] = [7, 8].map((seed) => deliverDemoData({ days: 2, endMs, seed }));
  expect(one?.get("watch sleep")).not.toEqual(other?.get("watch sleep"));
  expect(one?.get("phone profile")).not.toEqual(other?.get("phone profile"));
});

test("delivers the samples of a night in progress, and its sleep only after its end", () => {
  const request = { days: 1, seed: 8 };
  const [night] = deliverDemoData({ ...request, endMs: Date.UTC(2026, 3, 10, 12) }).get("watch sleep") ?? [];
  const bedtimeMs = Date.parse(String(night?.bedtime_start));
  const tonight = deliverDemoData({ ...request, endMs: bedtimeMs + 45 * 60_000 });
  // The interesting case: the request falls on the day before waking.
  expect(new Date(bedtimeMs).getUTCHours()).toBe(22);
  expect(tonight.get("watch hrv")?.filter((sample) => startMsOf(sample) >= bedtimeMs)).toHaveLength(3);
  expect(tonight.get("watch hypnogram")?.filter((segment) => startMsOf(segment) >= bedtimeMs)).toEqual([]);
  const bedtimes = tonight.get("watch sleep")?.map(({ bedtime_start }) => bedtime_start);
  expect(bedtimes).toHaveLength(2);
  expect(bedtimes).not.toContain(night?.bedtime_start);
});

test("rejects an unknown time zone", () => {
  const request: DemoRequest = { days: 1, endMs, seed: 7, timeZone: "Europe/Atlantis" };
  expect(() => [...generateDemoBatches(request)]).toThrow(RangeError);
});
