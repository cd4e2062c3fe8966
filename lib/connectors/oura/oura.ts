import type * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { windowForDate } from "../window-dates.ts";
import { toActivity, toBloodOxygen, toProfile, toVo2Max, toWorkout } from "./map-days.ts";
import { isSleepPeriod, toSamples, toSleep, toSleepCycle, toSleepStream } from "./map-sleep.ts";
import { ouraPush } from "./push.ts";
import * as replies from "./replies.ts";

const API = "https://api.ouraring.com";
const COLLECTION = `${API}/v2/usercollection`;

type Records = PulledBatch["resources"];
const formatDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Dates are local, and Oura may exclude the end date, so the range ends one day later. */
const toDateRange = ({ startMs, endMs }: TimeWindow) => ({
  start_date: formatDate(startMs),
  end_date: formatDate(endMs + DAY_MS),
});
const toInstantRange = ({ startMs, endMs }: TimeWindow) => ({
  start_datetime: new Date(startMs).toISOString(),
  end_datetime: new Date(endMs).toISOString(),
});

/** Lists a collection, page by page. */
async function* listPages<S extends z.ZodType>(
  client: ProviderClient,
  name: string,
  item: S,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<z.output<S>[]> {
  let next_token: string | undefined;
  do {
    const page = await client.get(`${COLLECTION}/${name}`, replies.pageSchema(item), { ...query, next_token });
    yield page.data;
    next_token = page.next_token || undefined;
  } while (next_token !== undefined);
}

/** Lists all documents of a collection by date. */
async function listByDay<S extends z.ZodType<{ day: string }>>(
  client: ProviderClient,
  name: string,
  item: S,
  window: TimeWindow,
) {
  const all = new Map<string, z.output<S>>();
  for await (const page of listPages(client, name, item, toDateRange(window)))
    for (const one of page) all.set(one.day, one);
  return all;
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  const scores = await listByDay(client, "daily_sleep", replies.dailySleep, window);
  const readiness = await listByDay(client, "daily_readiness", replies.dailyReadiness, window);
  yield {
    body_temperature_delta: [...readiness.values()].flatMap(({ timestamp, temperature_deviation: value }) =>
      value == null ? [] : [{ timestamp, value }],
    ),
  };
  for await (const page of listPages(client, "sleep", replies.sleepPeriod, toDateRange(window))) {
    const periods = page.filter(isSleepPeriod);
    yield {
      sleep: periods.map((one) =>
        toSleep(one, { score: scores.get(one.day)?.score, readiness: readiness.get(one.day) }),
      ),
      sleep_cycle: periods.filter(({ sleep_phase_5_min }) => sleep_phase_5_min).map(toSleepCycle),
      sleep_stream: periods.flatMap(toSleepStream),
      hrv: periods.flatMap(({ hrv }) => toSamples(hrv)),
    };
  }
}

async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "daily_activity", replies.dailyActivity, toDateRange(window)))
    yield { activity: page.map(toActivity) };
}

/** Times are in UTC and do not state the user's offset. */
async function* heartrate(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "heartrate", replies.heartRate, toInstantRange(window)))
    yield { heartrate: page.map(({ timestamp, bpm: value }) => ({ timestamp, timezone_offset: null, value })) };
}

async function* workouts(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "workout", replies.workout, toDateRange(window)))
    yield { workouts: page.map(toWorkout) };
}

async function* bloodOxygen(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "daily_spo2", replies.dailySpo2, toDateRange(window)))
    yield { blood_oxygen: page.flatMap(toBloodOxygen) };
}

async function* vo2Max(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  // The path has this spelling; the data type of pushes does not.
  for await (const page of listPages(client, "vO2_max", replies.vo2Max, toDateRange(window)))
    yield { vo2_max: page.flatMap(toVo2Max) };
}

async function* profile(_: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  yield { profile: [toProfile(await client.get(`${COLLECTION}/personal_info`, replies.personalInfo))] };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Records>>> = {
  profile,
  activity,
  sleep,
  workouts,
  heartrate,
  blood_oxygen: bloodOxygen,
  vo2_max: vo2Max,
};

const resource = (name: string, scope: string, delivers: readonly string[] = [name]) =>
  ({ name, delivers, windowDays: 30, scopes: [scope] }) as const;

/** Oura API v2; docs/connectors.md lists what was tested and against which server. */
export const oura: Connector = {
  slug: "oura",
  oauth: {
    authorizationUrl: "https://cloud.ouraring.com/oauth/authorize",
    tokenUrl: `${API}/oauth/token`,
    revocation: {
      kind: "own",
      revoke: async (client) => {
        const token = await client.accessToken();
        await client.send(`${API}/oauth/revoke?access_token=${encodeURIComponent(token)}`, { method: "POST" });
      },
    },
    scopes: ["personal", "daily", "heartrate", "workout", "session", "spo2", "heart_health"],
    identityScopes: ["personal"],
    returnsScopesInRedirect: true,
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    fetchAccountId: async (_, client) => (await client.get(`${COLLECTION}/personal_info`, replies.personalInfo)).id,
  },
  historyDays: 180,
  resources: [
    resource("profile", "personal"),
    resource("activity", "daily"),
    resource("sleep", "daily", ["sleep", "sleep_cycle", "hrv", "body_temperature_delta"]),
    resource("workouts", "workout"),
    resource("heartrate", "heartrate"),
    resource("blood_oxygen", "spo2"),
    resource("vo2_max", "heart_health"),
  ],
  async *pull(name, window, client) {
    for await (const resources of pulls[name]?.(window, client) ?? []) yield { source_type: "ring", resources };
  },
  async *pullOne(name, id, client) {
    const { day } = await client.get(`${COLLECTION}/${id}`, replies.datedDocument);
    yield* this.pull(name, windowForDate(day), client);
  },
  push: ouraPush,
};
