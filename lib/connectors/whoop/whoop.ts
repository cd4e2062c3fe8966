import type * as z from "zod";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { ProviderRefused } from "../provider-error.ts";
import { isScored, toActivity, toPerson, toSampleAtEnd, toSleep, toWorkout } from "./map-records.ts";
import { whoopPush } from "./push.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://api.prod.whoop.com";
const API = `${ORIGIN}/developer/v2`;
const RECORDS_PER_PAGE = 25;
/** Resources without a history are pulled in one window that covers the whole past. */
const WINDOW_DAYS_FOR_CURRENT_DATA = 36_500;

type Records = PulledBatch["resources"];

/** Lists the scored records of a collection, page by page. */
async function* listPages<S extends z.ZodType<{ score_state: string }>>(
  client: ProviderClient,
  path: string,
  item: S,
  { startMs, endMs }: TimeWindow,
): AsyncGenerator<z.output<S>[]> {
  const [start, end] = [new Date(startMs).toISOString(), new Date(endMs).toISOString()];
  let nextToken: string | undefined;
  do {
    const query = { limit: RECORDS_PER_PAGE, start, end, nextToken };
    const page = await client.get(`${API}${path}`, replies.pageSchema(item), query);
    yield page.records.filter(isScored);
    nextToken = page.next_token || undefined;
  } while (nextToken !== undefined);
}

async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "/cycle", replies.cycle, window))
    yield { activity: page.flatMap(toActivity) };
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  const recoveries = await fetchRecoveries(window, client);
  for await (const page of listPages(client, "/activity/sleep", replies.sleep, window)) {
    const recovered = page.map((one) => [one, recoveries.get(one.id)] as const);
    yield {
      sleep: recovered.flatMap(([one, recovery]) => toSleep(one, recovery)),
      respiratory_rate: page.flatMap((one) => toSampleAtEnd(one, one.score?.respiratory_rate)),
      hrv: recovered.flatMap(([one, recovery]) => toSampleAtEnd(one, recovery?.hrv_rmssd_milli)),
      blood_oxygen: recovered.flatMap(([one, recovery]) => toSampleAtEnd(one, recovery?.spo2_percentage)),
    };
  }
}

/** Fetches recovery scores by sleep id; empty if the user did not grant the scope. */
async function fetchRecoveries(window: TimeWindow, client: ProviderClient) {
  const found = new Map<string, replies.Recovery["score"]>();
  try {
    for await (const page of listPages(client, "/recovery", replies.recovery, window))
      for (const { sleep_id, score } of page) found.set(sleep_id, score);
  } catch (error) {
    if (!(error instanceof ProviderRefused) || error.status !== 403) throw error;
  }
  return found;
}

async function* workouts(window: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  for await (const page of listPages(client, "/activity/workout", replies.workout, window))
    yield { workouts: page.flatMap(toWorkout) };
}

async function* profile({ endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  const measured = await client.get(`${API}/user/measurement/body`, replies.bodyMeasurement);
  yield toPerson(measured, new Date(endMs).toISOString().slice(0, 10));
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Records>>> = {
  profile,
  activity,
  sleep,
  workouts,
};

/** Collections that support a lookup by id. */
const collections: Readonly<Record<string, { path: string; item: typeof replies.sleep | typeof replies.workout }>> = {
  sleep: { path: "/activity/sleep", item: replies.sleep },
  workouts: { path: "/activity/workout", item: replies.workout },
};

const resource = (name: string, scope: string, delivers: readonly string[] = [name], windowDays = 30) =>
  ({ name, delivers, windowDays, scopes: [scope] }) as const;

/** WHOOP API v2; docs/connectors.md lists what was tested and against which server. */
export const whoop: Connector = {
  slug: "whoop_v2",
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/oauth2/auth`,
    tokenUrl: `${ORIGIN}/oauth/oauth2/token`,
    revocation: {
      kind: "own",
      revoke: async (client) => void (await client.send(`${API}/user/access`, { method: "DELETE" })),
    },
    scopes: [
      "offline",
      "read:profile",
      "read:body_measurement",
      "read:cycles",
      "read:recovery",
      "read:sleep",
      "read:workout",
    ],
    // WHOOP issues refresh tokens only with the scope `offline`.
    identityScopes: ["offline", "read:profile"],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    refreshParameters: { scope: "offline" },
    fetchAccountId: async (_, client) =>
      String((await client.get(`${API}/user/profile/basic`, replies.basicProfile)).user_id),
  },
  historyDays: 180,
  resources: [
    resource("profile", "read:body_measurement", ["profile", "body"], WINDOW_DAYS_FOR_CURRENT_DATA),
    resource("activity", "read:cycles"),
    resource("sleep", "read:sleep", ["sleep", "respiratory_rate", "hrv", "blood_oxygen"]),
    resource("workouts", "read:workout"),
  ],
  retryAt(headers, nowMs) {
    const seconds = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
    return Number.isNaN(seconds) ? undefined : nowMs + seconds * 1000;
  },
  async *pull(name, window, client) {
    for await (const resources of pulls[name]?.(window, client) ?? []) yield { source_type: "watch", resources };
  },
  async *pullOne(name, id, client) {
    const place = collections[name];
    if (!place) return;
    const { start, end } = await client.get(`${API}${place.path}/${encodeURIComponent(id)}`, place.item);
    yield* this.pull(name, { startMs: Date.parse(start), endMs: Date.parse(end) + 1 }, client);
  },
  push: whoopPush,
};
