import { expect, test } from "vitest";
import { connectorSlugs, findConnector } from "../../../lib/connectors/connectors.ts";

/** Days of a historical pull by default, as the reference documents them. */
const DAYS: Readonly<Record<string, number>> = {
  cronometer: 28,
  dexcom_v3: 30,
  fitbit: 90,
  garmin: 90,
  hammerhead_v2: 30,
  oura: 180,
  polar: 28,
  strava: 14,
  wahoo: 180,
  whoop_v2: 180,
  withings: 90,
};

test.each(Object.entries(DAYS))("a historical pull of %s covers %d days by default", async (slug, days) => {
  expect(connectorSlugs).toContain(slug);
  expect((await findConnector(slug))?.historyDays).toBe(days);
});
