import { expect, test } from "vitest";
import { cronometer } from "../../../lib/connectors/cronometer/cronometer.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { revokeAccess } from "../../../lib/services/connections/oauth/revoke-access.ts";
import { oauthApp } from "./connected-provider.ts";
import { createConnection, expectedBetween, expectRecords, windowBetween } from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Cronometer provides meals of 30 days that match the diary", async () => {
  const { provider, pull } = await createConnection(cronometer);
  const truth = expectedBetween(provider, FROM, TO);
  expectRecords((await pull(month, "meal")).meal, truth.meal, "provider_id");
});

test("Cronometer's rate limits delay requests, and access that can not be renewed ends when it is revoked", async () => {
  const { pull, provider, tokens, clock, request } = await createConnection(cronometer);
  expect(tokens.refresh).toBe("");
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "meal").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now());
  await revokeAccess(cronometer, { app: oauthApp, fetch: request.fetch }, tokens.access);
  await expect(pull(month, "meal")).rejects.toThrow(AccessEnded);
});
