import { expect, test } from "vitest";
import { RequestBuilder } from "../../../../lib/connectors/apple-health-export/request-builder.ts";

test("a request is full before it reaches the service limit of 4 MiB", () => {
  const builder = new RequestBuilder("watch");
  const content = { title: "é".repeat(1_000) };
  let records = 0;
  while (!builder.isFull) builder.add({ resource: "workouts", sourceType: "watch", key: records++, content });
  const { json } = builder.build();
  expect(records).toBeLessThan(3_000);
  expect(Buffer.byteLength(json)).toBeGreaterThan(4_000_000);
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4 * 1_048_576);
  expect(JSON.parse(json).resources.workouts).toHaveLength(records);
  expect([builder.isEmpty, builder.isFull]).toEqual([true, false]);
});

test("a record replaces the earlier record of its resource and key", () => {
  const builder = new RequestBuilder("phone");
  const add = (resource: string, value: number) =>
    builder.add({ resource, sourceType: "phone", key: 1, content: { value } });
  expect([add("steps", 1), add("distance", 1), add("steps", 2), add("steps", 2)]).toEqual([
    "added",
    "added",
    "replaced",
    "same",
  ]);
  const { json, records } = builder.build();
  expect(JSON.parse(json).resources).toEqual({ steps: [{ value: 2 }], distance: [{ value: 1 }] });
  expect(records).toBe(2);
});
