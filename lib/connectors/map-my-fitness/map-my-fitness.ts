import type * as z from "zod";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { findDuration, idOf, toStream, toWorkout } from "./map-workout.ts";
import * as replies from "./replies.ts";

const API = "https://api.mapmyfitness.com/v7.1";
/** The maximum of public clients. */
const PAGE_SIZE = 40;
/** Each workout costs a request, so short windows lose little progress when the provider fails. */
const WINDOW_DAYS = 30;

/** Fetches with the key of the application. */
async function get<S extends z.ZodType>(client: ProviderClient, path: string, schema: S, query = {}) {
  const headers = { "api-key": (await client.app()).clientId };
  return client.get(`${API}/${path}/`, schema, query, headers);
}

/** Fetches; undefined for what does not exist. */
const find = <S extends z.ZodType>(...question: Parameters<typeof get<S>>) =>
  undefinedIfRefused(get(...question), [404]);

/** Returns a function that names activity types, and asks for each of them once. */
function typeNames(client: ProviderClient) {
  const known = new Map<string, string | undefined>();
  return async (id: string): Promise<string | undefined> => {
    if (id !== "" && !known.has(id)) {
      const path = `activity_type/${encodeURIComponent(id)}`;
      known.set(id, (await find(client, path, replies.activityType))?.name);
    }
    return known.get(id);
  };
}

const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}+00:00`;

async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const nameOf = typeNames(client);
  const range = { started_after: formatTime(startMs), started_before: formatTime(endMs) };
  for (let offset = 0; ; ) {
    const query = { user: client.accountId, ...range, limit: PAGE_SIZE, offset: offset || undefined };
    const page = await get(client, "workout", replies.workoutList, query);
    for (const done of page._embedded.workouts) {
      // Both bounds are included and have whole seconds.
      const ms = parseInstant(done.start_datetime)?.ms;
      if (ms === undefined || ms < startMs || ms >= endMs) continue;
      if (findDuration(done) === undefined) client.reportDropped([{ field: "active_time_total", reason: "bad_time" }]);
      const records = toWorkout(done, await nameOf(idOf(done._links.activity_type)));
      const workout_stream = done.has_time_series ? await fetchStream(done, client) : [];
      yield { source_type: "unknown", app_id: done.source || null, resources: { workouts: records, workout_stream } };
    }
    const next = nextOffset(page._links?.next?.[0]?.href);
    if (next === undefined || next <= offset) return;
    offset = next;
  }
}

/** The offset in the address of the next page; undefined on the last page. */
function nextOffset(href: string | undefined): number | undefined {
  const offset = href === undefined ? null : new URL(href, API).searchParams.get("offset");
  return offset === null ? undefined : Number(offset);
}

/** Unreadable series are reported, and leave the workout in place. */
async function fetchStream(done: replies.Workout, client: ProviderClient) {
  const path = `workout/${encodeURIComponent(idOf(done._links.self))}`;
  const details = await find(client, path, replies.workoutDetails, { field_set: "time_series" });
  const series =
    details?.time_series == null
      ? undefined
      : client.readRecord(details.time_series, replies.timeSeries, "time_series");
  return series ? toStream(done, series) : [];
}

/** MapMyFitness API v7.1; docs/connectors.md lists what was tested and against which server. */
export const mapMyFitness: Connector = {
  slug: "map_my_fitness",
  oauth: {
    authorizationUrl: "https://www.mapmyfitness.com/v7.1/oauth2/authorize/",
    tokenUrl: `${API}/oauth2/access_token/`,
    scopes: [],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).user_id),
  },
  historyDays: 180,
  lateUploadDays: 14,
  resources: [{ name: "workouts", delivers: ["workouts", "workout_stream"], windowDays: WINDOW_DAYS, scopes: [] }],
  async *pull(name, window, client) {
    if (name === "workouts") yield* workouts(window, client);
  },
};
