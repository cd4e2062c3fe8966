import { expect, test } from "vitest";
import { AccessEnded, ProviderUnavailable, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { suunto } from "../../../lib/connectors/suunto/suunto.ts";
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
const app = { ...oauthApp, pushSecret: "tributary-local-notification-secret" };

test("Suunto provides workouts, days, nights and samples of 30 days that match the watch", {
  tags: "deep",
}, async () => {
  const { provider, pull } = await createConnection(suunto);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "workouts", "sleep", "activity");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id");
  expectRecords(found.sleep, truth.sleep, "calendar_date");
  expectRecords(found.activity, truth.activity, "calendar_date");
  for (const name of ["heartrate", "hrv", "blood_oxygen"]) expectRecords(found[name], truth[name], "timestamp");
});

test("Suunto's tokens rotate, rate limits delay requests, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await createConnection(suunto);
  const first = tokens.refresh;
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ duplicates: true });
  const found = await pull(month, "activity", "sleep");
  expectRecords(found.activity, expectedBetween(provider, FROM, TO).activity, "calendar_date");
  expect(tokens.refresh).not.toBe(first);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "sleep").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "sleep")).rejects.toThrow(AccessEnded);
});

test("a window inside a day leaves the sum of the day in place", async () => {
  const { provider, pull } = await createConnection(suunto);
  const noon = Date.parse("2026-05-12T12:00:00Z");
  const { activity } = await pull({ startMs: noon, endMs: noon + 60_000 }, "activity");
  const truth = expectedBetween(provider, "2026-05-12", "2026-05-12").activity;
  expectRecords(activity, truth, "calendar_date");
  expect(activity).toHaveLength(1);
});

test("Suunto's pushes are signed, and carry nights or name workouts and samples", async () => {
  const { provider, client, accountId } = await createConnection(suunto);
  const truth = expectedBetween(provider, FROM, TO);
  const [workout] = truth.workouts ?? [];
  const date = String(workout?.time_start).slice(0, 10);
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  for (const kind of ["workout", "sleep", "activity"])
    await provider.notify({ account: "ada", kind, date, change: "create" });
  await receiver.stop();
  const pushes = receiver.received.map(({ headers, body }) => ({
    method: "POST" as const,
    headers,
    body,
    query: new URLSearchParams(),
  }));
  const [named, night, samples] = pushes.map((push) => suunto.push?.parse(push));
  for (const push of pushes) {
    expect(suunto.push?.verify(push, app, 0)).toBe(true);
    expect(suunto.push?.verify({ ...push, body: `${push.body} ` }, app, 0)).toBe(false);
    expect(suunto.push?.verify(push, oauthApp, 0)).toBe(false);
  }
  const id = String(workout?.provider_id);
  expect(named).toEqual([{ accountId, changed: { resource: "workouts", id } }]);
  const batches = await Array.fromAsync(suunto.pullOne?.("workouts", id, client) ?? []);
  expectRecords(acceptBatches(batches, month.endMs).workouts, [workout ?? {}], "provider_id");
  const { sleep } = acceptBatches(night?.flatMap(({ batch }) => batch ?? []) ?? [], month.endMs);
  expectRecords(
    sleep,
    truth.sleep?.filter(({ calendar_date }) => calendar_date === date),
    "calendar_date",
  );
  expect(samples).toMatchObject([{ accountId, changed: { resource: "activity" } }]);
});

test("an application without its subscription key pulls nothing", async () => {
  const { client } = await createConnection(suunto);
  const without = Object.create(client, { appKey: { value: () => Promise.reject(new ProviderUnavailable("no key")) } });
  await expect(suunto.pull("sleep", month, without).next()).rejects.toThrow(ProviderUnavailable);
});
