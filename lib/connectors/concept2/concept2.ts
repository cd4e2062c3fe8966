import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { hasPushKey } from "../push-key.ts";
import { windowDates } from "../window-dates.ts";
import { timesOf, toPerson, toStream, toWorkout } from "./map.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://log.concept2.com";
const API = `${ORIGIN}/api/users/me`;
const RESULTS_PER_PAGE = 250;
const SLUG = "concept2";
/** Resources without a history are pulled in one window that covers the whole past. */
const WINDOW_DAYS_FOR_CURRENT_DATA = 36_500;
const scopes = ["user:read", "results:read"];

const toBatch = (resources: PulledBatch["resources"]): PulledBatch => ({ source_type: "unknown", resources });

/** Lists results by the local dates of their ends. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  // A local date may be a day before that in UTC, and the end of a workout a day after its start.
  const { first, last } = windowDates({ startMs: startMs - DAY_MS, endMs: endMs + DAY_MS });
  const query = { from: first, to: last, number: RESULTS_PER_PAGE };
  for (let page = 1; ; page++) {
    const found = await client.get(`${API}/results`, replies.results, { ...query, page });
    for (const done of found.data) {
      const begin = timesOf(done).startMs;
      if (begin >= startMs && begin < endMs) yield toBatch(await pullRecords(done, client));
    }
    const { total, per_page } = found.meta.pagination;
    if (found.data.length === 0 || page * per_page >= total) return;
  }
}

/** Maps a result with its strokes, which a result that a user entered does not have. */
async function pullRecords(done: replies.Result, client: ProviderClient): Promise<PulledBatch["resources"]> {
  const address = `${API}/results/${done.id}/strokes`;
  const found = done.stroke_data ? await undefinedIfRefused(client.get(address, replies.strokes)) : undefined;
  return { workouts: [toWorkout(done)], workout_stream: toStream(done, found?.data ?? []) };
}

async function* pullWorkout(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const address = `${API}/results/${encodeURIComponent(id)}`;
  const found = await undefinedIfRefused(client.get(address, replies.oneResult));
  if (found) yield toBatch(await pullRecords(found.data, client));
}

async function* profile({ endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const person = await client.get(API, replies.user);
  yield toBatch(toPerson(person, new Date(endMs).toISOString().slice(0, 10)));
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  profile,
  workouts,
};

/** Concept2 Logbook API v1; docs/connectors.md lists what was tested and against which server. */
export const concept2: Connector = {
  slug: SLUG,
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/authorize`,
    tokenUrl: `${ORIGIN}/oauth/access_token`,
    scopes,
    identityScopes: ["user:read"],
    scopeSeparator: ",",
    clientAuthentication: "body",
    pkce: false,
    // Token requests, too, must name scopes.
    tokenParameters: { scope: scopes.join(",") },
    fetchAccountId: async (_, client) => String((await client.get(API, replies.user)).data.id),
  },
  historyDays: 180,
  resources: [
    {
      name: "profile",
      delivers: ["profile", "body"],
      windowDays: WINDOW_DAYS_FOR_CURRENT_DATA,
      scopes: ["user:read"],
    },
    { name: "workouts", delivers: ["workouts", "workout_stream"], windowDays: 30, scopes: ["results:read"] },
  ],
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
  pullOne: (_, id, client) => pullWorkout(id, client),
  push: {
    // The documents name no signature: the address of the webhook carries a secret.
    verify: (request, app) => hasPushKey(request, app, SLUG),
    // A push of a deletion names no user. The result in the push is not trusted; the connector fetches it again.
    parse: ({ body }) => {
      const { result } = replies.pushBody.parse(JSON.parse(body)).data;
      if (!result) return [];
      return [{ accountId: String(result.user_id), changed: { resource: "workouts", id: String(result.id) } }];
    },
  },
};
