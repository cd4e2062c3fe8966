import * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { ProviderRefused } from "../provider-error.ts";
import { computeRetryTime, parseNumberList } from "../rate-limit-window.ts";
import { windowDates } from "../window-dates.ts";
import { type NightOffsets, nightOffsets } from "./clock-times.ts";
import { toActivity, toBody, toHeartRate, toProfile } from "./map-days.ts";
import { toCycle, toSamples, toSleep, toSleepStream } from "./map-sleep.ts";
import { toWorkoutStream } from "./map-workout-stream.ts";
import { exerciseStartMs, toWorkout } from "./map-workouts.ts";
import { polarPush } from "./push.ts";
import * as replies from "./replies.ts";

const API = "https://www.polaraccesslink.com/v3";
const USERS = `${API}/users`;
/** Polar returns at most 28 days per request; a window touches up to two dates more than its length. */
const WINDOW_DAYS = 26;

type Batch = Omit<PulledBatch, "source_type">;

const toDateRange = (window: TimeWindow) => {
  const { first: from, last: to } = windowDates(window);
  return { from, to };
};

const fetchNights = async (window: TimeWindow, client: ProviderClient) =>
  (await client.get(`${USERS}/sleep`, replies.nights, toDateRange(window))).nights;

async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const all = await client.get(`${USERS}/activities`, replies.activities, toDateRange(window));
  yield { resources: { activity: all.map(toActivity) } };
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const nights = await fetchNights(window, client);
  const { recharges } = await client.get(`${USERS}/nightly-recharge`, replies.recharges, toDateRange(window));
  const byDate = new Map(recharges.map((one) => [one.date, one]));
  for (const { recorder, records } of groupByRecorder(nights, deviceOf)) {
    const resources = {
      sleep: records.map((night) => toSleep(night, byDate.get(night.date))),
      sleep_cycle: records.flatMap(toCycle),
      sleep_stream: records.flatMap((night) => toSleepStream(night, byDate.get(night.date))),
      hrv: records.flatMap((night) => toSamples(night, byDate.get(night.date)?.hrv_samples)),
    };
    yield { ...recorder, resources };
  }
}

/** Local times need the UTC offset of a night. Days without any known night are skipped. */
async function* heartrate(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const byDate = new Map((await fetchNights(window, client)).map((night) => [night.date, nightOffsets(night)]));
  const payload = await client.get(`${USERS}/continuous-heart-rate`, z.unknown(), toDateRange(window));
  const { heart_rates } = client.read(replies.toDayList(payload), replies.heartRates);
  let last: NightOffsets | undefined = [...byDate.values()].find((offsets) => offsets);
  for (const day of heart_rates) {
    const offsets: NightOffsets | undefined = byDate.get(day.date) ?? (last && { ...last, before: last.after });
    if (offsets) yield { resources: { heartrate: toHeartRate(day, offsets) } };
    last = offsets;
  }
}

/** Polar lists all exercises of the last 30 days in one response. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const query = { samples: "true", route: "true" };
  const all = await client.get(`${API}/exercises`, replies.exercises, query);
  const wanted = all.filter((one) => exerciseStartMs(one) >= startMs && exerciseStartMs(one) < endMs);
  for (const { recorder, records } of groupByRecorder(wanted, deviceOf)) yield { ...recorder, ...toExercises(records) };
}

/** Polar reports the current weight only, so only the newest window delivers it. */
async function* profile({ endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const person = await client.get(`${USERS}/${client.accountId}`, replies.person);
  const isNow = endMs > client.now() - DAY_MS;
  const date = new Date(endMs).toISOString().slice(0, 10);
  yield { resources: { profile: toProfile(person), body: isNow ? toBody(person, date) : [] } };
}

async function* pullExercise(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const query = { samples: "true", route: "true" };
  const one = await client.get(`${API}/exercises/${encodeURIComponent(id)}`, replies.exercise, query);
  yield toBatch({ ...deviceOf(one), ...toExercises([one]) });
}

const toExercises = (all: readonly replies.Exercise[]) => ({
  resources: { workouts: all.map(toWorkout), workout_stream: all.flatMap(toWorkoutStream) },
});

const deviceOf = ({ device_id }: { readonly device_id?: string | null | undefined }) => ({ device_id });

const toBatch = (batch: Batch): PulledBatch => ({ source_type: "watch", ...batch });

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Batch>>> = {
  profile,
  activity,
  sleep,
  heartrate,
  workouts,
};

const SCOPE = "accesslink.read_all";
const resource = (name: string, delivers: readonly string[] = [name]) =>
  ({ name, delivers, windowDays: WINDOW_DAYS, scopes: [SCOPE] }) as const;

/** Registers the user with the application, which Polar requires before any data. Idempotent (409). */
async function registerUser(accountId: string, client: ProviderClient): Promise<void> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ "member-id": accountId }),
  };
  await client.send(USERS, request).catch((error) => {
    if (!(error instanceof ProviderRefused && error.status === 409)) throw error;
  });
}

/** Polar AccessLink v3; docs/connectors.md lists what was tested and against which server. */
export const polar: Connector = {
  slug: "polar",
  oauth: {
    authorizationUrl: "https://flow.polar.com/oauth2/authorization",
    tokenUrl: "https://polarremote.com/v2/oauth2/token",
    revocation: {
      kind: "own",
      // Without a completed connection the registration may belong to another one of the same user, so it stays.
      revoke: async (client, { accountId }) => {
        if (accountId !== undefined) await client.send(`${USERS}/${accountId}`, { method: "DELETE" });
      },
    },
    scopes: [SCOPE],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "basic",
    pkce: false,
    fetchAccountId: async (reply, client) => {
      const accountId = String(readStrictly(reply, replies.tokenOwner).x_user_id);
      await registerUser(accountId, client);
      return accountId;
    },
  },
  historyDays: 28,
  resources: [
    resource("profile", ["profile", "body"]),
    resource("activity"),
    resource("sleep", ["sleep", "sleep_cycle", "hrv"]),
    resource("heartrate"),
    resource("workouts"),
  ],
  retryAt: (headers, nowMs) => {
    const [used, most] = [parseNumberList(headers, "ratelimit-usage"), parseNumberList(headers, "ratelimit-limit")];
    const resets = parseNumberList(headers, "ratelimit-reset");
    const windows = resets.map((resetS, place) => ({ resetS, isUsedUp: (used[place] ?? 0) >= (most[place] ?? 0) }));
    return computeRetryTime(windows, nowMs);
  },
  push: polarPush,
  async *pull(name, window, client) {
    for await (const batch of pulls[name]?.(window, client) ?? []) yield toBatch(batch);
  },
  pullOne: (_, id, client) => pullExercise(id, client),
};
