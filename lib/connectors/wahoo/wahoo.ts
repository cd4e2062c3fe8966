import type { Connector, PulledBatch, Window } from "../connector.ts";
import { afterWindows, numbersOf } from "../limit-windows.ts";
import { ProviderRefused } from "../provider-error.ts";
import type { ProviderClient } from "../provider-http.ts";
import { isSame } from "../push-key.ts";
import { readFitStream } from "./fit-records.ts";
import { toProfile, toWorkout } from "./map.ts";
import * as replies from "./replies.ts";

const API = "https://api.wahooligan.com";
const PAGE = 30;

type Records = PulledBatch["resources"];
const batchOf = (resources: Records): PulledBatch => ({ source_type: "unknown", resources });

/** Maps a workout and its FIT file; empty for a planned workout. */
async function recordsOf(done: replies.Workout, client: ProviderClient): Promise<Records> {
  const sums = done.workout_summary;
  if (!sums) return {};
  const stream = await streamOf(sums, client);
  const provider_id = String(done.id);
  return { workouts: [toWorkout(done, sums)], workout_stream: stream ? [{ provider_id, ...stream }] : [] };
}

/** Reads the FIT file of a workout from its public URL; undefined if the file no longer exists. */
async function streamOf({ file }: replies.Summary, client: ProviderClient) {
  const url = file?.url;
  if (!url || !/^https:\/\/[a-z0-9-]+\.wahooligan\.com\//.test(url)) return undefined;
  try {
    return await readFitStream(await client.download(url));
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined;
    throw error;
  }
}

/** Lists workouts, newest first, until the first one before the window. */
async function* workouts({ startMs, endMs }: Window, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (let page = 1, seen = 0, isOver = false; !isOver; page++) {
    const listed = await client.get(`${API}/v1/workouts`, replies.workouts, { page, per_page: PAGE });
    for (const done of listed.workouts) {
      const ms = Date.parse(done.starts);
      if (ms >= startMs && ms < endMs) yield batchOf(await recordsOf(done, client));
    }
    seen += listed.workouts.length;
    const last = listed.workouts.at(-1);
    isOver = last === undefined || Date.parse(last.starts) < startMs || seen >= listed.total;
  }
}

async function* workout(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const done = await client.get(`${API}/v1/workouts/${encodeURIComponent(id)}`, replies.workout);
  yield batchOf(await recordsOf(done, client));
}

const userOf = (client: ProviderClient) => client.get(`${API}/v1/user`, replies.user);

async function* profile(_: Window, client: ProviderClient): AsyncGenerator<PulledBatch> {
  yield batchOf({ profile: [toProfile(await userOf(client))] });
}

const pulls: Readonly<Record<string, (window: Window, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  profile,
  workouts,
};

/** Wahoo Cloud API v1; docs/connectors.md lists what was tested and against which server. */
export const wahoo: Connector = {
  slug: "wahoo",
  oauth: {
    authorizationUrl: `${API}/oauth/authorize`,
    tokenUrl: `${API}/oauth/token`,
    revocation: {
      kind: "own",
      revoke: async (client) => void (await client.send(`${API}/v1/permissions`, { method: "DELETE" })),
    },
    scopes: ["user_read", "workouts_read", "offline_data"],
    identityScopes: ["user_read"],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: true,
    accountOf: async (_, client) => String((await userOf(client)).id),
  },
  historyDays: 180,
  resources: [
    { name: "profile", delivers: ["profile"], windowDays: 180, scopes: ["user_read"] },
    { name: "workouts", delivers: ["workouts"], windowDays: 30, scopes: ["workouts_read"] },
  ],
  retryAt: (headers, nowMs) => {
    const left = numbersOf(headers, "x-ratelimit-remaining");
    const resets = numbersOf(headers, "x-ratelimit-reset");
    return afterWindows(
      resets.map((resetS, place) => ({ resetS, isUsedUp: (left[place] ?? 1) <= 0 })),
      nowMs,
    );
  },
  push: {
    // Wahoo does not sign pushes. The body carries the token configured in Wahoo's developer portal.
    verify: ({ body }, { pushSecret }) => {
      const token = replies.proof.safeParse(body).data?.webhook_token;
      return pushSecret !== undefined && token !== undefined && isSame(token, pushSecret);
    },
    // The workout in the push is not trusted; the connector fetches it from Wahoo's API.
    parse: ({ body }) => {
      const { user, workout_summary } = replies.pushed.parse(JSON.parse(body));
      if (!workout_summary) return [];
      const changed = { resource: "workouts", id: String(workout_summary.workout.id) };
      return [{ accountId: String(user.id), changed }];
    },
  },
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
  pullOne: (_, id, client) => workout(id, client),
};
