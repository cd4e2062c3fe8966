import type { Connector, PulledBatch, Push, Window } from "../connector.ts";
import { ProviderRefused } from "../provider-error.ts";
import type { ProviderClient } from "../provider-http.ts";
import { hasPushKey, isSame } from "../push-key.ts";
import { readPushed } from "../read-published.ts";
import * as replies from "./replies.ts";
import { batchOf, summaryTypes } from "./summaries.ts";

const API = "https://apis.garmin.com/wellness-api/rest";
const SLUG = "garmin";
const WINDOW_DAYS = 30;

/** Which types of summaries bring a resource. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  activity: ["dailies", "epochs"],
  sleep: ["sleeps"],
  body: ["bodyComps"],
  stress_level: ["stressDetails"],
  blood_pressure: ["bloodPressures"],
  vo2_max: ["userMetrics"],
  workouts: ["activities", "activityDetails"],
};

/** What each resource brings, where it is more than its name says. */
const delivers: Readonly<Record<string, readonly string[]>> = {
  activity: ["activity", "heartrate", "steps", "distance", "calories_active"],
  sleep: ["sleep", "sleep_cycle"],
  body: ["body", "weight", "fat"],
};

/** Nothing can be asked for: older data is ordered, once for each span, and comes by pushes. */
async function order(type: string, { startMs, endMs }: Window, client: ProviderClient): Promise<void> {
  const [start, end] = [startMs, endMs].map((ms) => String(Math.floor(ms / 1000)));
  const query = new URLSearchParams({ summaryStartTimeInSeconds: start ?? "", summaryEndTimeInSeconds: end ?? "" });
  await client.send(`${API}/backfill/${type}?${query}`).catch((error) => {
    const isOrdered = error instanceof ProviderRefused && error.status === 409;
    if (!isOrdered) throw error;
  });
}

// biome-ignore lint/correctness/useYield: what is ordered comes by pushes
async function* pull(name: string, window: Window, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (const type of typesOf[name] ?? []) await order(type, window, client);
}

/** What a body says, by user and type. */
function parse(body: string): Push[] {
  return Object.entries(readPushed(body, replies.pushed)).flatMap(([name, summaries]): Push[] => {
    if (name === "deregistrations") return summaries.map(({ userId }) => ({ accountId: userId, isRevoked: true }));
    const type = summaryTypes[name];
    if (!type) return [];
    const byUser = Map.groupBy(summaries, ({ userId }) => userId);
    return [...byUser].map(([accountId, ofUser]) => ({ accountId, batch: batchOf(type, ofUser) }));
  });
}

/** Garmin watches and scales (Health and Activity API): docs/connectors.md says what was proven and against what. */
export const garmin: Connector = {
  slug: SLUG,
  oauth: {
    authorizationUrl: "https://connect.garmin.com/oauth2Confirm",
    tokenUrl: "https://diauth.garmin.com/di-oauth2-service/oauth/token",
    revocation: {
      kind: "own",
      revoke: async (client) => void (await client.send(`${API}/user/registration`, { method: "DELETE" })),
    },
    // What is asked for is set on Garmin's page; the scopes of its replies are others than those that users see.
    scopes: [],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: true,
    unwrap: (reply) => {
      const { scope: _, ...rest } = Object(reply);
      return rest;
    },
    accountOf: async (_, client) => (await client.get(`${API}/user/id`, replies.userId)).userId,
  },
  historyDays: 90,
  isPushOnly: true,
  resources: Object.keys(typesOf).map((name) => ({
    name,
    delivers: delivers[name] ?? [name],
    windowDays: WINDOW_DAYS,
    scopes: [],
  })),
  pull,
  push: {
    // Nothing is signed: the address has a key that only Garmin was told, and a header names our application.
    verify: (request, app) =>
      hasPushKey(request, app, SLUG) && isSame(request.headers["garmin-client-id"] ?? "", app.clientId),
    parse: ({ body }) => parse(body),
  },
};
