import { expect, test } from "vitest";
import { garmin } from "../../../../lib/connectors/garmin/garmin.ts";
import { ProviderClient } from "../../../../lib/connectors/provider-client.ts";
import { derivePushKey } from "../../../../lib/connectors/push-key.ts";
import { oauthApp as application } from "../connected-provider.ts";
import { acceptBatches } from "../simulated-connection.ts";

const key = derivePushKey(application, "garmin");
const headers = { "garmin-client-id": application.clientId };
const pushed = (body: object) =>
  garmin.push?.parse({ method: "POST", headers, query: new URLSearchParams({ key }), body: JSON.stringify(body) }) ??
  [];
const storedOf = (body: object) =>
  acceptBatches(
    pushed(body).flatMap(({ batch }) => (batch ? [batch] : [])),
    Date.UTC(2026, 4, 20),
  );

test("the activity types of a 15-minute epoch add up, from the longest and latest version of each", () => {
  const epoch = { userId: "u", startTimeInSeconds: 1_778_000_400, startTimeOffsetInSeconds: 3_600 };
  const whole = { ...epoch, durationInSeconds: 900 };
  const { steps, distance, calories_active } = storedOf({
    epochs: [
      { ...epoch, durationInSeconds: 720, activityType: "WALKING", steps: 1_000 },
      { ...whole, activityType: "SEDENTARY", steps: 0, distanceInMeters: 0, activeKilocalories: 0 },
      { ...whole, activityType: "RUNNING", steps: 400, distanceInMeters: 200.5, activeKilocalories: 250 },
      { ...whole, activityType: "RUNNING", steps: 427, distanceInMeters: 222.5, activeKilocalories: 257 },
      { ...whole, activityType: "WALKING", steps: 93, distanceInMeters: 49.5, activeKilocalories: 24 },
      { ...whole, startTimeInSeconds: 1_778_001_300, activityType: "WALKING", steps: 7 },
    ],
  });
  expect(steps).toMatchObject([
    { start: "2026-05-05T17:00:00.000Z", end: "2026-05-05T17:15:00.000Z", value: 520 },
    { start: "2026-05-05T17:15:00.000Z", value: 7 },
  ]);
  expect([distance, calories_active]).toMatchObject([[{ value: 272 }], [{ value: 281 }]]);
});

test("a day's mean heart rate comes from its readings, not from the last 7 days", () => {
  const daily = { userId: "u", startTimeInSeconds: 1_778_025_600, durationInSeconds: 86_400, steps: 5 };
  const averageHeartRateInBeatsPerMinute = 99;
  const timeOffsetHeartRateSamples = { "15": 60, "30": 70 };
  const { activity } = storedOf({
    dailies: [
      { ...daily, averageHeartRateInBeatsPerMinute, timeOffsetHeartRateSamples, calendarDate: "2026-05-07" },
      { ...daily, averageHeartRateInBeatsPerMinute },
    ],
  });
  expect(activity).toMatchObject([
    { calendar_date: "2026-05-07", heart_rate: { avg_bpm: 65 } },
    { calendar_date: "2026-05-06", heart_rate: { avg_bpm: null } },
  ]);
});

test("nights map with their naps, without a date, and with unmeasurable times", () => {
  const start = Date.UTC(2026, 4, 6, 22) / 1000;
  const night = { userId: "u", summaryId: "n", startTimeInSeconds: start, startTimeOffsetInSeconds: 7_200 };
  const naps = [{ napDurationInSeconds: 600, napStartTimeInSeconds: start - 30_000, napOffsetInSeconds: 7_200 }];
  const { sleep, respiratory_rate } = storedOf({
    sleeps: [
      {
        ...night,
        ...{ durationInSeconds: 20_000, awakeDurationInSeconds: 1_000, unmeasurableSleepInSeconds: 600, naps },
        timeOffsetSleepRespiration: { "60": 15.3 },
      },
    ],
  });
  expect(sleep).toMatchObject([
    { calendar_date: "2026-05-07", total: 20_000, duration: 21_600, bedtime_stop: "2026-05-07T04:00:00+00:00" },
    { type: "acknowledged_nap", total: 600, duration: 600, calendar_date: "2026-05-06" },
  ]);
  expect(respiratory_rate).toMatchObject([{ value: 15.3 }]);
});

test("weighings include their body composition, and nights the skin temperature deviation", () => {
  const bodyComp = { measurementTimeInSeconds: 1_778_025_600, measurementTimeOffsetInSeconds: 0, userId: "u" };
  const { body, body_temperature_delta } = storedOf({
    bodyComps: [
      {
        ...bodyComp,
        ...{ weightInGrams: 80_000, bodyFatInPercent: 17.1, bodyWaterInPercent: 59.4, bodyMassIndex: 23.2 },
        ...{ muscleMassInGrams: 40_000, boneMassInGrams: 2_000 },
      },
    ],
    skinTemp: [{ userId: "u", startTimeInSeconds: 1_778_025_600, durationInSeconds: 1_980, avgDeviationCelsius: -1.6 }],
  });
  expect(body).toMatchObject([
    { weight: 80, fat: 17.1, water_percentage: 59.4, muscle_mass_percentage: 50, bone_mass_percentage: 2.5 },
  ]);
  expect(body).toMatchObject([{ body_mass_index: 23.2 }]);
  expect(body_temperature_delta).toMatchObject([{ value: -1.6 }]);
});

test("pings are followed to Garmin's hosts only", async () => {
  const at = (host: string) => `https://${host}/wellness-api/rest/dailies?uploadStartTimeInSeconds=1&token=t`;
  const ping = (host: string) => ({ userId: "u", callbackURL: at(host) });
  const changed = pushed({ dailies: [ping("apis.garmin.com"), { userId: "u", steps: 5 }] }).flatMap(
    (one) => one.changed ?? [],
  );
  expect(changed).toEqual([{ resource: "activity", id: `dailies ${at("apis.garmin.com")}` }]);
  const asked: string[] = [];
  const day = { userId: "u", startTimeInSeconds: 1_778_025_600, calendarDate: "2026-05-06", steps: 5 };
  const client = new ProviderClient({
    fetch: async (url) => {
      asked.push(url);
      return Response.json([day, "odd"]);
    },
    accessToken: async () => "token",
    now: () => 0,
  });
  const found = [];
  for (const host of ["apis.garmin.com", "apis.garmin.com.evil.example", "apis.garmin.com@evil.example", "127.0.0.1"])
    for await (const batch of garmin.pullOne?.("activity", `dailies ${at(host)}`, client) ?? []) found.push(batch);
  expect(asked).toEqual([at("apis.garmin.com")]);
  expect(acceptBatches(found, Date.UTC(2026, 4, 20)).activity).toMatchObject([
    { calendar_date: "2026-05-06", steps: 5 },
  ]);
});
