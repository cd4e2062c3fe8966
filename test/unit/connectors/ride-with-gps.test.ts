import { expect, test } from "vitest";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { rideWithGps } from "../../../lib/connectors/ride-with-gps/ride-with-gps.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp } from "./connected-provider.ts";
import {
  acceptBatches,
  createConnection,
  expectedBetween,
  expectRecords,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Ride with GPS provides trips of 30 days with their tracks, in m/s", async () => {
  const { provider, pull } = await createConnection(rideWithGps);
  provider.setSwitches({ duplicates: true });
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "workouts");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id");
});

test("limits delay requests, and nobody renews ended access", async () => {
  const { provider, pull, clock } = await createConnection(rideWithGps);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "workouts").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "workouts")).rejects.toThrow(AccessEnded);
});

test("pushes are signed with the client secret, and the connector pulls the trips that they name", async () => {
  const { provider, client, accountId } = await createConnection(rideWithGps);
  const truth = expectedBetween(provider, FROM, TO).workouts ?? [];
  const date = String(truth[0]?.time_start).slice(0, 10);
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  for (const change of ["create", "delete"] as const)
    await provider.notify({ account: "ada", kind: "trip", date, change });
  await receiver.stop();
  const [created, deleted] = receiver.received.map(({ headers, body }) => {
    return { method: "POST" as const, headers, body, query: new URLSearchParams() };
  });
  expect(rideWithGps.push?.verify(created!, oauthApp, 0)).toBe(true);
  expect(rideWithGps.push?.verify({ ...created!, body: `${created?.body} ` }, oauthApp, 0)).toBe(false);
  expect(rideWithGps.push?.verify({ ...created!, headers: {} }, oauthApp, 0)).toBe(false);
  const id = String(truth[0]?.provider_id);
  expect(rideWithGps.push?.parse(created!)).toEqual([{ accountId, changed: { resource: "workouts", id } }]);
  expect(rideWithGps.push?.parse(deleted!)).toEqual([]);
  const batches = await Array.fromAsync(rideWithGps.pullOne?.("workouts", id, client) ?? []);
  expectRecords(acceptBatches(batches, month.endMs).workouts, truth.slice(0, 1), "provider_id");
  expect(await Array.fromAsync(rideWithGps.pullOne?.("workouts", "1", client) ?? [])).toEqual([]);
});
