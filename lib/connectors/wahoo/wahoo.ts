import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { ProviderRefused } from "../provider-error.ts";
import { timingSafeEquals } from "../push-key.ts";
import { computeRetryTime, parseNumberList } from "../rate-limit-window.ts";
import { readFitFile } from "../read-fit-file.ts";
import { toProfile, toWorkout } from "./map.ts";
import * as replies from "./replies.ts";

const API = "https://api.wahooligan.com";
const WORKOUTS_PER_PAGE = 30;

type Records = PulledBatch["resources"];
const toBatch = (resources: Records): PulledBatch => ({ source_type: "unknown", resources });

/** Maps a workout and its FIT file; empty for a planned workout. */
async function pullRecords(done: replies.Workout, client: ProviderClient): Promise<Records> {
  const sums = done.workout_summary;
  if (!sums) return {};
  const stream = await pullStream(sums, client);
  const provider_id = String(done.id);
  return { workouts: [toWorkout(done, sums)], workout_stream: stream ? [{ provider_id, ...stream }] : [] };
}

/** Reads the FIT file of a workout from its public URL; undefined if the file no longer exists. */
async function pullStream({ file }: replies.Summary, client: ProviderClient) {
  const url = file?.url;
  if (!url || !/^https:\/\/[a-z0-9-]+\.wahooligan\.com\//.test(url)) return undefined;
  try {
    return (await readFitFile(await client.download(url))).stream;
  } catch (error) {
    if (error instanceof ProviderRefused) return undefined;
    throw error;
  }
}

/** Lists workouts, newest first, until the first one before the window. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (let page = 1, seen = 0, isOver = false; !isOver; page++) {
    const listed = await client.get(`${API}/v1/workouts`, replies.workouts, { page, per_page: WORKOUTS_PER_PAGE });
    for (const done of listed.workouts) {
      const ms = Date.parse(done.starts);
      if (ms >= startMs && ms < endMs) yield toBatch(await pullRecords(done, client));
    }
    seen += listed.workouts.length;
    const last = listed.workouts.at(-1);
    isOver = last === undefined || Date.parse(last.starts) < startMs || seen >= listed.total;
  }
}

async function* pullWorkout(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const done = await client.get(`${API}/v1/workouts/${encodeURIComponent(id)}`, replies.workout);
  yield toBatch(await pullRecords(done, client));
}

const fetchUser = (client: ProviderClient) => client.get(`${API}/v1/user`, replies.user);

async function* profile(_: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  yield toBatch({ profile: [toProfile(await fetchUser(client))] });
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
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
    fetchAccountId: async (_, client) => String((await fetchUser(client)).id),
  },
  historyDays: 180,
  resources: [
    { name: "profile", delivers: ["profile"], windowDays: 180, scopes: ["user_read"] },
    { name: "workouts", delivers: ["workouts"], windowDays: 30, scopes: ["workouts_read"] },
  ],
  retryAt: (headers, nowMs) => {
    const left = parseNumberList(headers, "x-ratelimit-remaining");
    const resets = parseNumberList(headers, "x-ratelimit-reset");
    return computeRetryTime(
      resets.map((resetS, place) => ({ resetS, isUsedUp: (left[place] ?? 1) <= 0 })),
      nowMs,
    );
  },
  push: {
    // Wahoo does not sign pushes. The body carries the token configured in Wahoo's developer portal.
    verify: ({ body }, { pushSecret }) => {
      const token = replies.pushToken.safeParse(body).data?.webhook_token;
      return pushSecret !== undefined && token !== undefined && timingSafeEquals(token, pushSecret);
    },
    // The workout in the push is not trusted; the connector fetches it from Wahoo's API.
    parse: ({ body }) => {
      const { user, workout_summary } = replies.pushBody.parse(JSON.parse(body));
      if (!workout_summary) return [];
      const changed = { resource: "workouts", id: String(workout_summary.workout.id) };
      return [{ accountId: String(user.id), changed }];
    },
  },
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
  pullOne: (_, id, client) => pullWorkout(id, client),
};
