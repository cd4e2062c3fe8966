import type { Connector, PulledBatch, Push, Window } from "../connector.ts";
import { ProviderRefused, unlessRefused } from "../provider-error.ts";
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

const DAY_MS = 86_400_000;

/**
 * Orders what of a window Garmin still gives: nothing that is more than a month older than the user's consent, whose time
 * nobody tells. So what is refused is halved, and the later half is asked for first. @throws ProviderRefused for all of it.
 */
async function orderWhatThereIs(type: string, window: Window, client: ProviderClient): Promise<void> {
  const { startMs, endMs } = window;
  try {
    await order(type, window, client);
  } catch (error) {
    const isTooOld = error instanceof ProviderRefused && error.status === 400;
    if (!isTooOld || endMs - startMs <= DAY_MS) throw error;
    const middleMs = startMs + Math.ceil((endMs - startMs) / DAY_MS / 2) * DAY_MS;
    await orderWhatThereIs(type, { startMs: middleMs, endMs }, client);
    await unlessRefused(orderWhatThereIs(type, { startMs, endMs: middleMs }, client));
  }
}

/** Nothing can be asked for: older data is ordered, once for each span, and comes by pushes. */
async function order(type: string, { startMs, endMs }: Window, client: ProviderClient): Promise<void> {
  const [start, end] = [startMs, endMs].map((ms) => String(Math.floor(ms / 1000)));
  const query = new URLSearchParams({ summaryStartTimeInSeconds: start ?? "", summaryEndTimeInSeconds: end ?? "" });
  await client.send(`${API}/backfill/${type}?${query}`).catch((error) => {
    const isOrdered = error instanceof ProviderRefused && error.status === 409;
    if (!isOrdered) throw error;
  });
}

async function* pull(name: string, window: Window, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const types = typesOf[name] ?? [];
  const refusals: ProviderRefused[] = [];
  for (const type of types) {
    await orderWhatThereIs(type, window, client).catch((error) => {
      if (!(error instanceof ProviderRefused)) throw error;
      refusals.push(error);
    });
  }
  const [refusal] = refusals;
  if (refusal && refusals.length === types.length) throw refusal;
}

/** What a body says, by user and type. */
function parse(body: string): Push[] {
  return Object.entries(readPushed(body, replies.pushed)).flatMap(([name, summaries]): Push[] => {
    if (name === "deregistrations") return summaries.map(({ userId }) => ({ accountId: userId, isRevoked: true }));
    const type = summaryTypes[name];
    if (!type) return [];
    const { pings = [], told = [] } = Object.groupBy(summaries, ({ callbackURL }) => (callbackURL ? "pings" : "told"));
    const byUser = Map.groupBy(told, ({ userId }) => userId);
    return [
      ...[...byUser].map(([accountId, ofUser]) => ({ accountId, batch: batchOf(type, ofUser) })),
      ...pings.map(({ userId, callbackURL }) => ({
        accountId: userId,
        changed: { resource: resourceOf(name), id: `${name} ${callbackURL}` },
      })),
    ];
  });
}

/** The resource that a type is part of; one that can not be ordered comes with the days. */
const resourceOf = (type: string): string =>
  Object.entries(typesOf).find(([, types]) => types.includes(type))?.[0] ?? "activity";

/** What a ping said where to fetch: from Garmin alone, whatever the ping says. */
async function* pullOne(_: string, id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const [name = "", address = ""] = id.split(" ");
  const type = summaryTypes[name];
  if (!type || !URL.canParse(address) || !new URL(address).href.startsWith(`${API}/`)) return;
  yield batchOf(type, await client.get(address, replies.summaries));
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
  pullOne,
  push: {
    // Nothing is signed: the address has a key that only Garmin was told, and a header names our application.
    verify: (request, app) =>
      hasPushKey(request, app, SLUG) && isSame(request.headers["garmin-client-id"] ?? "", app.clientId),
    parse: ({ body }) => parse(body),
  },
};
