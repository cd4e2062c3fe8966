import { describe, expect, test } from "vitest";
import { toWorkoutStream } from "../../../lib/connectors/polar/map-workout-stream.ts";
import { parseDurationSeconds } from "../../../lib/connectors/polar/map-workouts.ts";
import { polar } from "../../../lib/connectors/polar/polar.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp as application } from "./connected-provider.ts";
import {
  acceptBatches,
  createConnection,
  expectedBetween,
  expectRecords,
  sleepStages,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

describe("Polar", () => {
  test("provides days, nights and heart rate of 30 days that match the simulated watch", { tags: "deep" }, async () => {
    const { provider, pull } = await createConnection(polar);
    const truth = expectedBetween(provider, FROM, TO);
    const found = await pull(month, "profile", "activity", "sleep", "heartrate");
    expectRecords(found.profile, truth.profile, "height");
    expectRecords(found.activity, truth.activity, "calendar_date");
    expectRecords(found.sleep, truth.sleep, "calendar_date");
    expectRecords(sleepStages(found), truth.hypnogram, "start");
    expectRecords(found.heartrate, truth.heartrate, "timestamp");
  });

  test("provides workouts recorded after the connection, with their streams", async () => {
    const { provider, pull, skip, client, clock } = await createConnection(polar);
    await skip(10 * 86_400_000);
    const truth = expectedBetween(provider, "2026-05-21", "2026-05-29");
    const found = await pull(windowBetween("2026-05-21", "2026-05-29"), "workouts");
    expectRecords(found.workouts, truth.workouts, "provider_id");
    // Polar reports speed to a tenth of a km/h.
    expectRecords(found.workout_stream, truth.workout_stream, "provider_id", 0.03);
    const id = String(truth.workouts?.[0]?.provider_id);
    const [one] = await Array.fromAsync(polar.pullOne?.("workouts", id, client) ?? []);
    expectRecords(acceptBatches(one ? [one] : [], clock.now()).workouts, truth.workouts?.slice(0, 1), "provider_id");
  });

  test("resolves the times of nights with a clock change", async () => {
    for (const night of ["2026-03-29", "2025-10-26"]) {
      const { provider, pull } = await createConnection(polar);
      const truth = expectedBetween(provider, night, night);
      const found = await pull(windowBetween(night, night), "sleep");
      expectRecords(found.sleep, truth.sleep, "calendar_date");
      const spring = night < "2026" ? [] : sleepStages(found);
      if (spring.length > 0) expectRecords(spring, truth.hypnogram, "start");
    }
  });

  test("waits for the end of the exhausted rate window, and stops when its non-refreshable access ends", async () => {
    const { provider, pull, clock } = await createConnection(polar);
    const headers = new Headers({
      "ratelimit-usage": "520, 600",
      "ratelimit-limit": "520, 5100",
      "ratelimit-reset": "30, 5000",
    });
    expect(polar.retryAt?.(headers, 1_000)).toBe(31_000);
    provider.setSwitches({ rate_limited: 1 });
    const refused = await pull(month, "activity").catch((error) => error);
    expect(refused).toBeInstanceOf(RateLimited);
    expect(refused.retryAtMs).toBeGreaterThan(clock.now());
    provider.tokens.revoke("ada");
    await expect(pull(month, "activity")).rejects.toThrow(AccessEnded);
  });

  test("corrects records under the same keys", async () => {
    const { provider, pull } = await createConnection(polar);
    const before = await pull(month, "activity", "sleep");
    provider.setSwitches({ revision: 1, duplicates: true });
    const after = await pull(month, "activity", "sleep");
    expectRecords(after.activity, expectedBetween(provider, FROM, TO).activity, "calendar_date");
    expect(after.sleep?.map(({ bedtime_start }) => bedtime_start)).toEqual(
      before.sleep?.map(({ bedtime_start }) => bedtime_start),
    );
  });

  test("accepts pushes signed with the webhook's secret and answers the ping", async () => {
    const { provider, ask, accountId } = await createConnection(polar);
    const receiver = await PushReceiver.start();
    const authorization = `Basic ${Buffer.from(`${application.clientId}:${application.clientSecret}`).toString("base64")}`;
    const made = await ask("POST", "www.polaraccesslink.com/v3/webhooks", {
      headers: { authorization },
      json: { url: receiver.origin, events: ["SLEEP", "EXERCISE"] },
    });
    await provider.notify({ account: "ada", kind: "SLEEP", date: "2026-05-18", change: "create" });
    const [ping, push] = receiver.received.map(({ headers, body, url }) => {
      return { method: "POST" as const, headers, body, query: url.searchParams };
    });
    await receiver.stop();
    const app = { ...application, pushSecret: made.body.data.signature_secret_key };
    if (!ping || !push) throw new Error("nothing was pushed");
    const verify = (one: typeof push, secret = app) => polar.push?.verify(one, secret, 0);
    expect(polar.push?.answerChallenge?.(ping, application)).toEqual({ status: 200 });
    expect(polar.push?.answerChallenge?.(push, application)).toBeUndefined();
    expect(verify(push)).toBe(true);
    expect(verify({ ...push, body: `${push.body} ` })).toBe(false);
    expect(polar.push?.verify(push, application, 0)).toBe(false);
    const [parsed] = polar.push?.parse(push) ?? [];
    expect(parsed).toMatchObject({ accountId, changed: { resource: "sleep" } });
    const exercise = { event: "EXERCISE", user_id: 1, entity_id: "2AC312F", timestamp: "2026-05-18T10:00:00Z" };
    expect(polar.push?.parse({ ...push, body: JSON.stringify(exercise) })).toEqual([
      { accountId: "1", changed: { resource: "workouts", id: "2AC312F" } },
    ]);
  });

  test("revokes the access of the connected account only", async () => {
    const { client, accountId, provider, tokens } = await createConnection(polar);
    const { revocation } = polar.oauth;
    if (revocation?.kind !== "own") throw new Error("access is given back in a way of its own");
    await revocation.revoke(client, { app: application });
    expect(provider.tokens.findGrant(tokens.access)).toBeDefined();
    await revocation.revoke(client, { app: application, accountId });
    expect(provider.tokens.findGrant(tokens.access)).toBeUndefined();
  });
});

test.each([
  ["PT2H44M", 9_840],
  ["PT40M", 2_400],
  ["PT1M30.5S", 90.5],
])("the duration %s is %d seconds", (text, seconds) => expect(parseDurationSeconds(text)).toBe(seconds));

describe("the stream of a Polar exercise", () => {
  const exercise = { id: "e", start_time: "2026-05-18T08:00:00", start_time_utc_offset: 120, duration: "PT10S" };
  const beats = { "recording-rate": 5, "sample-type": "0", data: "100,,102" };
  const betweenBeats = { "sample-type": "11", data: "600.5,610,0" };
  const at = (time: string, latitude: number) => ({ time, latitude, longitude: 1 });
  const startS = Date.UTC(2026, 4, 18, 6) / 1000;

  test("contains the samples with a recording rate, and each position at the nearest time", () => {
    const route = [at("PT0.371S", 50), at("PT4.2S", 51), at("PT5.1S", 52), at("PT1H0M0.5S", 53)];
    const [stream] = toWorkoutStream({ ...exercise, samples: [betweenBeats, beats], route });
    expect(stream).toEqual({
      provider_id: "e",
      time: [startS, startS + 5, startS + 10],
      heartrate: [100, null, 102],
      lat: [50, 52, null],
      lng: [1, 1, null],
    });
  });

  test("contains the cadence of running and the temperature", () => {
    const series = (type: string, data: string) => ({ "recording-rate": 5, "sample-type": type, data });
    const samples = [series("8", "80,,82"), series("9", "-1.5,20,21")];
    expect(toWorkoutStream({ ...exercise, samples })).toMatchObject([
      { cadence: [80, null, 82], temperature: [-1.5, 20, 21] },
    ]);
    expect(toWorkoutStream({ ...exercise, samples: [series("2", "90,91,92"), ...samples] })).toMatchObject([
      { cadence: [90, 91, 92] },
    ]);
  });

  test("contains only positions when no sample has a recording rate", () => {
    const route = [at("PT1.9S", 51), at("PT0.4S", 50)];
    expect(toWorkoutStream({ ...exercise, samples: [betweenBeats], route })).toEqual([
      { provider_id: "e", time: [startS, startS + 1], lat: [50, 51], lng: [1, 1] },
    ]);
    expect(toWorkoutStream({ ...exercise, samples: [betweenBeats] })).toEqual([]);
  });
});

test("Polar's weight is stored for the current day, not for past days", async () => {
  const { pull, clock } = await createConnection(polar);
  const nowMs = clock.now();
  const found = await pull({ startMs: nowMs - 40 * 86_400_000, endMs: nowMs }, "profile");
  expect(found.body).toMatchObject([{ calendar_date: "2026-05-20", weight: expect.any(Number) }]);
});
