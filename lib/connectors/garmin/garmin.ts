import { DAY_MS } from "../../domain/shared/durations.ts";
import type { Connector, PulledBatch, Push, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { ignoreRefusal, ProviderRefused } from "../provider-error.ts";
import { hasPushKey, timingSafeEquals } from "../push-key.ts";
import { type DroppedFieldListener, readPushTolerantly } from "../tolerant-reader.ts";
import * as replies from "./replies.ts";
import { summaryTypes, toBatches } from "./summary-types.ts";

const API = "https://apis.garmin.com/wellness-api/rest";
const SLUG = "garmin";
const WINDOW_DAYS = 30;

/** Garmin summary types by the resource that they deliver. */
const summaryTypesByResource: Readonly<Record<string, readonly string[]>> = {
  activity: ["dailies", "epochs"],
  sleep: ["sleeps"],
  body: ["bodyComps"],
  stress_level: ["stressDetails"],
  blood_pressure: ["bloodPressures"],
  vo2_max: ["userMetrics"],
  workouts: ["activities", "activityDetails"],
};

/** Delivered resource names, where they differ from the resource's own name. */
const deliveriesByResource: Readonly<Record<string, readonly string[]>> = {
  activity: ["activity", "heartrate", "steps", "distance", "calories_active"],
  sleep: ["sleep", "sleep_cycle"],
  body: ["body", "weight", "fat"],
};

/**
 * Requests a backfill of the part of a window that Garmin still provides. Garmin rejects data more than one month older
 * than the user's consent, and does not report that time. A rejected window is halved; the later half goes first.
 * @throws ProviderRefused if Garmin rejects the whole window.
 */
async function requestAvailableBackfill(type: string, window: TimeWindow, client: ProviderClient): Promise<void> {
  const { startMs, endMs } = window;
  try {
    await requestBackfill(type, window, client);
  } catch (error) {
    const isTooOld = error instanceof ProviderRefused && error.status === 400;
    if (!isTooOld || endMs - startMs <= DAY_MS) throw error;
    const middleMs = startMs + Math.ceil((endMs - startMs) / DAY_MS / 2) * DAY_MS;
    await requestAvailableBackfill(type, { startMs: middleMs, endMs }, client);
    await ignoreRefusal(requestAvailableBackfill(type, { startMs, endMs: middleMs }, client));
  }
}

/** Requests a backfill. Garmin delivers it by pushes and responds with 409 to a repeated request. */
async function requestBackfill(type: string, { startMs, endMs }: TimeWindow, client: ProviderClient): Promise<void> {
  const [start, end] = [startMs, endMs].map((ms) => String(Math.floor(ms / 1000)));
  const query = new URLSearchParams({ summaryStartTimeInSeconds: start ?? "", summaryEndTimeInSeconds: end ?? "" });
  await client.send(`${API}/backfill/${type}?${query}`).catch((error) => {
    const isOrdered = error instanceof ProviderRefused && error.status === 409;
    if (!isOrdered) throw error;
  });
}

async function* pull(name: string, window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const types = summaryTypesByResource[name] ?? [];
  const refusals: ProviderRefused[] = [];
  for (const type of types) {
    await requestAvailableBackfill(type, window, client).catch((error) => {
      if (!(error instanceof ProviderRefused)) throw error;
      refusals.push(error);
    });
  }
  const [refusal] = refusals;
  if (refusal && refusals.length === types.length) throw refusal;
}

/** Parses a push body into one push per user and summary type. */
function parsePush(body: string, onDropped?: DroppedFieldListener): Push[] {
  return Object.entries(readPushTolerantly(body, replies.pushBody, onDropped)).flatMap(([name, summaries]): Push[] => {
    if (name === "deregistrations") return summaries.map(({ userId }) => ({ accountId: userId, isRevoked: true }));
    const type = summaryTypes[name];
    if (!type) return [];
    const { pings = [], pushed = [] } = Object.groupBy(summaries, ({ callbackURL }) =>
      callbackURL ? "pings" : "pushed",
    );
    const byUser = Map.groupBy(pushed, ({ userId }) => userId);
    return [
      ...[...byUser].flatMap(([accountId, ofUser]) =>
        toBatches(type, ofUser, onDropped).map((batch) => ({ accountId, batch })),
      ),
      ...pings.map(({ userId, callbackURL }) => ({
        accountId: userId,
        changed: { resource: resourceOfSummaryType(name), id: `${name} ${callbackURL}` },
      })),
    ];
  });
}

/** A push contains summaries of any number of users. */
function selectAccount(body: string, accountId: string): string {
  const payload: Readonly<Record<string, unknown>> = JSON.parse(body);
  const own = Object.entries(payload).flatMap(([name, summaries]) => {
    const ofUser = Array.isArray(summaries) ? summaries.filter((one) => one?.userId === accountId) : [];
    return ofUser.length > 0 ? [[name, ofUser]] : [];
  });
  return JSON.stringify(Object.fromEntries(own));
}

/** The resource of a summary type; types without backfill belong to `activity` or, if they name activities, to `workouts`. */
const resourceOfSummaryType = (type: string): string =>
  Object.entries(summaryTypesByResource).find(([, types]) => types.includes(type))?.[0] ??
  (type === "manuallyUpdatedActivities" ? "workouts" : "activity");

/** Fetches the callback URL of a ping. Ignores a URL outside Garmin's API. */
async function* pullOne(_: string, id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const [name = "", address = ""] = id.split(" ");
  const type = summaryTypes[name];
  if (!type || !URL.canParse(address) || !new URL(address).href.startsWith(`${API}/`)) return;
  const onDropped = (fields: Parameters<DroppedFieldListener>[0]) => client.reportDropped(fields);
  yield* toBatches(type, await client.get(address, replies.summaries), onDropped);
}

/** Garmin Health and Activity APIs; docs/connectors.md lists what was tested and against which server. */
export const garmin: Connector = {
  slug: SLUG,
  oauth: {
    authorizationUrl: "https://connect.garmin.com/oauth2Confirm",
    tokenUrl: "https://diauth.garmin.com/di-oauth2-service/oauth/token",
    revocation: {
      kind: "own",
      revoke: async (client) => void (await client.send(`${API}/user/registration`, { method: "DELETE" })),
    },
    // Permissions are configured in Garmin's portal. The scopes in token responses differ from those that users see.
    scopes: [],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: true,
    unwrap: (reply) => {
      const { scope: _, ...rest } = Object(reply);
      return rest;
    },
    fetchAccountId: async (_, client) => (await client.get(`${API}/user/id`, replies.userId)).userId,
  },
  historyDays: 90,
  isPushOnly: true,
  resources: Object.keys(summaryTypesByResource).map((name) => ({
    name,
    delivers: deliveriesByResource[name] ?? [name],
    windowDays: WINDOW_DAYS,
    scopes: [],
  })),
  pull,
  pullOne,
  push: {
    // Garmin does not sign pushes. The callback URL carries a secret, and a header carries the client id.
    verify: (request, app) =>
      hasPushKey(request, app, SLUG) && timingSafeEquals(request.headers["garmin-client-id"] ?? "", app.clientId),
    parse: ({ body }, onDropped) => parsePush(body, onDropped),
    selectAccount,
  },
};
