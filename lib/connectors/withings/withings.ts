import * as z from "zod";
import { DAY_MS, DAY_S } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { widenToWholeDays } from "../window-dates.ts";
import { toActivity, toWorkout } from "./map-days.ts";
import { deviceOf, measureTypes, toMeasures } from "./map-measures.ts";
import { toSleep, toSleepCycle, toSleepDetails, toSleepStream } from "./map-sleep.ts";
import { revokeAccess, toHttpStatus, toStandardResponse } from "./protocol.ts";
import { withingsPush } from "./push.ts";
import * as replies from "./replies.ts";

const API = "https://wbsapi.withings.net";
/** Model number of watches and bands in sleep summaries. */
const TRACKER_MODEL = 16;

const ACTIVITY_FIELDS = "steps,distance,soft,moderate,intense,calories,totalcalories,hr_average,hr_min,hr_max";
const WORKOUT_FIELDS = "calories,manual_calories,distance,manual_distance,steps,hr_average,hr_max";
const NIGHT_FIELDS = [
  "wakeupduration,lightsleepduration,deepsleepduration,remsleepduration,sleep_latency,sleep_efficiency",
  "total_timeinbed,total_sleep_time,asleepduration,hr_average,hr_min,rr_average,sleep_score",
].join(",");

const formatDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Dates are local, so the range includes half a day on both sides of the window. */
const toDateRange = ({ startMs, endMs }: TimeWindow) => ({
  startdateymd: formatDate(startMs - DAY_MS / 2),
  enddateymd: formatDate(endMs + DAY_MS / 2),
});

type Page = {
  readonly body: { readonly more?: boolean | number | null | undefined; readonly offset?: number | null | undefined };
};

/** Lists the pages of an action's response. */
async function* listPages<S extends z.ZodType<Page>>(
  client: ProviderClient,
  path: string,
  schema: S,
  form: Readonly<Record<string, string>>,
): AsyncGenerator<z.output<S>["body"]> {
  let offset: number | undefined;
  do {
    const page = await client.post(
      `${API}${path}`,
      schema,
      offset === undefined ? form : { ...form, offset: `${offset}` },
    );
    yield page.body;
    offset = page.body.more ? (page.body.offset ?? undefined) : undefined;
  } while (offset !== undefined);
}

/** Reads beyond the window: the `body` of a day needs all measures of the day. */
async function* measures(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const { startMs, endMs } = widenToWholeDays(window);
  const [startdate, enddate] = [Math.floor(startMs / 1000), Math.ceil(endMs / 1000)].map(String);
  const form = { action: "getmeas", meastypes: measureTypes, category: "1", startdate: startdate!, enddate: enddate! };
  const groups: replies.MeasureGroup[] = [];
  let timeZone: string | undefined;
  for await (const page of listPages(client, "/measure", replies.measures, form)) {
    groups.push(...page.measuregrps);
    timeZone = page.timezone ?? timeZone;
  }
  yield* toMeasures(groups, timeZone, window);
}

async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const form = { action: "getactivity", data_fields: ACTIVITY_FIELDS, ...toDateRange(window) };
  for await (const { activities } of listPages(client, "/v2/measure", replies.activities, form)) {
    const bySource = Map.groupBy(activities, ({ is_tracker }) => (is_tracker === false ? "phone" : "watch"));
    for (const [source_type, all] of bySource) {
      for (const { recorder, records } of groupByRecorder(all, deviceOf))
        yield { source_type, ...recorder, resources: { activity: records.map(toActivity) } };
    }
  }
}

async function* workouts(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const form = { action: "getworkouts", data_fields: WORKOUT_FIELDS, ...toDateRange(window) };
  for await (const { series } of listPages(client, "/v2/measure", replies.workouts, form)) {
    for (const { recorder, records } of groupByRecorder(series, deviceOf))
      yield { source_type: "watch", ...recorder, resources: { workouts: records.map(toWorkout) } };
  }
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const form = { action: "getsummary", data_fields: NIGHT_FIELDS, ...toDateRange(window) };
  for await (const { series } of listPages(client, "/v2/sleep", replies.nights, form)) {
    for (const night of new Map(series.map((one) => [one.id, one])).values()) yield toNight(night, client);
  }
}

/** Maps a night with its details, which need a request per night. */
async function toNight(night: replies.Night, client: ProviderClient): Promise<PulledBatch> {
  const enddate = Math.min(night.enddate, night.startdate + DAY_S);
  const form = { action: "get", data_fields: "hr,rr,rmssd", startdate: `${night.startdate}`, enddate: `${enddate}` };
  // Without readable details, or if Withings refuses them for this night, the night stays.
  const payload = await undefinedIfRefused(client.post(`${API}/v2/sleep`, z.unknown(), form));
  const details =
    payload === undefined ? undefined : client.readRecord(payload, replies.sleepSegments, "sleep details");
  const course = toSleepDetails(night, details?.body.series ?? []);
  const hasCourse = course.stretches.length > 0;
  return {
    source_type: night.model === TRACKER_MODEL ? "watch" : "unknown",
    ...deviceOf(night),
    resources: {
      sleep: [toSleep(night)],
      sleep_cycle: hasCourse ? [toSleepCycle(night, course)] : [],
      sleep_stream: hasCourse ? [toSleepStream(night, course)] : [],
      heartrate: course.heartrate,
      respiratory_rate: course.respiratory_rate,
      hrv: course.hrv,
    },
  };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  body: measures,
  activity,
  sleep,
  workouts,
};

const resource = (name: string, scope: string, delivers: readonly string[] = [name], windowDays = 30) =>
  ({ name, delivers, windowDays, scopes: [scope] }) as const;

/** Withings API; docs/connectors.md lists what was tested and against which server. */
export const withings: Connector = {
  slug: "withings",
  oauth: {
    authorizationUrl: "https://account.withings.com/oauth2_user/authorize2",
    tokenUrl: `${API}/v2/oauth2`,
    revocation: { kind: "own", revoke: revokeAccess },
    scopes: ["user.metrics", "user.activity", "user.sleepevents"],
    identityScopes: [],
    scopeSeparator: ",",
    clientAuthentication: "body",
    pkce: false,
    tokenParameters: { action: "requesttoken" },
    unwrap: toStandardResponse,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).userid),
  },
  historyDays: 90,
  resources: [
    resource("body", "user.metrics", [
      ...["body", "weight", "fat", "profile", "blood_pressure", "heartrate", "blood_oxygen"],
      ...["body_temperature", "lean_body_mass", "vo2_max"],
    ]),
    resource("activity", "user.activity"),
    resource("sleep", "user.activity", ["sleep", "sleep_cycle", "heartrate", "respiratory_rate", "hrv"], 7),
    resource("workouts", "user.activity"),
  ],
  statusFromBody: toHttpStatus,
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
  push: withingsPush,
};
