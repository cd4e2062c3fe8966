import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { callInConsole, openConsole } from "./console-helpers.ts";

const MIDNIGHT_MS = Date.UTC(2026, 4, 1);
const HOUR_MS = 3_600_000;

let service: TestService;
let userId: string;
beforeAll(async () => {
  service = await TestService.start();
  userId = await service.createUser("plotted");
  const heartrate = [
    { timestamp: "2026-05-01T08:00:00Z", value: 60 },
    { timestamp: "2026-05-01T08:00:05Z", value: 90 },
    { timestamp: "2026-05-01T20:00:00Z", value: 50 },
  ];
  const cholesterol = [
    { timestamp: "2026-05-01T08:00:00Z", type: "ldl", value: 2.5, unit: "mmol/L" },
    { timestamp: "2026-05-01T08:00:00Z", type: "hdl", value: 1.5, unit: "mmol/L" },
  ];
  const blood_pressure = [{ timestamp: "2026-05-01T08:00:00Z", systolic: 120, diastolic: 80 }];
  await ingestBatch(service, userId, { heartrate, cholesterol, blood_pressure });
  const other = { provider: "fitbit", source_type: "watch", resources: { heartrate: heartrate.slice(0, 1) } };
  await service.call("POST", `/v2/ingest/${userId}`, { body: other });
  await service.settle();
});
afterAll(() => service.stop());

const series = (resource: string, query: string, id = userId) =>
  service.call("GET", `/console/users/${id}/series/${resource}?start_date=2026-05-01&end_date=2026-05-01${query}`);

describe("a series for a plot", () => {
  test("has minimum, maximum, mean and number for each interval of each source", async () => {
    const { status, body } = await series("heartrate", "&points=2");
    expect(status).toBe(200);
    const layers = body.layers.map(({ source, points }: { source: { provider: string }; points: unknown }) => [
      source.provider,
      points,
    ]);
    expect(Object.fromEntries(layers)).toEqual({
      apple_health_kit: [
        [MIDNIGHT_MS, 60, 90, 75, 2],
        [MIDNIGHT_MS + 20 * HOUR_MS, 50, 50, 50, 1],
      ],
      fitbit: [[MIDNIGHT_MS + 8 * HOUR_MS, 60, 60, 60, 1]],
    });
    expect(body).toMatchObject({ unit: "bpm", width_ms: 43_200_000, reduced_from: 4, next_cursor: null });
    expect(body.chunks_read).toBe(3);
  });

  test("separates the kinds of a sample, and the numbers of a measurement", async () => {
    const kinds = (await series("cholesterol", "")).body.layers;
    expect(kinds.map(({ type, points }: { type: string; points: number[][] }) => [type, points[0]?.[1]])).toEqual([
      ["hdl", 1.5],
      ["ldl", 2.5],
    ]);
    const numbers = (await series("blood_pressure", "")).body.layers;
    expect(numbers.map(({ field, points }: { field: string; points: number[][] }) => [field, points[0]?.[1]])).toEqual([
      ["systolic", 120],
      ["diastolic", 80],
    ]);
  });

  test("is read by support in the console, and not by a reader", async () => {
    const path = `/console/users/${userId}/series/heartrate?start_date=2026-05-01`;
    const statusFor = async (role: string) => {
      const held = await openConsole(service, { key: service.identity.api_key, role });
      return (await callInConsole(service, held, "GET", path)).status;
    };
    expect([await statusFor("support"), await statusFor("reader")]).toEqual([200, 403]);
  });

  test("of another team's user, of text, or with an invalid query is refused", async () => {
    const { key } = await service.createTeam("Beside");
    const path = `/console/users/${userId}/series/heartrate?start_date=2026-05-01`;
    expect((await service.call("GET", path, { key })).status).toBe(404);
    expect((await series("heartrate", "", crypto.randomUUID())).status).toBe(404);
    expect((await series("note", "")).status).toBe(422);
    for (const query of ["&points=0", "&points=2001", "&points=x", "&provider=nobody", "&next_cursor=x"])
      expect([query, (await series("heartrate", query)).status]).toEqual([query, 422]);
    const backwards = `/console/users/${userId}/series/heartrate?start_date=2026-05-02&end_date=2026-05-01`;
    expect((await service.call("GET", backwards)).status).toBe(422);
  });
});
