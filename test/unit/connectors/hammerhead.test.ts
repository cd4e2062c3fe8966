import { expect, test } from "vitest";
import { hammerhead } from "../../../lib/connectors/hammerhead/hammerhead.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { revokeAccess } from "../../../lib/services/connections/oauth/revoke-access.ts";
import { oauthApp } from "./connected-provider.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Hammerhead provides rides of 30 days that match the bike computer, with what their FIT files state", async () => {
  const { provider, pull } = await createConnection(hammerhead);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "workouts");
  expectRecords(found.workouts, truth.workouts, "provider_id");
  expectRecords(found.workout_stream, truth.workout_stream, "provider_id", 1e-6);
});

test("Hammerhead's tokens rotate, rate limits delay requests, and revoked access ends", async () => {
  const { provider, pull, tokens, clock, request } = await createConnection(hammerhead);
  const first = tokens.refresh;
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ duplicates: true });
  expectRecords((await pull(month, "workouts")).workouts, expectedBetween(provider, FROM, TO).workouts, "provider_id");
  expect(tokens.refresh).not.toBe(first);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "workouts").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  await revokeAccess(hammerhead, { app: oauthApp, fetch: request.fetch }, tokens.access);
  await expect(pull(month, "workouts")).rejects.toThrow(AccessEnded);
});
