import { expect, test } from "vitest";
import { RequestBuilder } from "../../../../lib/connectors/imports/sending/request-builder.ts";

test("a request takes no record that would exceed the service limit of 4 MiB, and one large record alone", () => {
  const builder = new RequestBuilder("apple_health_kit", { type: "watch", deviceId: null, appId: null });
  const content = { title: "é".repeat(1_000) };
  let records = 0;
  while (builder.add({ resource: "workouts", content })) records++;
  const { json } = builder.build({ isFinal: false });
  expect(records).toBeLessThan(3_000);
  expect(Buffer.byteLength(json)).toBeGreaterThan(4_000_000);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4 * 1_048_576);
  expect(JSON.parse(json).resources.workouts).toHaveLength(records);
  expect([builder.isEmpty, builder.isFull]).toEqual([true, false]);
  expect(builder.add({ resource: "workout_stream", content: { title: "x".repeat(5_000_000) } })).toBe(true);
});

test("a request names its device and app, if its source has them", () => {
  const about = (deviceId: string | null, appId: string | null) => {
    const builder = new RequestBuilder("apple_health_kit", { type: "phone", deviceId, appId });
    for (const value of [1, 2]) builder.add({ resource: "steps", content: { value } });
    const { json, records } = builder.build({ isFinal: true });
    expect(records).toBe(2);
    return JSON.parse(json);
  };
  const same = { provider: "apple_health_kit", source_type: "phone", stage: "historical", is_final: true };
  const resources = { steps: [{ value: 1 }, { value: 2 }] };
  expect(about(null, null)).toEqual({ ...same, resources });
  expect(about("iPhone", "Strava")).toEqual({ ...same, device: { id: "iPhone" }, app: { id: "Strava" }, resources });
});
