import { describe, expect, test } from "vitest";
import { providerScopes, scopedProviders } from "../../../../lib/domain/connections/providers/provider-scopes.ts";
import { activity } from "../../../../lib/domain/summaries/activity.ts";
import { body } from "../../../../lib/domain/summaries/body.ts";
import { meal } from "../../../../lib/domain/summaries/meal.ts";
import { profile } from "../../../../lib/domain/summaries/profile.ts";
import { sleep } from "../../../../lib/domain/summaries/sleep.ts";
import { workouts } from "../../../../lib/domain/summaries/workouts.ts";
import { findResource } from "../../../../lib/domain/timeseries/resources.ts";
import { startSimulatedProviders } from "./simulated-providers.ts";

const kinds = { activity, body, meal, profile, sleep, workouts };
const streams = ["workout_stream"];
const [fromMs, untilMs] = [Date.UTC(2026, 2, 20), Date.UTC(2026, 3, 5)];
const { server } = startSimulatedProviders();

describe.each(server.slugs)("the expected records of %s", (slug) => {
  const truth = server.provider(slug).expectedRecords("ada", fromMs, untilMs);

  test("use the names and valid values of the unified model", () => {
    for (const [name, kind] of Object.entries(kinds)) {
      for (const record of truth[name] ?? []) {
        expect(Object.keys(kind.ingest.shape), name).toEqual(expect.arrayContaining(Object.keys(record)));
        expect(kind.ingest.safeParse(record).error, name).toBeUndefined();
      }
    }
    for (const [name, records] of Object.entries(truth)) {
      if (name in kinds || streams.includes(name)) continue;
      expect(findResource(name), name).toBeDefined();
      expect(records.length, name).toBeGreaterThan(0);
    }
  });

  test("are the same each time and differ between persons", { tags: "deep" }, () => {
    const again = startSimulatedProviders().server.provider(slug);
    expect(again.expectedRecords("ada", fromMs, untilMs)).toEqual(truth);
    expect(again.expectedRecords("bert", fromMs, untilMs)).not.toEqual(truth);
  });
});

test("the nights of one person agree between two providers, also across a clock change", () => {
  const nightsOf = (slug: string) =>
    server
      .provider(slug)
      .expectedRecords("ada", fromMs, untilMs)
      .sleep?.map(({ bedtime_start, deep }) => [bedtime_start, deep]);
  expect(nightsOf("oura")).toEqual(nightsOf("garmin"));
  const offsets = server
    .provider("oura")
    .expectedRecords("ada", fromMs, untilMs)
    .sleep?.map((night) => night.timezone_offset);
  expect(new Set(offsets)).toEqual(new Set([3_600, 7_200]));
});

test("the provider knows every scope that a team may select", () => {
  for (const slug of scopedProviders) {
    if (!server.slugs.includes(slug)) continue;
    expect(server.provider(slug).definition.oauth.scopes, slug).toEqual(
      expect.arrayContaining([...providerScopes[slug]]),
    );
  }
});
