import { expect, test } from "vitest";
import { fitbit } from "../../../lib/connectors/fitbit/fitbit.ts";
import { instantInZone } from "../../../lib/connectors/fitbit/map.ts";
import { AccessEnded, RateLimited } from "../../../lib/connectors/provider-error.ts";
import { PushReceiver } from "../simulators/providers/simulated-providers.ts";
import { oauthApp as application } from "./connected-provider.ts";
import {
  createConnection,
  expectedBetween,
  expectRecords,
  sleepStages,
  windowBetween,
} from "./simulated-connection.ts";

const [FROM, TO] = ["2026-04-20", "2026-05-19"];
const month = windowBetween(FROM, TO);

test("Fitbit data of 30 days matches the simulated watch and scale", async () => {
  const { provider, pull } = await createConnection(fitbit);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "profile", "activity", "sleep", "body");
  expect(found.profile).toHaveLength(1);
  expectRecords(found.activity, truth.activity, "calendar_date");
  expectRecords(found.body, truth.body, "calendar_date");
  expectRecords(found.sleep, truth.sleep, "provider_id");
  expectRecords(sleepStages(found), truth.hypnogram, "start");
});

test("Fitbit's local times resolve to instants across clock changes", async () => {
  for (const night of ["2026-03-29", "2025-10-26"]) {
    const { provider, pull } = await createConnection(fitbit);
    const found = await pull(windowBetween(night, night), "sleep");
    expectRecords(found.sleep, expectedBetween(provider, night, night).sleep, "provider_id");
    expectRecords(sleepStages(found), expectedBetween(provider, night, night).hypnogram, "start");
  }
  expect(new Date(instantInZone("2026-01-02T03:04:05", "America/New_York")).toISOString()).toBe(
    "2026-01-02T08:04:05.000Z",
  );
});

test("Fitbit's tokens rotate, rate limits delay requests, corrections replace records, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await createConnection(fitbit);
  const first = { ...tokens };
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ revision: 1, duplicates: true });
  const found = await pull(windowBetween(TO, TO), "activity", "sleep");
  expectRecords(found.activity, expectedBetween(provider, TO, TO).activity, "calendar_date");
  expect(tokens.refresh).not.toBe(first.refresh);
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "body").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBeGreaterThan(clock.now() + 60_000);
  provider.tokens.revoke("ada");
  await expect(pull(month, "body")).rejects.toThrow(AccessEnded);
});

test("Fitbit's pushes are signed, its verification request is answered, and a user is subscribed", async () => {
  const { provider, client, accountId } = await createConnection(fitbit);
  const receiver = await PushReceiver.start();
  await fitbit.push?.subscribe?.(client, receiver.origin);
  provider.setWebhook({ url: receiver.origin });
  for (const kind of ["activities", "sleep", "userRevokedAccess"])
    await provider.notify({ account: "ada", kind, date: "2026-05-18", change: "update" });
  const pushes = receiver.received.map(({ headers, body, url }) => {
    return { method: "POST" as const, headers, body, query: url.searchParams };
  });
  await receiver.stop();
  const verified = pushes.map((push) => fitbit.push?.verify(push, application, 0));
  expect(verified).toEqual([true, true, true]);
  const [first] = pushes;
  if (!first) throw new Error("nothing was pushed");
  expect(fitbit.push?.verify({ ...first, body: "[]" }, application, 0)).toBe(false);
  const window = { startMs: Date.UTC(2026, 4, 17, 10), endMs: Date.UTC(2026, 4, 19, 12) };
  expect(pushes.flatMap((push) => fitbit.push?.parse(push) ?? [])).toEqual([
    { accountId, changed: { resource: "activity", window } },
    { accountId, changed: { resource: "sleep", window } },
    { accountId, isRevoked: true },
  ]);
  const question = (verify: string) => ({ ...first, method: "GET" as const, query: new URLSearchParams({ verify }) });
  const app = { ...application, pushSecret: "the code" };
  expect(fitbit.push?.answerChallenge?.(question("the code"), app)).toEqual({ status: 204 });
  expect(fitbit.push?.answerChallenge?.(question("another"), app)).toEqual({ status: 404 });
  expect(fitbit.push?.answerChallenge?.(question(""), application)).toEqual({ status: 404 });
});
