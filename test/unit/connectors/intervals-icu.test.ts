import { expect, test } from "vitest";
import { intervalsIcu } from "../../../lib/connectors/intervals-icu/intervals-icu.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
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
const app = { ...oauthApp, pushSecret: "tributary-local-webhook-secret" };

test("Intervals.icu provides workouts of 30 days with their streams", async () => {
  const { provider, pull } = await createConnection(intervalsIcu);
  provider.setSwitches({ duplicates: true });
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "workouts");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id");
});

test("Intervals.icu provides the wellness of 30 days", async () => {
  const { provider, pull } = await createConnection(intervalsIcu);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "wellness");
  expectRecords(found.activity, truth.activity, "calendar_date");
  expectRecords(found.body, truth.body, "calendar_date");
  for (const name of ["hrv", "respiratory_rate", "blood_oxygen", "vo2_max"])
    expect(found[name]?.length).toBeGreaterThan(25);
});

test("limits delay requests, and nobody renews ended access", async () => {
  const { provider, pull, clock } = await createConnection(intervalsIcu);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "wellness").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "wellness")).rejects.toThrow(AccessEnded);
});

test("pushes contain the secret of the application, and the connector pulls the activities that they name", async () => {
  const { provider, client, accountId } = await createConnection(intervalsIcu);
  const truth = expectedBetween(provider, FROM, TO).workouts ?? [];
  const date = String(truth[0]?.calendar_date);
  const receiver = await PushReceiver.start();
  provider.setWebhook({ url: receiver.origin });
  for (const kind of ["ACTIVITY_UPLOADED", "CALENDAR_UPDATED"])
    await provider.notify({ account: "ada", kind, date, change: "create" });
  await receiver.stop();
  const [uploaded, planned] = receiver.received.map(({ headers, body }) => {
    return { method: "POST" as const, headers, body, query: new URLSearchParams() };
  });
  expect(intervalsIcu.push?.verify(uploaded!, app, 0)).toBe(true);
  expect(intervalsIcu.push?.verify(uploaded!, { ...app, pushSecret: "another" }, 0)).toBe(false);
  expect(intervalsIcu.push?.verify(uploaded!, oauthApp, 0)).toBe(false);
  expect(intervalsIcu.push?.verify({ ...uploaded!, body: "{" }, app, 0)).toBe(false);
  const id = String(truth[0]?.provider_id);
  expect(intervalsIcu.push?.parse(uploaded!)).toEqual([{ accountId, changed: { resource: "workouts", id } }]);
  expect(intervalsIcu.push?.parse(planned!)).toEqual([]);
  const batches = await Array.fromAsync(intervalsIcu.pullOne?.("workouts", id, client) ?? []);
  expectRecords(acceptBatches(batches, month.endMs).workouts, truth.slice(0, 1), "provider_id");
  expect(await Array.fromAsync(intervalsIcu.pullOne?.("workouts", "1", client) ?? [])).toEqual([]);
});
