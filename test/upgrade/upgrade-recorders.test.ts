import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { TestService } from "../support/service.ts";
import { unpack } from "./data-folder.ts";
import { type StoredData, watchBatch } from "./store-data.ts";

/** The last version that stored the samples of all devices of a source as one. */
const VERSION = "e479cc4";
const DAYS = "start_date=2026-05-01&end_date=2026-05-02";
const SENT = watchBatch.resources.heartrate;

let service: TestService;
let stored: StoredData;
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), "upgrade-"));
  stored = unpack(join(import.meta.dirname, `versions/${VERSION}.json.gz`), directory);
  service = await TestService.start(directory);
});
afterAll(() => service.stop());

const path = () => `/v2/timeseries/${stored.user_id}/heartrate/grouped?${DAYS}`;
const withoutAddress = (body: unknown) => JSON.parse(JSON.stringify(body).replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1"));
const readPage = async () => withoutAddress((await service.call("GET", path())).body);

/** The values of the evening by device and time. */
async function evening(): Promise<Record<string, number>> {
  const { groups } = await readPage();
  const values: [string, number][] = [];
  for (const { source, data } of groups.apple_health_kit)
    for (const { start, value } of data)
      if (start >= "2026-05-01T20") values.push([`${source.device_id} ${start.slice(11, 19)}`, value]);
  return Object.fromEntries(values);
}
const timeOf = (place: number) => SENT[place]?.timestamp.slice(11, 19) ?? "";

test("the samples of a watch are read as its version returned them", async () => {
  expect(await readPage()).toEqual(withoutAddress(stored.main[path()]));
  expect(Object.keys(await evening())).toEqual(SENT.map((_, place) => `null ${timeOf(place)}`));
});

test.each(["daily", "historical"] as const)("the same batch as %s data changes nothing", async (stage) => {
  const before = await readPage();
  const receipt = await ingestBatch(service, stored.user_id, watchBatch.resources, { ...watchBatch.about, stage });
  expect(receipt).toMatchObject({ status: "done", stored: 0, updated: 0, unchanged: SENT.length, rejected: [] });
  expect(await readPage()).toEqual(before);
});

test("a correction and a deletion change one sample each", async () => {
  const before = await evening();
  const [first, second] = SENT;
  const corrected = { heartrate: [{ ...first, value: 199 }] };
  expect(await ingestBatch(service, stored.user_id, corrected, watchBatch.about)).toMatchObject({
    stored: 0,
    updated: 1,
  });
  await deleteSample(second?.timestamp ?? "");
  const expected: Record<string, number> = { ...before, [`null ${timeOf(0)}`]: 199 };
  delete expected[`null ${timeOf(1)}`];
  expect(await evening()).toEqual(expected);
});

async function deleteSample(timestamp: string): Promise<void> {
  const { body } = await service.call("POST", `/v2/user/${stored.user_id}/sign_in_token`);
  const signIn = { key: null, body: { sign_in_token: body.sign_in_token } };
  const { body: session } = await service.call("POST", "/v2/sdk/session", signIn);
  const about = { provider: "apple_health_kit", source_type: "watch", ...watchBatch.about, sync_id: "s", part: 0 };
  const { status } = await service.call("POST", "/v2/sdk/sync", {
    key: null,
    headers: { authorization: `Bearer ${session.access_token}` },
    body: { ...about, resources: {}, deleted: { heartrate: [{ timestamp }] } },
  });
  expect(status).toBe(202);
  await service.settle();
}

test("new samples of two devices at the same instants are two, in old and in new time buckets", async () => {
  const before = await evening();
  const instants = ["20:00:15", "20:00:45", "22:00:00"];
  for (const [index, id] of ["watch-1", "watch-2"].entries()) {
    const heartrate = instants.map((time) => ({ timestamp: `2026-05-01T${time}Z`, value: 100 + index }));
    const receipt = await ingestBatch(service, stored.user_id, { heartrate }, { device: { id } });
    expect(receipt).toMatchObject({ stored: 3, updated: 0, unchanged: 0 });
  }
  const own = ["watch-1", "watch-2"].flatMap((id, index) => instants.map((time) => [`${id} ${time}`, 100 + index]));
  expect(await evening()).toEqual({ ...before, ...Object.fromEntries(own) });
});
