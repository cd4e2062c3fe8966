import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { readFitFile } from "../read-fit-file.ts";
import { toDays, toMeasurements, toSleep, toWorkout } from "./map.ts";
import { suuntoPush } from "./push.ts";
import * as replies from "./replies.ts";

const API = "https://cloudapi.suunto.com";
const OAUTH = "https://cloudapi-oauth.suunto.com/oauth";
const WORKOUTS_PER_PAGE = 100;
/** The longest range of samples that a request may name. */
const MAX_SAMPLE_DAYS = 28;

/** Each request for data names the application by its subscription key. */
const subscription = async (client: ProviderClient) => ({
  "ocp-apim-subscription-key": await client.appKey("subscription_key"),
});

/** Lists workouts. An unreadable one is reported, and counts as one of its page. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const span = { since: startMs, until: endMs - 1, "filter-by-modification-time": "false" };
  for (let offset = 0; ; offset += WORKOUTS_PER_PAGE) {
    const query = { ...span, limit: WORKOUTS_PER_PAGE, offset: offset || undefined };
    const { payload } = await client.get(`${API}/v3/workouts`, replies.workouts, query, await subscription(client));
    for (const one of payload) {
      const done = client.readRecord(one, replies.workout, "workout");
      if (done) yield await withStream(done, client);
    }
    if (payload.length < WORKOUTS_PER_PAGE) return;
  }
}

/** Maps a workout and the FIT file of the watch, if there is one. */
async function withStream(done: replies.Workout, client: ProviderClient): Promise<PulledBatch> {
  const address = `${API}/v3/workouts/${encodeURIComponent(done.workoutKey)}/fit`;
  const headers = { ...(await subscription(client)), accept: "*/*" };
  const response = await undefinedIfRefused(client.send(address, { headers }));
  const stream = response && (await readFitFile(await response.arrayBuffer())).stream;
  const workout_stream = stream ? [{ provider_id: done.workoutKey, ...stream }] : [];
  const device_id = done.gear?.displayName ?? done.gear?.name;
  return { source_type: "watch", device_id, resources: { workouts: [toWorkout(done)], workout_stream } };
}

async function* pullWorkout(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const address = `${API}/v3/workouts/${encodeURIComponent(id)}`;
  const found = await undefinedIfRefused(client.get(address, replies.oneWorkout, {}, await subscription(client)));
  if (found) yield await withStream(found.payload, client);
}

async function* sleep({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const query = { from: startMs, to: endMs - 1 };
  const headers = await subscription(client);
  const nights = await client.get(`${API}/247samples/sleep`, replies.sleepSample.array(), query, headers);
  yield { source_type: "watch", resources: { sleep: nights.map(toSleep) } };
}

/** Pulls samples of the window and of the days around it, so that each local day is whole. */
async function* activity({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const fetched = { startMs: startMs - DAY_MS, endMs: endMs + DAY_MS };
  const query = { from: fetched.startMs, to: fetched.endMs };
  const headers = await subscription(client);
  const found = await client.get(`${API}/247samples/activity`, replies.activitySample.array(), query, headers);
  const samples = [...new Map(found.map((sample) => [sample.timestamp, sample])).values()];
  const resources = { activity: toDays(samples, fetched, client.now()), ...toMeasurements(samples) };
  yield { source_type: "watch", resources };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  workouts,
  sleep,
  activity,
};

/** Suunto's Cloud API; docs/connectors.md lists what was tested and against which server. */
export const suunto: Connector = {
  slug: "suunto",
  oauth: {
    authorizationUrl: `${OAUTH}/authorize`,
    tokenUrl: `${OAUTH}/token`,
    revocation: {
      kind: "own",
      revoke: async (client, { app }) =>
        void (await client.send(`${OAUTH}/deauthorize?${new URLSearchParams({ client_id: app.clientId })}`)),
    },
    scopes: [],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "basic",
    pkce: false,
    fetchAccountId: async (reply) => readStrictly(reply, replies.tokenOwner).user,
  },
  historyDays: 180,
  resources: [
    { name: "workouts", delivers: ["workouts", "workout_stream"], windowDays: 30, scopes: [] },
    { name: "sleep", delivers: ["sleep"], windowDays: MAX_SAMPLE_DAYS, scopes: [] },
    {
      name: "activity",
      delivers: ["activity", "heartrate", "hrv", "blood_oxygen"],
      windowDays: MAX_SAMPLE_DAYS - 2,
      scopes: [],
    },
  ],
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
  pullOne: (_, id, client) => pullWorkout(id, client),
  push: suuntoPush,
};
