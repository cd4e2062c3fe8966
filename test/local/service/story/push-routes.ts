import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { garminUserId } from "../../../../lib/simulators/providers/garmin/garmin-expected-records.ts";
import { stravaUserId } from "../../../../lib/simulators/providers/strava/strava-expected-records.ts";
import type { TestService } from "../../../support/service.ts";
import { keepPayloads } from "../connections/keep-payloads.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";
import {
  expireApplicationCache,
  pushUrl,
  setOtherApplication,
  setTeamApplication,
  simulatorApplication,
} from "../connections/provider-pushes.ts";

const MINUTE_MS = 60_000;
/** More numbers than a queue message can hold. */
const LONG = 40_000;

/**
 * Calls the push routes for a user: a challenge, pushes of pullable, delayed and unpullable data, a push that contains
 * data, and a revocation.
 * @param forget makes functions read keys again.
 */
export async function callPushRoutes(service: TestService, forget: () => Promise<unknown>, user: string) {
  // Functions of one process share caches, so the caches expire before each function that is to fill them itself.
  const renewed = async () => {
    await expireApplicationCache(forget);
    await setTeamApplication(service, "strava");
  };
  const address = pushUrl(service, "strava", true);
  const simulator = service.started.service.providers.provider("strava");
  await setPullDays(service, 2, "strava");
  await forget();
  await connectAccount(service, user, "ada", "strava");
  await service.settle();
  await renewed();
  const url = new URL(address);
  const question = {
    "hub.mode": "subscribe",
    "hub.challenge": "c",
    "hub.verify_token": url.searchParams.get("key") ?? "",
  };
  for (const [name, value] of Object.entries(question)) url.searchParams.set(name, value);
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(address, { method: "HEAD" })).status).toBe(200);
  const owner_id = stravaUserId("ada");
  // Without a signature, which would be too old for functions whose clock is ahead.
  const push = async (fields: object) => {
    const body = JSON.stringify({ aspect_type: "update", owner_id, ...fields });
    expect((await fetch(address, { method: "POST", body })).status).toBe(200);
    await service.settle();
  };
  const changed = { object_type: "activity", object_id: findLastWorkoutId(service, "ada") };
  await renewed();
  simulator.setSwitches({ rate_limited: 1 });
  await push(changed);
  await expireApplicationCache(forget);
  await setOtherApplication(service, "strava");
  simulator.tokens.expireAccessTokens();
  await service.advance(20 * MINUTE_MS);
  await setTeamApplication(service, "strava");
  simulator.tokens.revoke("ada");
  await push(changed);
  await connectAccount(service, user, "ada", "strava");
  await service.settle();
  await push({ object_type: "athlete", object_id: owner_id, updates: { authorized: "false" } });
  await pushLargeBatch(service, user);
  await pullLargeActivities(service, user);
}

function findLastWorkoutId(service: TestService, account: string): number {
  const now = service.cloud.clock.now();
  const { workouts = [] } = service.started.service.providers
    .provider("strava")
    .expectedRecords(account, now - 20 * 86_400_000, now);
  return Number(workouts.at(-1)?.provider_id);
}

/** Sends a push whose track is stored in the bucket. */
async function pushLargeBatch(service: TestService, user: string): Promise<void> {
  await keepPayloads(service);
  await setPullDays(service, 2, "garmin");
  await connectAccount(service, user, "ada", "garmin");
  await service.settle();
  const startTimeInSeconds = Math.floor(service.cloud.clock.now() / 1000) - LONG - 60;
  const samples = Array.from({ length: LONG }, (_, second) => ({
    startTimeInSeconds: startTimeInSeconds + second,
    latitudeInDegree: randomBytes(4).readUInt32BE() / 1e8,
    longitudeInDegree: randomBytes(4).readUInt32BE() / 1e8,
  }));
  const summary = { startTimeInSeconds, durationInSeconds: LONG, activityType: "RUNNING" };
  const headers = { "content-type": "application/json", "garmin-client-id": simulatorApplication.clientId };
  const activityDetails = [{ userId: garminUserId("ada"), summaryId: "long", summary, samples }];
  const sent = { method: "POST", headers, body: JSON.stringify({ activityDetails }) };
  expect((await fetch(pushUrl(service, "garmin"), sent)).status).toBe(200);
  await service.settle();
  for (const ingestion_end of ["2020-01-01", null]) {
    await service.call("PATCH", `/v2/user/${user}`, { body: { ingestion_end } });
    const body = { provider: "garmin", dry_run: false };
    expect((await service.call("POST", `/v2/raw_payloads/${user}/remap`, { body })).status).toBe(202);
    await service.settle();
  }
}

/** Pulls activities whose tracks are stored in the bucket: from a history, a refresh and a push. */
async function pullLargeActivities(service: TestService, user: string): Promise<void> {
  const { providers } = service.started.service;
  const answer = providers.answer.bind(providers);
  const data = Array.from({ length: LONG / 2 }, () =>
    [randomBytes(4), randomBytes(4)].map((four) => four.readUInt32BE() / 1e8),
  );
  const body = { time: { data: data.map((_, second) => second) }, latlng: { data } };
  providers.answer = async (request) => {
    const reply = await answer(request);
    return request.path.endsWith("/streams") && reply.status === 200 ? { ...reply, body } : reply;
  };
  await setPullDays(service, 7, "strava");
  await connectAccount(service, user, "bea", "strava");
  await service.settle();
  expect((await service.call("POST", `/v2/user/refresh/${user}`)).status).toBeLessThan(300);
  await service.settle();
  const change = { object_type: "activity", object_id: findLastWorkoutId(service, "bea"), aspect_type: "update" };
  const push = JSON.stringify({ ...change, owner_id: stravaUserId("bea") });
  const sent = await fetch(pushUrl(service, "strava", true), { method: "POST", body: push });
  expect(sent.status).toBe(200);
  await service.settle();
  providers.answer = answer;
}
