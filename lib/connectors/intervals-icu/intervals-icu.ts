import * as z from "zod";
import { HOUR_MS } from "../../domain/shared/durations.ts";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { Connector, PulledBatch, PushRequest, TimeWindow } from "../connector.ts";
import { jsonTextSchema } from "../json-text.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { timingSafeEquals } from "../push-key.ts";
import { readPushTolerantly } from "../tolerant-reader.ts";
import { windowDates } from "../window-dates.ts";
import { toStream, toWorkout } from "./map-activity.ts";
import { toWellness } from "./map-wellness.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://intervals.icu";
const API = `${ORIGIN}/api/v1`;
/** The athlete `0` is the one of the token. */
const OWN = `${API}/athlete/0`;
const STREAMS = "time,heartrate,distance,altitude,latlng,cadence,watts,velocity_smooth,temp";
/** Each workout costs a request, so short windows lose little progress when the provider fails. */
const WORKOUT_WINDOW_DAYS = 30;
const WELLNESS_WINDOW_DAYS = 90;

/** Statuses of deleted activities, and of activities without streams. */
const NOT_FOUND = [404];

type Batch = Omit<PulledBatch, "source_type">;

const formatLocal = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Lists activities by local time, in any zone, and pulls the streams of those that started in the window. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const query = { oldest: formatLocal(startMs - 12 * HOUR_MS), newest: formatLocal(endMs + 14 * HOUR_MS) };
  const found = await client.get(`${OWN}/activities`, z.array(replies.activity), query);
  const unique = new Map(found.map((one) => [String(one.id), one]));
  for (const done of unique.values()) {
    const ms = parseInstant(done.start_date)?.ms;
    // Activities of Strava lack everything but the local start.
    if (done.start_date == null && done.elapsed_time != null)
      client.reportDropped([{ field: "start_date", reason: "bad_time" }]);
    if (ms !== undefined && ms >= startMs && ms < endMs) yield* withStreams(done, client);
  }
}

/** The activity with its streams; nothing for one without data, such as those of Strava. */
async function* withStreams(done: replies.Activity, client: ProviderClient): AsyncGenerator<Batch> {
  const records = toWorkout(done);
  if (records.length === 0) return;
  const address = `${API}/activity/${encodeURIComponent(String(done.id))}/streams.json`;
  // Unreadable streams are reported, and leave the workout in place.
  const payload = await undefinedIfRefused(client.get(address, z.unknown(), { types: STREAMS }), NOT_FOUND);
  const streams = payload == null ? undefined : client.readRecord(payload, replies.streams, "streams");
  yield {
    device_id: done.device_name || null,
    resources: { workouts: records, workout_stream: toStream(done, streams ?? []) },
  };
}

async function* wellness(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const { first, last } = windowDates(window);
  const query = { oldest: first, newest: last };
  yield { resources: toWellness(await client.get(`${OWN}/wellness`, z.array(replies.wellness), query)) };
}

/** Converts an error of the token endpoint to the form of RFC 6749: 404 for an unknown application. */
function toStandardResponse(body: unknown): unknown {
  const refused = replies.errorResponse.safeParse(body);
  if (!refused.success) return body;
  return { error: refused.data.status === 404 ? "invalid_client" : "invalid_grant" };
}

const withSecret = jsonTextSchema(replies.pushSecret);

/** Whether the body contains the secret of the application's page. */
function isFromProvider({ body }: PushRequest, pushSecret: string | undefined): boolean {
  const { success, data } = withSecret.safeParse(body);
  return success && pushSecret !== undefined && timingSafeEquals(data.secret, pushSecret);
}

/** Intervals.icu API v1; docs/connectors.md lists what was tested and against which server. */
export const intervalsIcu: Connector = {
  slug: "intervals_icu",
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/authorize`,
    tokenUrl: `${ORIGIN}/api/oauth/token`,
    scopes: ["ACTIVITY:READ", "WELLNESS:READ"],
    identityScopes: [],
    scopeSeparator: ",",
    clientAuthentication: "body",
    pkce: false,
    unwrap: toStandardResponse,
    fetchAccountId: async (reply) => readStrictly(reply, replies.tokenOwner).athlete.id,
  },
  historyDays: 180,
  resources: [
    {
      name: "workouts",
      delivers: ["workouts", "workout_stream"],
      windowDays: WORKOUT_WINDOW_DAYS,
      scopes: ["ACTIVITY:READ"],
    },
    {
      name: "wellness",
      delivers: ["activity", "body", "hrv", "respiratory_rate", "blood_oxygen", "vo2_max"],
      windowDays: WELLNESS_WINDOW_DAYS,
      scopes: ["WELLNESS:READ"],
    },
  ],
  push: {
    verify: (request, { pushSecret }) => isFromProvider(request, pushSecret),
    parse: ({ body }, onDropped) =>
      readPushTolerantly(body, replies.pushBody, onDropped).events.flatMap(({ athlete_id, type, activity }) =>
        activity && type.startsWith("ACTIVITY_") && type !== "ACTIVITY_DELETED"
          ? [{ accountId: athlete_id, changed: { resource: "workouts", id: String(activity.id) } }]
          : [],
      ),
  },
  async *pull(name, window, client) {
    const pull = name === "workouts" ? workouts : name === "wellness" ? wellness : undefined;
    for await (const batch of pull?.(window, client) ?? []) yield { source_type: "unknown", ...batch };
  },
  async *pullOne(name, id, client) {
    if (name !== "workouts") return;
    const payload = await undefinedIfRefused(
      client.get(`${API}/activity/${encodeURIComponent(id)}`, z.unknown()),
      NOT_FOUND,
    );
    const done = payload == null ? undefined : client.readRecord(payload, replies.activity, "activity");
    if (!done) return;
    for await (const batch of withStreams(done, client)) yield { source_type: "unknown", ...batch };
  },
};
