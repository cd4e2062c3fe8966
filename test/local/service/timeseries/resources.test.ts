import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cholesterolTypes, getResource } from "../../../../lib/domain/timeseries/resources.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";
import { type PublishedTimeseries, publishedTimeseries } from "./published-timeseries.ts";
import { type SchemaRecord, schemaRecords } from "./schema-records.ts";

const DAY = { start_date: "2026-05-01", end_date: "2026-05-01" };
const RECORDS = 8;
const SEED = 20_260_501;

/** Creates records of a resource five minutes apart, oldest first. */
function recordsOf({ name, kind }: PublishedTimeseries): SchemaRecord[] {
  const resource = getResource(name as Parameters<typeof getResource>[0]);
  return fc.sample(schemaRecords(resource), { numRuns: RECORDS, seed: SEED }).map((record, index) => {
    const [start, end] = [index, index + 1].map((step) => `2026-05-01T08:${String(step * 5).padStart(2, "0")}:00`);
    const times = kind === "interval" ? { start: `${start}Z`, end: `${end}Z` } : { timestamp: `${start}Z` };
    return { ...record, ...times };
  });
}

/** Returns the expected sample of a record: common fields, the published unit, and every field of the resource. */
function answeredFor({ name, unit, kind }: PublishedTimeseries, record: SchemaRecord) {
  const { timestamp, start = timestamp, end = start, timezone_offset = null, type = null, value, ...given } = record;
  const { fields } = getResource(name as Parameters<typeof getResource>[0]);
  const own = Object.fromEntries(fields.map((rule) => [rule.name, given[rule.name] ?? null]));
  const [from, until] = [start, kind === "interval" ? end : start].map((at) => String(at).replace("Z", "+00:00"));
  const common = { id: null, timezone_offset, type, unit, timestamp: from, start: from, end: until };
  return { ...common, ...own, ...(name === "blood_pressure" ? {} : { value }) };
}

const records = new Map(publishedTimeseries.map((published) => [published.name, recordsOf(published)]));

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("every timeseries");
  const receipt = await ingestBatch(service, userId, Object.fromEntries(records));
  expect(receipt).toMatchObject({ stored: publishedTimeseries.length * RECORDS, rejected: [] });
});
afterAll(() => service.stop());

const plain = (path: string, query = "start_date=2026-05-01&end_date=2026-05-01") =>
  service.call("GET", `/v2/timeseries/${userId}/${path}?${query}`);

test("51 timeseries have a grouped form, 23 of them a plain form too, besides four kinds of cholesterol", () => {
  expect([publishedTimeseries.length, publishedTimeseries.filter(({ isPlain }) => isPlain).length]).toEqual([51, 23]);
});

test.each(publishedTimeseries)(
  "$name is returned in $unit as $kind, with every field unchanged",
  { tags: "deep" },
  async (published) => {
    const expected = records.get(published.name)?.map((record) => answeredFor(published, record));
    const page = await readGroupedPage(service, userId, published.name, DAY);
    expect(pageSamples(page)).toEqual(expected);
    const [[provider, groups] = []] = Object.entries<{ source: object }[]>(page.body.groups);
    expect([provider, groups?.length, groups?.[0]?.source]).toEqual([
      "apple_health_kit",
      1,
      expect.objectContaining({ provider: "apple_health_kit", type: "watch" }),
    ]);
    const { status, body } = await plain(published.name);
    if (published.isPlain) expect(body).toEqual(expected);
    else expect([status, body.code]).toEqual([422, "validation_failed"]);
  },
);

test.each(cholesterolTypes)("the plain path of %s cholesterol returns that kind alone", async (kind) => {
  const samples = pageSamples(await readGroupedPage(service, userId, "cholesterol", DAY));
  const { status, body } = await plain(`cholesterol/${kind}`);
  expect([status, body]).toEqual([200, samples.filter((sample) => "type" in sample && sample.type === kind)]);
});

test.each([
  ["start_date=2026-05-01T08:05:00Z&end_date=2026-05-01T08:10:00Z", ["08:05", "08:10"]],
  ["start_date=2026-05-01T10:05:00%2B02:00&end_date=2026-05-01T10:05:00%2B02:00", ["08:05"]],
  ["start_date=2026-05-01T08:30:00", ["08:30", "08:35"]],
  ["start_date=2026-05-01T08:30:00Z&end_date=2026-05-01", ["08:30", "08:35"]],
  ["start_date=2026-05-02", []],
  ["start_date=2026-05-01&provider=oura", []],
])("the plain form reads the range %s like the grouped form", async (query, expected) => {
  const { body } = await plain("glucose", query);
  expect(body.map(({ timestamp }: { timestamp: string }) => timestamp.slice(11, 16))).toEqual(expected);
  const page = await service.call("GET", `/v2/timeseries/${userId}/glucose/grouped?${query}`);
  expect(pageSamples(page)).toEqual(body);
});
