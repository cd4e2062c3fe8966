import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { rejectionOf } from "./expected-rejections.ts";
import { type BatchResources, pageSamples, readGroupedPage, sendBatch } from "./ingest-batch.ts";

/** A batch that is accepted with 202 is stored, however unusual: no message may move to a dead-letter queue. */

const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };
const at = (minute: number) => new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString();
const noise = (bytes: number) => randomBytes(bytes).toString("base64");

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Sends a batch. Expects that the receipt of an accepted batch completes, and that a refusal is a client error. */
async function expectStoredOrRefused(userId: string, resources: BatchResources, about = {}) {
  const sent = await sendBatch(service, userId, resources, about);
  if (sent.status !== 202) {
    expect([sent.status, sent.body.code]).toEqual([422, "validation_failed"]);
    return undefined;
  }
  await service.settle();
  const { body } = await service.call("GET", `/v2/ingest/${userId}/${sent.body.receipt_id}`);
  expect(body).toMatchObject({ status: "done", stored: sent.body.accepted });
  return body;
}

test("one valid record among 9,999 invalid ones is stored, and each invalid one is named", async () => {
  const userId = await service.createUser("mostly bad");
  const bad = Array.from({ length: 9_999 }, () => ({ timestamp: "never", value: 1 }));
  const receipt = await expectStoredOrRefused(userId, { heartrate: [{ timestamp: at(0), value: 60 }, ...bad] });
  expect(receipt?.rejected).toHaveLength(9_999);
});

test("a long source type is refused or stored", async () => {
  const userId = await service.createUser("long source type");
  await expectStoredOrRefused(
    userId,
    { heartrate: [{ timestamp: at(0), value: 60 }] },
    { source_type: "x".repeat(2_000) },
  );
});

test("a source type with a # is refused, or read back unchanged", async () => {
  const userId = await service.createUser("source type with a hash");
  const about = { source_type: "smart#scale" };
  if (!(await expectStoredOrRefused(userId, { heartrate: [{ timestamp: at(0), value: 60 }] }, about))) return;
  const { body } = await readGroupedPage(service, userId, "heartrate", DAY);
  expect(body.groups.apple_health_kit[0].source.type).toBe("smart#scale");
});

test("an empty source type is refused, or read back", async () => {
  const userId = await service.createUser("empty source type");
  const about = { source_type: "" };
  if (!(await expectStoredOrRefused(userId, { heartrate: [{ timestamp: at(0), value: 60 }] }, about))) return;
  const { body } = await readGroupedPage(service, userId, "heartrate", DAY);
  expect(body.groups.apple_health_kit[0].source.type).toBe("");
});

test("many long notes of one day are stored", { tags: "deep" }, async () => {
  const userId = await service.createUser("long notes");
  const note = Array.from({ length: 300 }, (_, minute) => ({ timestamp: at(minute), value: noise(2_900) }));
  await expectStoredOrRefused(userId, { note });
  const read: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof readGroupedPage>> = await readGroupedPage(service, userId, "note", {
      ...DAY,
      next_cursor: cursor,
    });
    read.push(...pageSamples(page).map(({ value }) => String(value)));
    cursor = page.body.next_cursor;
  }
  expect(read.length).toBe(note.length);
  expect(read.every((value, index) => value === note[index]?.value)).toBe(true);
});

test("notes of half an hour that exceed a chunk are refused by name, and other records are stored", async () => {
  const userId = await service.createUser("dense notes");
  const dense = Array.from({ length: 160 }, (_, index) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, 8, 0, index)).toISOString(),
    value: noise(3_000),
  }));
  const bad = { timestamp: "no time", value: "x" };
  const note = [bad, ...dense, { timestamp: at(0), value: "short" }];
  const sent = await sendBatch(service, userId, { note });
  await service.settle();
  const { body } = await service.call("GET", `/v2/ingest/${userId}/${sent.body.receipt_id}`);
  expect(body).toMatchObject({ status: "done", stored: 1 });
  expect(body.rejected).toHaveLength(161);
  expect(body.rejected[0]).toEqual(rejectionOf("note", 0, "timestamp", "bad_time"));
  expect(body.rejected[1]).toEqual(rejectionOf("note", 1, null, "too_dense"));
  const places = body.rejected
    .slice(1)
    .map(({ index, reason }: { index: number; reason: string }) => `${index} ${reason}`);
  expect(new Set(places)).toEqual(new Set(dense.map((_, index) => `${index + 1} too_dense`)));
});

test("a workout with a very long polyline is refused or stored", { tags: "deep" }, async () => {
  const userId = await service.createUser("long way");
  const workout = {
    provider_id: "w1",
    time_start: "2026-05-01T08:00:00Z",
    time_end: "2026-05-01T18:00:00Z",
    map: { polyline: noise(400_000) },
  };
  await expectStoredOrRefused(userId, { workouts: [workout] });
});

test("a workout with a provider id of maximum length in any script is stored", async () => {
  const userId = await service.createUser("long id");
  const workout = {
    provider_id: "走".repeat(256),
    time_start: "2026-05-01T08:00:00Z",
    time_end: "2026-05-01T09:00:00Z",
  };
  await expectStoredOrRefused(userId, { workouts: [workout] }, { source_type: "multiple_sources" });
});

test("a note with half a surrogate pair is stored, and unchanged when it is sent again", async () => {
  const userId = await service.createUser("half an emoji");
  const resources = { note: [{ timestamp: at(0), value: "half \ud83c" }] };
  expect(await expectStoredOrRefused(userId, resources)).toMatchObject({ stored: 1 });
  const { body } = await sendBatch(service, userId, resources);
  await service.settle();
  const receipt = await service.call("GET", `/v2/ingest/${userId}/${body.receipt_id}`);
  expect(receipt.body).toMatchObject({ unchanged: 1, updated: 0 });
});

test("a minute of a twelve-lead recording is stored", { tags: "deep" }, async () => {
  const userId = await service.createUser("twelve leads");
  const leads = ["I", "II", "III", "aVR", "aVL", "aVF", "V1", "V2", "V3", "V4", "V5", "V6"];
  for (const part of [0, 1, 2]) {
    const electrocardiogram_voltage = leads.flatMap((type, lead) =>
      Array.from({ length: 800 }, (_, index) => ({
        timestamp: new Date(Date.UTC(2026, 4, 1, 8, 0, part * 16, index * 20)).toISOString(),
        type,
        value: Math.round(Math.sin(index / 7 + lead) * 1_000) / 1_000,
      })),
    );
    await expectStoredOrRefused(userId, { electrocardiogram_voltage });
  }
});

test("no message moved to a dead-letter queue", async () => {
  await service.advance(24 * 60 * 60 * 1000);
  const { body } = await service.call("GET", "/_local/resources");
  const waiting = [...body.queues, ...body.dead_letters].filter(
    ({ visible, inFlight, delayed }) => visible + inFlight + delayed > 0,
  );
  expect(waiting).toEqual([]);
});
