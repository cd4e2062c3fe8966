import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const times = async (userId: string, query: string) => {
  const page = await service.call("GET", `/v2/timeseries/${userId}/heartrate/grouped?${query}`);
  return pageSamples(page).map(({ timestamp }) => timestamp.replace("+00:00", ""));
};
const rateAt = (timestamp: string) => ({ timestamp, value: 60 });

/** Creates a user with heart rates around the 1st and 2nd of May. */
async function userAroundMidnight(name: string): Promise<string> {
  const userId = await service.createUser(name);
  const instants = ["04-30T23:59:59", "05-01T00:00:00", "05-01T23:59:59.900", "05-02T00:00:00", "05-02T12:00:00"];
  await ingestBatch(service, userId, { heartrate: instants.map((at) => rateAt(`2026-${at}Z`)) });
  return userId;
}

test("a date is its first second as a start and its last second as an end [timeseries-04] [timeseries-05] [timeseries-06]", async () => {
  const userId = await userAroundMidnight("dates");
  expect(await times(userId, "start_date=2026-05-01&end_date=2026-05-01")).toEqual([
    "2026-05-01T00:00:00",
    "2026-05-01T23:59:59.900",
  ]);
  expect(await times(userId, "start_date=2026-05-02")).toEqual(["2026-05-02T00:00:00", "2026-05-02T12:00:00"]);
});

test.each([
  ["start_date=2026-05-02T00:00:00Z&end_date=2026-05-02T00:00:00Z", ["2026-05-02T00:00:00"]],
  ["start_date=2026-05-02T02:00:00%2B02:00&end_date=2026-05-02T12:00:00%2B02:00", ["2026-05-02T00:00:00"]],
  ["start_date=2026-05-02T02:00:00+02:00&end_date=2026-05-02T12:00:00+02:00", ["2026-05-02T00:00:00"]],
  ["start_date=2026-05-01T19:00:00-05:00&end_date=2026-05-01T20:00:00-05:00", ["2026-05-02T00:00:00"]],
  ["start_date=2026-05-02T00:00:00&end_date=2026-05-02T00:00:01.5", ["2026-05-02T00:00:00"]],
])("the range %s is readable [timeseries-03]", async (query, expected) => {
  const userId = await userAroundMidnight(query);
  expect(await times(userId, query)).toEqual(expected);
});

test.each([
  ["end_date=2026-05-01", "start_date"],
  ["start_date=", "start_date"],
  ["start_date=2026-02-30", "start_date"],
  ["start_date=tomorrow", "start_date"],
  ["start_date=2026-05-01&end_date=1.5.2026", "end_date"],
  ["start_date=2026-05-01&provider=nobody", "provider"],
])("the query %s is refused [timeseries-02]", async (query, name) => {
  const userId = await service.createUser(`refused ${query}`);
  const { status, body } = await service.call("GET", `/v2/timeseries/${userId}/steps/grouped?${query}`);
  expect([status, body.code, body.detail[0].loc]).toEqual([422, "validation_failed", ["query", name]]);
});

test.each(["grouped", "plain"])("a range that ends before it starts is empty (%s)", async (form) => {
  const userId = await userAroundMidnight(`backwards ${form}`);
  const suffix = form === "grouped" ? "/grouped" : "";
  const query = "start_date=2026-05-02&end_date=2026-04-01";
  const { status } = await service.call("GET", `/v2/timeseries/${userId}/heartrate${suffix}?${query}`);
  expect([200, 422]).toContain(status);
});

test("the provider filter selects one provider, and an empty filter selects all [timeseries-07]", async () => {
  const userId = await service.createUser("filter");
  const resources = { heartrate: [rateAt("2026-05-01T08:00:00Z")] };
  await ingestBatch(service, userId, resources);
  await ingestBatch(service, userId, resources, { provider: "oura", source_type: "ring" });
  const groups = async (provider: string) =>
    Object.keys(
      (await readGroupedPage(service, userId, "heartrate", { start_date: "2026-05-01", provider })).body.groups,
    );
  expect(await groups("oura")).toEqual(["oura"]);
  expect(await groups("garmin")).toEqual([]);
  expect((await groups("")).sort()).toEqual(["apple_health_kit", "oura"]);
  const plain = await service.call("GET", `/v2/timeseries/${userId}/heartrate?start_date=2026-05-01&provider=oura`);
  expect(plain.body).toHaveLength(1);
});

test("a resource without data has no groups and no cursor", async () => {
  const userId = await service.createUser("empty");
  const { body } = await readGroupedPage(service, userId, "glucose", { start_date: "2026-05-01" });
  expect(body).toEqual({ groups: {}, next_cursor: null, next: null });
});

test("an unknown resource is refused with 422, as is a missing plain form", async () => {
  const userId = await service.createUser("unknown resource");
  const { status, body } = await readGroupedPage(service, userId, "moods", { start_date: "2026-05-01" });
  expect([status, body.detail[0].loc]).toEqual([422, ["path", "resource"]]);
  const plain = await service.call("GET", `/v2/timeseries/${userId}/carbohydrates?start_date=2026-05-01`);
  expect(plain.status).toBe(422);
});

