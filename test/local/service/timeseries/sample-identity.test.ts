import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { timeseriesResources } from "../../../../lib/domain/timeseries/resources.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";
import { expectedRecord, plausibleRecord } from "./plausible-record.ts";

const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("every timeseries resource is read back unchanged", { tags: "deep" }, async () => {
  const userId = await service.createUser("every resource");
  const resources = Object.fromEntries(timeseriesResources.map((one) => [one.name, [plausibleRecord(one)]]));
  const receipt = await ingestBatch(service, userId, resources);
  expect(receipt).toMatchObject({ status: "done", stored: timeseriesResources.length, rejected: [] });
  const wrong: unknown[] = [];
  for (const resource of timeseriesResources) {
    const page = await readGroupedPage(service, userId, resource.name, DAY);
    const plain = await service.call("GET", `/v2/timeseries/${userId}/${resource.name}?start_date=2026-05-01`);
    const expected = [expectedRecord(resource)];
    if (page.status !== 200 || !isDeepStrictEqual(pageSamples(page), expected)) wrong.push([resource.name, page.body]);
    if (resource.plain && !isDeepStrictEqual(plain.body, expected)) wrong.push([resource.name, plain.body]);
  }
  expect(wrong).toEqual([]);
});

test("the last value of a key in a batch wins, and sources are independent [events-20]", async () => {
  const userId = await service.createUser("keys");
  const at = "2026-05-01T08:00:00Z";
  const twice = { heartrate: [{ timestamp: at, value: 60 }, { timestamp: at, value: 70 }] }; // biome-ignore format: one key twice
  expect(await ingestBatch(service, userId, twice)).toMatchObject({ stored: 1, updated: 0 });
  const phone = { heartrate: [{ timestamp: at, value: 80 }] };
  expect(await ingestBatch(service, userId, phone, { source_type: "phone" })).toMatchObject({ stored: 1, updated: 0 });
  expect(await ingestBatch(service, userId, phone, { provider: "oura" })).toMatchObject({ stored: 1, updated: 0 });
  const page = await readGroupedPage(service, userId, "heartrate", DAY);
  const kinds = Object.values<{ source: { provider: string; type: string }; data: { value: number }[] }[]>(
    page.body.groups,
  ).flat();
  expect(kinds.map(({ source, data }) => [source.provider, source.type, data.map(({ value }) => value)])).toEqual([
    ["apple_health_kit", "phone", [80]],
    ["apple_health_kit", "watch", [70]],
    ["oura", "watch", [80]],
  ]);
});
