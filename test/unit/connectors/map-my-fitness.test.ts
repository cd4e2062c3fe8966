import { expect, test } from "vitest";
import { mapMyFitness } from "../../../lib/connectors/map-my-fitness/map-my-fitness.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { oauthApp } from "./connected-provider.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("MapMyFitness provides workouts of 30 days with their series", async () => {
  const { provider, server, pull } = await createConnection(mapMyFitness);
  provider.setSwitches({ duplicates: true });
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "workouts");
  expectRecords(found.workouts, truth.workouts, "provider_id", 1e-3);
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id");
  const asked = server.requests.filter(({ path }) => path.startsWith("/v7.1/workout/"));
  expect(asked.length).toBeGreaterThan(1);
  for (const { headers } of asked) expect(headers["api-key"]).toBe(oauthApp.clientId);
});

test("access is renewed; limits delay requests; nobody renews ended access", async () => {
  const { provider, pull, clock, refreshes } = await createConnection(mapMyFitness);
  provider.tokens.expireAccessTokens();
  await pull(windowBetween(TO, TO), "workouts");
  expect(refreshes()).toBe(1);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "workouts").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  provider.tokens.revoke("ada");
  await expect(pull(month, "workouts")).rejects.toThrow(AccessEnded);
});
