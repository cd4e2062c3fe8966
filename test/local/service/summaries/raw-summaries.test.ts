import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sourceId } from "../../../../lib/domain/connections/providers/providers.ts";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { summaryExamples } from "./summary-examples.ts";

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("raw");
  const records = Object.entries(summaryExamples).map(([kind, { record }]) => [kind, [record]]);
  await ingestBatch(service, userId, Object.fromEntries(records), { device: { id: "watch-1" } });
});
afterAll(() => service.stop());

const read = (path: string, query = "", user = userId) =>
  service.call("GET", `/v2/summary/${path.replace(/\/|$/, (slash) => `/${user}${slash}`)}?${query}`);
const DAY = "start_date=2026-05-01&end_date=2026-05-01";

const source = { name: "Apple HealthKit", slug: "apple_health_kit", logo: expect.stringContaining("apple_health_kit") };
const number = sourceId("apple_health_kit");
const numbers = { source_id: number, priority_id: number };
const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

describe.each([
  { kind: "activity", timestamp: "2026-05-01T00:00:00+00:00", provider_id: uuid },
  { kind: "body", timestamp: "2026-05-01T00:00:00+00:00", provider_id: uuid },
  { kind: "sleep", timestamp: "2026-04-30T21:00:00+00:00", provider_id: "night-1" },
  { kind: "workouts", timestamp: "2026-05-01T06:00:00+00:00", provider_id: "run-1" },
] as const)("raw $kind", ({ kind, timestamp, provider_id }) => {
  test("equals the record of its source, with its origin", async () => {
    const [summary] = (await read(kind, DAY)).body[kind];
    const { body, status } = await read(`${kind}/raw`, DAY);
    expect([status, Object.keys(body)]).toEqual([200, [kind]]);
    const [raw, ...others] = body[kind];
    expect(others).toEqual([]);
    const { provider_id: ofSleep, ...given } = summaryExamples[kind].record;
    expect(raw).toMatchObject({ ...numbers, timestamp, provider_id, source, source_device_id: "watch-1" });
    expect(raw.data).toMatchObject(kind === "sleep" ? given : summaryExamples[kind].record);
    const { id, user_id, created_at, updated_at } = summary;
    expect(raw).toMatchObject({ id, user_id, created_at, updated_at });
    expect([raw.sport_id, raw.sport]).toEqual(
      kind === "workouts" ? [1, summaryExamples.workouts.record.sport] : [undefined, undefined],
    );
  });

  test("is selected by day and provider", async () => {
    expect((await read(`${kind}/raw`, "start_date=2026-05-02")).body[kind]).toEqual([]);
    expect((await read(`${kind}/raw`, `${DAY}&provider=garmin`)).body[kind]).toEqual([]);
    expect((await read(`${kind}/raw`, "start_date=never")).status).toBe(422);
    expect((await read(`${kind}/raw`, `${DAY}&provider=nobody`)).status).toBe(422);
  });
});

test.each(["meal/raw", "menstrual_cycle/raw", "nothing/raw"])("the path %s does not exist", async (path) => {
  expect((await read(path, DAY)).status).toBe(422);
});

describe("a profile", () => {
  test("is returned without a list, and in raw form with its origin", async () => {
    const { record } = summaryExamples.profile;
    const profile = (await read("profile")).body;
    expect(profile).toMatchObject({ ...record, id: uuid, user_id: userId, source: { type: "watch" } });
    const raw = (await read("profile/raw")).body;
    expect(raw).toEqual({ profile: expect.objectContaining({ ...numbers, data: record, source, id: profile.id }) });
  });

  test("is the latest change, or that of a named provider", async () => {
    const user = await service.createUser("profiles");
    const { record, change } = summaryExamples.profile;
    await ingestBatch(service, user, { profile: [record] });
    await ingestBatch(service, user, { profile: [{ height: 180 }] }, { provider: "garmin" });
    const height = async (query = "") => (await read("profile", query, user)).body.height;
    expect([await height(), await height("provider=apple_health_kit")]).toEqual([180, 178]);
    await ingestBatch(service, user, { profile: [{ ...record, ...change }] });
    expect([await height(), await height("provider=garmin")]).toEqual([179, 180]);
    expect((await read("profile/raw", "provider=garmin", user)).body.profile.data).toMatchObject({ height: 180 });
  });

  test("sends a created event, then an updated event", async () => {
    const user = await service.createUser("profile events");
    const { record, change } = summaryExamples.profile;
    for (const profile of [record, record, { ...record, ...change }])
      await ingestBatch(service, user, { profile: [profile] });
    const events = (await service.inbox()).filter(({ body }) => body.user_id === user).map(({ body }) => body);
    expect(events).toMatchObject([
      { event_type: "daily.data.profile.created", data: record },
      { event_type: "daily.data.profile.updated", data: (await read("profile", "", user)).body },
    ]);
  });

  test("that no provider sent is 404", async () => {
    const user = await service.createUser("nobody's profile");
    for (const path of ["profile", "profile/raw"]) {
      expect(await read(path, "", user)).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect(await read(path, "provider=garmin")).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  });
});

describe("devices", () => {
  const other = { device_id: "scale-1", device_manufacturer: "Acme" };

  test("are returned in raw form, latest change first, and send events of their own types", async () => {
    const user = await service.createUser("devices");
    const { record, change } = summaryExamples.devices;
    expect(await ingestBatch(service, user, { devices: [record] })).toMatchObject({
      stored: 1,
      event_ids: [expect.any(String)],
    });
    await ingestBatch(
      service,
      user,
      { devices: [other] },
      { provider: "garmin", source_type: "scale", stage: "historical" },
    );
    const changed = await ingestBatch(service, user, { devices: [{ ...record, ...change }] });
    expect(changed).toMatchObject({ updated: 1, event_ids: [expect.any(String)] });
    const { devices } = (await read("devices/raw", "", user)).body;
    expect(devices).toMatchObject([
      { data: { ...record, ...change }, provider_id: "watch-1", source_id: number, user_id: user, id: uuid, source },
      { data: other, provider_id: "scale-1", source_id: sourceId("garmin"), source: { slug: "garmin" } },
    ]);
    expect((await read("devices/raw", "provider=garmin", user)).body.devices).toHaveLength(1);
    const events = (await service.inbox()).filter(({ body }) => body.user_id === user);
    expect(events.map(({ body }) => body.event_type)).toEqual([
      "provider.device.created",
      "provider.device.created",
      "provider.device.updated",
    ]);
  });

  test("are an empty list for a user without devices", async () => {
    expect((await read("devices/raw", "", await service.createUser("no devices"))).body).toEqual({ devices: [] });
  });
});

test.each(["profile", "profile/raw", "devices/raw", "activity/raw", "meal", "electrocardiogram"])(
  "%s of an unknown user is 404",
  async (path) => {
    const query = /profile|devices/.test(path) ? "" : DAY;
    expect(await read(path, query, randomUUID())).toMatchObject({ status: 404, body: { code: "user_not_found" } });
  },
);