test("25,000 samples are read in two pages, each sample once and in order [timeseries-09] [timeseries-10] [versioning-05] [versioning-06]", async () => {
  const userId = await service.createUser("pages");
  const rates = createHeartRates("2026-05-01T00:00:00Z", 25_000, 3_000);
  for (const from of [0, 10_000, 20_000]) {
    expect(await ingestBatch(service, userId, { heartrate: rates.slice(from, from + 10_000) })).toMatchObject({
      updated: 0,
    });
  }
  const query = { start_date: "2026-05-01", end_date: "2026-05-02" };
  const first = await readGroupedPage(service, userId, "heartrate", query);
  expect(first.body.next_cursor).toEqual(expect.any(String));
  expect(first.body.next).toBe(first.body.next_cursor);
  const second = await readGroupedPage(service, userId, "heartrate", { ...query, next_cursor: first.body.next_cursor });
  expect(second.body).toMatchObject({ next_cursor: null, next: null });
  const old = await readGroupedPage(service, userId, "heartrate", { ...query, cursor: first.body.next });
  expect(old.body).toEqual(second.body);
  expect(pageSamples(first)).toHaveLength(20_000);
  const read = [...pageSamples(first), ...pageSamples(second)].map(({ timestamp, value }) => [
    Date.parse(timestamp),
    value,
  ]);
  expect(read).toEqual(rates.map(({ timestamp, value }) => [Date.parse(timestamp), value]));
  await expectBound(userId, query, first.body.next_cursor);
  const plain = await service.call("GET", `/v2/timeseries/${userId}/heartrate?start_date=2026-05-01`);
  expect([plain.status, plain.body.code]).toEqual([422, "validation_failed"]);
});

/** Expects that an altered cursor is refused, as is a cursor with other parameters or for another user. */
async function expectBound(userId: string, query: { start_date: string; end_date: string }, cursor: string) {
  const other = await service.createUser("other reader");
  const altered = `${cursor.slice(0, -2)}${cursor.endsWith("A") ? "B" : "A"}${cursor.at(-1)}`;
  const refused = [
    await readGroupedPage(service, userId, "heartrate", { ...query, next_cursor: altered }),
    await readGroupedPage(service, userId, "heartrate", { ...query, next_cursor: "made up" }),
    await readGroupedPage(service, userId, "heartrate", { ...query, end_date: "2026-05-03", next_cursor: cursor }),
    await readGroupedPage(service, userId, "heartrate", { ...query, provider: "oura", next_cursor: cursor }),
    await readGroupedPage(service, userId, "glucose", { ...query, next_cursor: cursor }),
    await readGroupedPage(service, other, "heartrate", { ...query, next_cursor: cursor }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422]);
  expect(refused[0]?.body.detail).toEqual([
    { loc: ["query", "next_cursor"], msg: expect.any(String), type: "value_error" },
  ]);
}

test("a full last page has no cursor [timeseries-12]", async () => {
  const userId = await service.createUser("one page");
  const rates = createHeartRates("2026-05-01T00:00:00Z", 20_000, 3_000);
  await ingestBatch(service, userId, { heartrate: rates.slice(0, 10_000) });
  await ingestBatch(service, userId, { heartrate: rates.slice(10_000) });
  const page = await readGroupedPage(service, userId, "heartrate", { start_date: "2026-05-01" });
  expect([pageSamples(page).length, page.body.next_cursor]).toEqual([20_000, null]);
});

test("pages stay below the response limit, however long the samples are", { tags: "deep" }, async () => {
  const userId = await service.createUser("long notes");
  const note = (day: number) =>
    Array.from({ length: 900 }, (_, index) => ({
      timestamp: new Date(Date.UTC(2026, 0, day, 0, index)).toISOString(),
      value: `${index} ${"long ".repeat(800)}`,
    }));
  for (const day of [1, 40]) await ingestBatch(service, userId, { note: note(day) });
  const values: unknown[] = [];
  let next_cursor = "";
  do {
    const page = await readGroupedPage(service, userId, "note", { start_date: "2026-01-01", next_cursor });
    expect(page.status).toBe(200);
    expect(JSON.stringify(page.body).length).toBeLessThan(4_500_000);
    values.push(...pageSamples(page).map(({ value }) => value));
    next_cursor = page.body.next_cursor;
  } while (next_cursor);
  expect(values).toHaveLength(1_800);
  expect(new Set(values).size).toBe(900);
});

test("the plain form lists the samples of all sources by time", { tags: "deep" }, async () => {
  const userId = await service.createUser("plain");
  const at = (minute: string) => rateAt(`2026-05-01T08:${minute}:00Z`);
  await ingestBatch(service, userId, { heartrate: [at("00"), at("20")] });
  await ingestBatch(service, userId, { heartrate: [at("10")] }, { provider: "oura" });
  const { body } = await service.call("GET", `/v2/timeseries/${userId}/heartrate?start_date=2026-05-01`);
  expect(body.map(({ timestamp }: { timestamp: string }) => timestamp.slice(14, 16))).toEqual(["00", "10", "20"]);
});

test("kinds of cholesterol at one instant stay distinct", async () => {
  const userId = await service.createUser("cholesterol");
  const timestamp = "2026-05-01T08:00:00Z";
  const kinds = { ldl: 2.6, hdl: 1.4, total: 4.5, triglycerides: 1.1 };
  const cholesterol = Object.entries(kinds).map(([type, value]) => ({ timestamp, type, value }));
  expect(await ingestBatch(service, userId, { cholesterol })).toMatchObject({ stored: 4 });
  const path = `/v2/timeseries/${userId}/cholesterol`;
  for (const [type, value] of Object.entries(kinds)) {
    const { body } = await service.call("GET", `${path}/${type}?start_date=2026-05-01`);
    expect(body).toMatchObject([{ type, value, unit: "mmol/L" }]);
  }
  expect((await service.call("GET", `${path}/vldl?start_date=2026-05-01`)).status).toBe(422);
  expect(pageSamples(await readGroupedPage(service, userId, "cholesterol", { start_date: "2026-05-01" }))).toHaveLength(
    4,
  );
  expect(await ingestBatch(service, userId, { cholesterol: [{ timestamp, type: "hdl", value: 1.5 }] })).toMatchObject({
    updated: 1,
    stored: 0,
  });
});
