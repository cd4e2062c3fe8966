import { afterAll, beforeAll, expect, test } from "vitest";
import { garmin } from "../../../lib/connectors/garmin/garmin.ts";
import { AccessEnded, ProviderRefused, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { derivePushKey } from "../../../lib/connectors/push-key.ts";
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
const key = derivePushKey(application, "garmin");

let receiver: PushReceiver;
beforeAll(async () => {
  receiver = await PushReceiver.start();
});
afterAll(() => receiver.stop());

/** The pushes received since the last call, as the route receives them. */
function pushes() {
  const all = receiver.received.map(({ headers, body, url }) => {
    return { method: "POST" as const, headers, body, query: url.searchParams };
  });
  receiver.received.length = 0;
  return all;
}

async function connectedToReceiver() {
  const connection = await createConnection(garmin);
  connection.provider.setWebhook({ url: `${receiver.origin}/?key=${key}` });
  const batches = () => pushes().flatMap((push) => garmin.push?.parse(push) ?? []);
  return { ...connection, batches };
}

test("Garmin pushes 30 requested older days that match the simulated watch", async () => {
  const { provider, pull, skip, batches, accountId, clock } = await connectedToReceiver();
  const truth = expectedBetween(provider, FROM, TO);
  expect(await pull(month, ...garmin.resources.map(({ name }) => name))).toEqual({});
  await skip(5_000);
  const received = batches();
  expect(new Set(received.map((one) => one.accountId))).toEqual(new Set([accountId]));
  const found = acceptBatches(
    received.flatMap(({ batch }) => (batch ? [batch] : [])),
    clock.now(),
  );
  expectRecords(found.activity, truth.activity, "calendar_date");
  expectRecords(found.steps, truth.steps, "start");
  expectRecords(found.body, truth.body, "calendar_date");
  expectRecords(found.heartrate, truth.heartrate, "timestamp");
  expectRecords(found.sleep, truth.sleep, "provider_id");
  expectRecords(sleepStages(found), truth.hypnogram, "start");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id");
  const stress = truth.stress_level?.map(({ value }) => value);
  expect(found.stress_level?.map(({ value }) => value).slice(-30)).toEqual(stress);
});

test("a backfill is not requested twice, rate limits delay requests, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await connectedToReceiver();
  const first = { ...tokens };
  await pull(month, "sleep");
  expect(await pull(month, "sleep")).toEqual({});
  provider.tokens.expireAccessTokens();
  await pull(windowBetween(TO, TO), "body");
  expect(tokens.refresh).not.toBe(first.refresh);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(windowBetween(TO, TO), "activity").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBe(clock.now() + 60_000);
  provider.tokens.revoke("ada");
  await expect(pull(month, "activity")).rejects.toThrow(AccessEnded);
});

test("Garmin's pushes carry the key in the URL and the client id in a header, corrections replace records, and the end of access is reported", async () => {
  const { provider, batches, accountId, clock } = await connectedToReceiver();
  const change = { account: "ada", date: "2026-05-18", change: "update" } as const;
  await provider.notify({ ...change, kind: "dailies" });
  provider.setSwitches({ revision: 1, duplicates: true });
  await provider.notify({ ...change, kind: "dailies" });
  const [push] = receiver.received;
  const request = { method: "POST", headers: push?.headers ?? {}, body: push?.body ?? "" } as const;
  const verify = (query: object, headers = request.headers) =>
    garmin.push?.verify({ ...request, headers, query: new URLSearchParams({ ...query }) }, application, 0);
  expect(verify({ key })).toBe(true);
  expect(verify({ key: `${key}x` })).toBe(false);
  expect(verify({})).toBe(false);
  expect(verify({ key }, { ...request.headers, "garmin-client-id": "another" })).toBe(false);
  const received = batches().flatMap(({ batch }) => (batch ? [batch] : []));
  expectRecords(
    acceptBatches(received, clock.now()).activity,
    expectedBetween(provider, "2026-05-18", "2026-05-18").activity,
    "calendar_date",
  );
  await provider.notify({ ...change, kind: "deregistrations" });
  expect(batches()[0]).toEqual({ accountId, isRevoked: true });
});

test("the older history contains what Garmin still provides, although Garmin refuses earlier days", async () => {
  const { pull, skip, batches, provider } = await connectedToReceiver();
  const window = { startMs: Date.UTC(2026, 3, 5), endMs: Date.UTC(2026, 3, 30) };
  expect(await pull(window, "body")).toEqual({});
  await skip(5_000);
  const found = acceptBatches(
    batches().flatMap(({ batch }) => (batch ? [batch] : [])),
    Date.UTC(2026, 4, 20),
  );
  expectRecords(found.body, expectedBetween(provider, "2026-04-21", "2026-04-28").body, "calendar_date");
  const older = { startMs: Date.UTC(2026, 2, 1), endMs: Date.UTC(2026, 2, 31) };
  await expect(pull(older, "body")).rejects.toThrow(ProviderRefused);
});
