import { expect, test } from "vitest";
import { googleHealth } from "../../../lib/connectors/google-health/google-health.ts";
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
const app = { ...application, pushSecret: "what-the-subscriber-was-made-with" };

test("Google's days, nights and workouts of 30 days map to the service's units", async () => {
  const { provider, pull } = await createConnection(googleHealth);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "activity", "sleep", "workouts");
  expectRecords(found.activity, truth.activity, "calendar_date");
  expectRecords(found.steps, truth.steps, "start");
  expectRecords(found.sleep, truth.sleep, "provider_id");
  expectRecords(sleepStages(found), truth.hypnogram, "start");
  expectRecords(found.workouts, truth.workouts, "provider_id");
});

test("Google's samples of 30 days map to the service's units, page by page", { tags: "deep" }, async () => {
  const { provider, pull } = await createConnection(googleHealth);
  const truth = expectedBetween(provider, FROM, TO);
  const found = await pull(month, "heartrate", "hrv", "blood_oxygen", "body", "glucose");
  for (const name of ["heartrate", "hrv", "blood_oxygen", "body_weight", "body_fat", "glucose"])
    expectRecords(found[name], truth[name], "timestamp");
  const weights = truth.body_weight?.map(({ value }) => value);
  expect(found.body?.map(({ weight }) => weight)).toEqual(expect.arrayContaining(weights ?? []));
});

test("Google's days are complete for any end of the window, including across clock changes", async () => {
  const { provider, pull } = await createConnection(googleHealth);
  for (const date of ["2026-03-29", "2025-10-26"]) {
    const endMs = Date.parse(date) + 13 * 3_600_000;
    const found = await pull({ startMs: endMs - 3_600_000, endMs }, "activity");
    expectRecords(found.activity, expectedBetween(provider, date, date).activity, "calendar_date");
  }
});

test("Google's token is refreshed, rate limits delay requests, corrections replace records, and revoked access ends", async () => {
  const { provider, pull, tokens, clock } = await createConnection(googleHealth);
  const first = { ...tokens };
  provider.tokens.expireAccessTokens();
  provider.setSwitches({ revision: 1, duplicates: true });
  // An interval sent twice would count twice. Google sends settled intervals once.
  const found = await pull(windowBetween(TO, TO), "sleep");
  expectRecords(found.sleep, expectedBetween(provider, TO, TO).sleep, "provider_id");
  expect(tokens).toEqual({ access: expect.not.stringMatching(`^${first.access}$`), refresh: first.refresh });
  provider.setSwitches({ rate_limited: 1 });
  const refused = await pull(month, "glucose").catch((error) => error);
  expect(refused).toBeInstanceOf(RateLimited);
  expect(refused.retryAtMs).toBe(clock.now() + 60_000);
  provider.tokens.revoke("ada");
  await expect(pull(month, "glucose")).rejects.toThrow(AccessEnded);
});

test("Google's pushes are signed with a key of its key set and carry the subscriber's secret", async () => {
  const { provider, ask, accountId, request } = await createConnection(googleHealth);
  const receiver = await PushReceiver.start();
  const query = new URLSearchParams();
  const requestOf = ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) =>
    ({ method: "POST", headers, body, query }) as const;
  receiver.answer = (push) => ({ status: googleHealth.push?.answerChallenge?.(requestOf(push), app)?.status ?? 200 });
  const made = await ask("POST", "health.googleapis.com/v4/projects/p/subscribers", {
    token: application.clientSecret,
    json: {
      endpointUri: receiver.origin,
      subscriberConfigs: [{ dataTypes: ["sleep", "steps"], subscriptionCreatePolicy: "AUTOMATIC" }],
      endpointAuthorization: { secret: app.pushSecret },
    },
  });
  expect(made.status).toBe(200);
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
  await provider.notify({ account: "ada", kind: "sleep", date: "2026-05-18", change: "update" });
  await receiver.stop();
  const [push] = receiver.received.map(requestOf);
  if (!push) throw new Error("nothing was pushed");
  const prove = (one: typeof push) => googleHealth.push?.verifySignature?.(one, request.fetch);
  expect(await prove(push)).toBe(true);
  expect(await prove({ ...push, body: push.body.replace("UPSERT", "DELETE") })).toBe(false);
  expect(await prove({ ...push, headers: { ...push.headers, "google-health-api-signature": "AQAAAAA=" } })).toBe(false);
  expect(googleHealth.push?.verify(push, app, 0)).toBe(true);
  expect(googleHealth.push?.verify(push, { ...app, pushSecret: "another" }, 0)).toBe(false);
  expect(googleHealth.push?.verify(push, application, 0)).toBe(false);
  const window = { startMs: Date.UTC(2026, 4, 17, 22), endMs: Date.UTC(2026, 4, 18, 22) + 1_000 };
  expect(googleHealth.push?.parse(push)).toEqual([{ accountId, changed: { resource: "sleep", window } }]);
});

test("Google's pushes of several changes parse in both forms and with both kinds of times", () => {
  const notification = (dataType: string, interval: object) => ({
    data: { healthUserId: "u", dataType, operation: "UPSERT", intervals: [interval] },
  });
  const physical = { physicalTimeInterval: { startTime: "2026-05-18T08:00:00Z", endTime: "2026-05-18T09:00:00Z" } };
  const at = (hours: number) => ({ date: { year: 2026, month: 5, day: 18 }, time: { hours } });
  const civil = { civilDateTimeInterval: { startDateTime: at(8), endDateTime: at(9) } };
  const parsed = (json: unknown) =>
    googleHealth.push?.parse({ method: "POST", headers: {}, query: new URLSearchParams(), body: JSON.stringify(json) });
  const window = { startMs: Date.UTC(2026, 4, 18, 8), endMs: Date.UTC(2026, 4, 18, 9) + 1_000 };
  const day = 14 * 3_600_000;
  const wide = { startMs: window.startMs - day, endMs: window.endMs + day };
  const one = notification("sleep", physical);
  expect(parsed(one)).toEqual([{ accountId: "u", changed: { resource: "sleep", window } }]);
  expect(parsed([one, { data: 5 }, notification("weight", civil), notification("mood", physical)])).toEqual([
    { accountId: "u", changed: { resource: "sleep", window } },
    { accountId: "u", changed: { resource: "body", window: wide } },
  ]);
  const iso = { civilIso8601TimeInterval: { startTime: "2026-05-18T08:00:00", endTime: "2026-05-18T09:00:00" } };
  expect(parsed([notification("exercise", iso)])).toEqual([
    { accountId: "u", changed: { resource: "workouts", window: wide } },
  ]);
  expect(() => parsed({ hello: "world" })).toThrow(SyntaxError);
  for (const asked of [{ type: "verification" }, [{ type: "verification" }]]) {
    const request = { method: "POST", query: new URLSearchParams(), body: JSON.stringify(asked) } as const;
    expect(
      googleHealth.push?.answerChallenge?.({ ...request, headers: { authorization: app.pushSecret } }, app),
    ).toEqual({
      status: 201,
    });
    expect(googleHealth.push?.answerChallenge?.({ ...request, headers: {} }, app)).toEqual({ status: 401 });
  }
});
