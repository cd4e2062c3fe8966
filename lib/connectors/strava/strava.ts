import * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { toPerson, toStream, toWorkout } from "./map-activity.ts";
import { stravaPush } from "./push.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://www.strava.com";
const API = `${ORIGIN}/api/v3`;
const ACTIVITIES_PER_PAGE = 200;
const STREAMS = "time,heartrate,distance,altitude,latlng,cadence,watts,velocity_smooth,temp";
/** Resources without a history are pulled in one window that covers the whole past. */
const WINDOW_DAYS_FOR_CURRENT_DATA = 36_500;
/** Short windows lose little progress when the rate limit is exhausted: each workout costs two requests. */
const WINDOW_DAYS = 7;
const QUARTER_HOUR_MS = 15 * 60_000;

/** Statuses of deleted activities, and of streams of manual activities. */
const NOT_FOUND = [404];

type Batch = Omit<PulledBatch, "source_type">;

/** Lists activities until an empty page: a page that is not the last one may be shorter than requested. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  // Strava excludes both bounds.
  const span = { after: Math.floor(startMs / 1000) - 1, before: Math.ceil(endMs / 1000) };
  for (let page = 1; ; page++) {
    const query = { ...span, page, per_page: ACTIVITIES_PER_PAGE };
    const listed = await client.get(`${API}/athlete/activities`, z.array(z.unknown()), query);
    if (listed.length === 0) return;
    const found = listed.flatMap((one) => client.readRecord(one, replies.activityListItem, "activity") ?? []);
    for (const id of new Set(found.map((one) => one.id))) yield* pullWorkout(String(id), client);
  }
}

/** Pulls one workout with its streams. */
async function* pullWorkout(id: string, client: ProviderClient): AsyncGenerator<Batch> {
  const address = `${API}/activities/${encodeURIComponent(id)}`;
  // An unreadable activity or stream is reported, and leaves the other activities in place.
  const found = await undefinedIfRefused(client.get(address, z.unknown()), NOT_FOUND);
  const done = found === undefined ? undefined : client.readRecord(found, replies.activity, "activity");
  if (!done) return;
  const keys = { keys: STREAMS, key_by_type: "true" };
  const payload = await undefinedIfRefused(client.get(`${address}/streams`, z.unknown(), keys), NOT_FOUND);
  const streams = payload === undefined ? undefined : client.readRecord(payload, replies.streams, "streams");
  const resources = { workouts: [toWorkout(done)], workout_stream: toStream(done, streams ?? {}) };
  yield { device_id: done.device_name, resources };
}

async function* profile({ endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const person = await client.get(`${API}/athlete`, replies.athlete);
  yield { resources: toPerson(person, new Date(endMs).toISOString().slice(0, 10)) };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Batch>>> = {
  profile,
  workouts,
};

/** Converts an error of the token endpoint, which names the invalid resource, to the form of RFC 6749. */
function toStandardResponse(body: unknown): unknown {
  const refused = replies.errorResponse.safeParse(body);
  if (!refused.success) return body;
  const isApplication = refused.data.errors.some(({ resource }) => resource === "Application");
  return { error: isApplication ? "invalid_client" : "invalid_grant" };
}

/** Daily limits reset at midnight UTC, the others at the next full quarter hour. */
function retryAt(headers: Headers, nowMs: number): number {
  const numbers = (name: string) => (headers.get(name) ?? "").split(",").map(Number);
  const isDayUsedUp = ["x-ratelimit", "x-readratelimit"].some((kind) => {
    const [[, most = Number.NaN], [, used = Number.NaN]] = [numbers(`${kind}-limit`), numbers(`${kind}-usage`)];
    return used >= most;
  });
  const span = isDayUsedUp ? DAY_MS : QUARTER_HOUR_MS;
  return (Math.floor(nowMs / span) + 1) * span;
}

/** Strava API v3; docs/connectors.md lists what was tested and against which server. */
export const strava: Connector = {
  slug: "strava",
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/authorize`,
    tokenUrl: `${ORIGIN}/oauth/token`,
    revocation: { kind: "standard", url: `${ORIGIN}/oauth/revoke`, clientAuthentication: "basic" },
    scopes: ["activity:read_all", "profile:read_all"],
    identityScopes: [],
    returnsScopesInRedirect: true,
    scopeSeparator: ",",
    clientAuthentication: "body",
    pkce: false,
    unwrap: toStandardResponse,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).athlete.id),
  },
  historyDays: 14,
  resources: [
    {
      name: "profile",
      delivers: ["profile", "body"],
      windowDays: WINDOW_DAYS_FOR_CURRENT_DATA,
      scopes: ["profile:read_all"],
    },
    {
      name: "workouts",
      delivers: ["workouts", "workout_stream"],
      windowDays: WINDOW_DAYS,
      scopes: ["activity:read_all"],
    },
  ],
  retryAt,
  async *pull(name, window, client) {
    for await (const batch of pulls[name]?.(window, client) ?? []) yield { source_type: "app", ...batch };
  },
  async *pullOne(name, id, client) {
    if (name !== "workouts") return;
    for await (const batch of pullWorkout(id, client)) yield { source_type: "app", ...batch };
  },
  push: stravaPush,
};
