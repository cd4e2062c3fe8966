import type { Connector, PulledBatch, Window } from "../connector.ts";
import { ProviderRefused } from "../provider-error.ts";
import { asPublished, type ProviderClient } from "../provider-http.ts";
import { toPerson, toStream, toWorkout } from "./map-activity.ts";
import { push } from "./push.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://www.strava.com";
const API = `${ORIGIN}/api/v3`;
const PAGE = 200;
const STREAMS = "time,heartrate,distance,altitude,latlng,cadence,watts,velocity_smooth,temp";
/** Resources without a history are pulled in one window that covers the whole past. */
const ALL_DAYS = 36_500;
/** Short windows lose little progress when the rate limit is exhausted: each workout costs two requests. */
const WINDOW_DAYS = 7;
const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

type Records = PulledBatch["resources"];

async function* workouts({ startMs, endMs }: Window, client: ProviderClient): AsyncGenerator<Records> {
  // Strava excludes both bounds.
  const span = { after: Math.floor(startMs / 1000) - 1, before: Math.ceil(endMs / 1000) };
  for (let page = 1; ; page++) {
    const query = { ...span, page, per_page: PAGE };
    const found = await client.get(`${API}/athlete/activities`, replies.listed.array(), query);
    for (const id of new Set(found.map((one) => one.id))) yield* workout(String(id), client);
    if (found.length < PAGE) return;
  }
}

/** Pulls one workout with its streams. */
async function* workout(id: string, client: ProviderClient): AsyncGenerator<Records> {
  const address = `${API}/activities/${encodeURIComponent(id)}`;
  const done = await unlessGone(client.get(address, replies.activity));
  if (!done) return;
  const keys = { keys: STREAMS, key_by_type: "true" };
  const streams = await unlessGone(client.get(`${address}/streams`, replies.streams, keys));
  yield { workouts: [toWorkout(done)], workout_stream: toStream(done, streams ?? {}) };
}

/** Maps a 404 to undefined: deleted activities, and streams of manual activities. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProviderRefused && error.status === 404) return undefined;
    throw error;
  }
}

async function* profile({ endMs }: Window, client: ProviderClient): AsyncGenerator<Records> {
  const person = await client.get(`${API}/athlete`, replies.athlete);
  yield toPerson(person, new Date(endMs).toISOString().slice(0, 10));
}

const pulls: Readonly<Record<string, (window: Window, client: ProviderClient) => AsyncGenerator<Records>>> = {
  profile,
  workouts,
};

/** Converts an error of the token endpoint, which names the invalid resource, to the form of RFC 6749. */
function standardReply(body: unknown): unknown {
  const refused = replies.refusal.safeParse(body);
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
  const span = isDayUsedUp ? DAY_MS : QUARTER_MS;
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
    tellsScopesInRedirect: true,
    scopeSeparator: ",",
    clientAuthentication: "body",
    pkce: false,
    unwrap: standardReply,
    accountOf: async (reply) => String(asPublished(reply, replies.granted).athlete.id),
  },
  historyDays: 180,
  resources: [
    { name: "profile", delivers: ["profile", "body"], windowDays: ALL_DAYS, scopes: ["profile:read_all"] },
    {
      name: "workouts",
      delivers: ["workouts", "workout_stream"],
      windowDays: WINDOW_DAYS,
      scopes: ["activity:read_all"],
    },
  ],
  retryAt,
  async *pull(name, window, client) {
    for await (const resources of pulls[name]?.(window, client) ?? []) yield { source_type: "app", resources };
  },
  async *pullOne(name, id, client) {
    if (name !== "workouts") return;
    for await (const resources of workout(id, client)) yield { source_type: "app", resources };
  },
  push,
};
