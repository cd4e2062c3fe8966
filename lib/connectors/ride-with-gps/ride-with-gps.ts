import { createHmac } from "node:crypto";
import { parseInstant } from "../../domain/shared/instant.ts";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { undefinedIfRefused } from "../provider-error.ts";
import { timingSafeEquals } from "../push-key.ts";
import { readPushTolerantly } from "../tolerant-reader.ts";
import { toStream, toWorkout } from "./map-trip.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://ridewithgps.com";
const API = `${ORIGIN}/api/v1`;
/** Each trip costs a request, so short windows lose little progress when the provider fails. */
const WINDOW_DAYS = 30;

/** Actions that change data. A pinned trip (`added`) may be another user's. */
const CHANGES = ["created", "updated"];

/** Statuses of private trips of others, and of deleted trips. */
const GONE = [403, 404];

/** Lists trips, the latest update first, until one that was last updated before the window. */
async function* workouts({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for (let page = 1; ; page++) {
    const { trips, meta } = await client.get(`${API}/trips.json`, replies.tripList, { page });
    for (const { id, departed_at } of trips) {
      const ms = parseInstant(departed_at)?.ms;
      if (ms !== undefined && ms >= startMs && ms < endMs) yield* pullTrip(String(id), client);
    }
    const last = parseInstant(trips.at(-1)?.updated_at)?.ms;
    if (!meta.pagination.next_page_url || trips.length === 0 || (last !== undefined && last < startMs)) return;
  }
}

/** Pulls one trip with its track; nothing if it no longer exists. */
async function* pullTrip(id: string, client: ProviderClient): AsyncGenerator<PulledBatch> {
  const found = await undefinedIfRefused(
    client.get(`${API}/trips/${encodeURIComponent(id)}.json`, replies.oneTrip),
    GONE,
  );
  // An unreadable trip is reported, and leaves the other trips in place.
  const trip = found === undefined ? undefined : client.readRecord(found.trip, replies.trip, "trip");
  if (!trip) return;
  const resources = { workouts: toWorkout(trip), workout_stream: toStream(trip) };
  yield { source_type: "unknown", device_id: trip.device_display_name || null, resources };
}

/** Ride with GPS API v1; docs/connectors.md lists what was tested and against which server. */
export const rideWithGps: Connector = {
  slug: "ride_with_gps",
  oauth: {
    authorizationUrl: `${ORIGIN}/oauth/authorize`,
    tokenUrl: `${ORIGIN}/oauth/token.json`,
    scopes: ["user"],
    identityScopes: [],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    fetchAccountId: async (reply) => String(readStrictly(reply, replies.tokenOwner).user_id),
  },
  historyDays: 180,
  resources: [{ name: "workouts", delivers: ["workouts", "workout_stream"], windowDays: WINDOW_DAYS, scopes: [] }],
  push: {
    verify: ({ headers, body }, { clientSecret }) => {
      const right = createHmac("sha256", clientSecret).update(body).digest("hex");
      return timingSafeEquals(headers["x-rwgps-signature"] ?? "", right);
    },
    parse: ({ body }, onDropped) =>
      readPushTolerantly(body, replies.pushBody, onDropped)
        .notifications.filter(({ item_type, action }) => item_type === "trip" && CHANGES.includes(action))
        .map(({ user_id, item_id }) => ({
          accountId: String(user_id),
          changed: { resource: "workouts", id: String(item_id) },
        })),
  },
  async *pull(name, window, client) {
    if (name === "workouts") yield* workouts(window, client);
  },
  async *pullOne(name, id, client) {
    if (name === "workouts") yield* pullTrip(id, client);
  },
};
