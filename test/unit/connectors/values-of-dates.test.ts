import { expect, test } from "vitest";
import { toMeal } from "../../../lib/connectors/cronometer/cronometer.ts";
import { toVo2Max } from "../../../lib/connectors/garmin/map-days.ts";
import { FitbitAccount } from "../../../lib/connectors/imports/fitbit/fitbit-account.ts";
import { toWellness } from "../../../lib/connectors/intervals-icu/map-wellness.ts";
import { toBloodOxygen } from "../../../lib/connectors/oura/map-days.ts";
import { toRingRecords } from "../../../lib/connectors/ultrahuman/map.ts";
import { parseInstant } from "../../../lib/domain/shared/instant.ts";
import { dayToDate, localDayConverter } from "../../../lib/domain/shared/local-day.ts";

const DATE = "2026-05-18";
const ZONES = ["America/Los_Angeles", "Pacific/Auckland"];

/** The local dates of a sample, for users of zones far in the west and far in the east. */
const datesOf = ({ timestamp, timezone_offset: offset }: Record<string, unknown>) => {
  const { ms, offsetS } = parseInstant(timestamp) ?? expect.unreachable();
  const stated = (offset ?? offsetS ?? Number.NaN) as number;
  return new Set(ZONES.map((zone) => dayToDate(localDayConverter(zone)(ms, stated))));
};

const fitbitSamples = () => {
  const item = { dateTime: "05/18/26 00:00:00", value: { demographicVO2Max: 41 } };
  const outcomes = new FitbitAccount(undefined).addVo2Max(item);
  return outcomes.flatMap((one) => ("send" in one ? [one.send.content] : []));
};

test.each<[string, () => readonly Record<string, unknown>[]]>([
  ["Oura's oxygen saturation", () => toBloodOxygen({ day: DATE, spo2_percentage: { average: 97 } })],
  ["Garmin's VO2 max", () => toVo2Max({ userId: "ada", summaryId: "x", calendarDate: DATE, vo2Max: 45 }).vo2_max],
  ["the wellness of Intervals.icu", () => toWellness([{ id: DATE, hrv: 60, spO2: 97 }]).hrv],
  ["a meal of Cronometer", () => [toMeal(DATE, { name: "Breakfast", macros: {} })]],
  ["the VO2 max of a Fitbit export", fitbitSamples],
  [
    "Ultrahuman's VO2 max",
    () => {
      const vo2 = { value: 45, day_start_timestamp: Date.parse(`${DATE}T00:00:00+02:00`) / 1000 };
      const read = (type: string) => (type === "vo2_max" ? vo2 : undefined) as never;
      return toRingRecords({ date: DATE, timeZone: "Europe/Berlin", read }).vo2_max;
    },
  ],
])("%s belongs to the date that the provider states, in any time zone", (_, map) => {
  const samples = map();
  expect(samples).toHaveLength(1);
  for (const sample of samples) expect(datesOf(sample)).toEqual(new Set([DATE]));
});
