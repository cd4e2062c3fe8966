import { globSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { INBOX_PATH } from "../../lib/local/inbox/inbox-routes.ts";
import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { exampleWorkout } from "../local/service/summaries/stream-examples.ts";
import { TestService } from "../support/service.ts";
import { unpack } from "./data-folder.ts";
import type { StoredData } from "./store-data.ts";

const DAYS = "start_date=2026-05-01&end_date=2026-05-02";
/** The packed data folders. Formats of a version, which stand beside them, are no data. */
const versions = globSync("versions/*.json.gz", { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith(".formats.json.gz"))
  .sort();

/**
 * Each start of a test service has its own ports, which links contain. The endpoint of the inbox moves to the new port,
 * which is a change of that endpoint.
 */
const atOneAddress = ({ status, body }: { status: number; body: unknown }) => ({
  status,
  body: JSON.parse(JSON.stringify(body).replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1"), withoutMove),
});

function withoutMove(_name: string, value: unknown): unknown {
  const isInbox = value instanceof Object && "url" in value && value.url === `http://127.0.0.1${INBOX_PATH}`;
  return isInbox ? { ...value, updated_at: null } : value;
}

test("the tests cover the data folders of at least four versions", () => {
  expect(versions.length).toBeGreaterThanOrEqual(4);
});

describe.each(versions)("after an upgrade from %s", (file) => {
  let service: TestService;
  let stored: StoredData;
  beforeAll(async () => {
    const directory = mkdtempSync(join(tmpdir(), "upgrade-"));
    stored = unpack(join(import.meta.dirname, file), directory);
    service = await TestService.start(directory);
  });
  afterAll(() => service.stop());

  const beats = async () => {
    const { status, body } = await service.call("GET", `/v2/timeseries/${stored.user_id}/heartrate?${DAYS}`);
    return { status, values: new Map(body.map((beat: { start: string; value: number }) => [beat.start, beat.value])) };
  };

  test("everything is read unchanged", { tags: "deep" }, async () => {
    for (const [path, body] of Object.entries(stored.main)) {
      expect(atOneAddress(await service.call("GET", path)), path).toMatchObject(atOneAddress({ status: 200, body }));
    }
    for (const [path, body] of Object.entries(stored.management)) {
      expect(atOneAddress(await service.manage("GET", path)), path).toMatchObject(atOneAddress({ status: 200, body }));
    }
  });

  test("samples are merged with the stored samples", async () => {
    const before = await beats();
    const timestamp = "2026-05-01T08:00:00+00:00";
    expect(before.values.has(timestamp)).toBe(true);
    const receipt = await ingestBatch(service, stored.user_id, {
      heartrate: [
        { timestamp, value: 99 },
        { timestamp: "2026-05-02T08:00:00+00:00", value: 98 },
      ],
    });
    expect(receipt).toMatchObject({ status: "done", rejected: [] });
    const changed = new Map([...before.values, [timestamp, 99], ["2026-05-02T08:00:00+00:00", 98]]);
    expect(await beats()).toEqual({ status: 200, values: changed });
  });

  test("a summary replaces the stored summary", async () => {
    const [kind, record] = ["workouts", exampleWorkout] as const;
    await ingestBatch(service, stored.user_id, { [kind]: [{ ...record, distance: 8_000 }] }, { source_type: "phone" });
    const { status, body } = await service.call("GET", `/v2/summary/workouts/${stored.user_id}?${DAYS}`);
    expect([status, body.workouts.map(({ distance }: { distance: number }) => distance)]).toEqual([
      200,
      expect.arrayContaining([8_000]),
    ]);
  });

  test("each new event is published once", async () => {
    await ingestBatch(service, stored.user_id, { glucose: [{ timestamp: "2026-05-02T09:00:00Z", value: 5.5 }] });
    const { body } = await service.call("GET", "/v2/events?limit=500");
    const types = body.events.map((event: { body: { event_type: string } }) => event.body.event_type);
    expect(types.filter((type: string) => type.includes("glucose"))).toEqual(["daily.data.glucose.created"]);
  });

  test("the console finds the user by the beginning of its client_user_id", async () => {
    const { status, body } = await service.call("GET", "/console/user_search?search=upgra");
    expect([status, body.users.map(({ user_id }: { user_id: string }) => user_id)]).toEqual([200, [stored.user_id]]);
  });

  test("the user is deleted", async () => {
    expect((await service.call("DELETE", `/v2/user/${stored.user_id}`)).status).toBe(200);
    expect((await service.call("GET", `/v2/user/${stored.user_id}`)).status).toBe(404);
  });
});
