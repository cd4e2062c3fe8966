import { expect, test } from "vitest";
import type { ExplainedSource, Explanation } from "../../../web/console/api/aggregate.ts";
import type { Source } from "../../../web/console/api/series.ts";
import { shortenSources } from "../../../web/console/views/why/shorten-sources.ts";

const explained = (source: Source): ExplainedSource => ({
  source,
  rows: 1,
  intervals: [],
  more_intervals: 0,
  values: {},
});
const explain = (...sources: readonly Source[]): Explanation => ({
  group: [],
  rule: "strict",
  used: sources.slice(0, 1).map(explained),
  set_aside: sources.slice(1).map(explained),
  in_words: "",
});
const watch = { provider: "apple_health_kit", type: "watch", device_id: "w-1", app_id: null };

test("a sentence names sources by provider and type, without ids of devices", () => {
  const phone = { provider: "apple_health_kit", type: "phone", device_id: "p-1", app_id: "com.example" };
  const sentence =
    "apple_health_kit (watch, device w-1) ranks above apple_health_kit (phone, device p-1, app com.example).";
  expect(shortenSources(sentence, explain(watch, phone))).toBe(
    "Apple HealthKit (watch) ranks above Apple HealthKit (phone).",
  );
});

test("two devices of one type keep their ids, and signs of replacements in an id stay as they are", () => {
  const other = { ...watch, device_id: "$& w-2" };
  const sentence = "apple_health_kit (watch, device w-1) ranks above apple_health_kit (watch, device $& w-2).";
  expect(shortenSources(sentence, explain(watch, other))).toBe(
    "Apple HealthKit (watch, w-1) ranks above Apple HealthKit (watch, $& w-2).",
  );
});
