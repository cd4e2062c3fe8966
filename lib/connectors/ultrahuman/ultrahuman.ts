import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { listDates } from "../window-dates.ts";
import type { DayMetrics } from "./day-metrics.ts";
import { toGlucose, toRingRecords } from "./map.ts";
import * as replies from "./replies.ts";

const API = "https://partner.ultrahuman.com/api/partners";
const USER_DATA = `${API}/v1/user_data`;

/** Fetches the metrics of each date; one request returns all metrics of a date. */
async function* listDayMetrics(window: TimeWindow, client: ProviderClient): AsyncGenerator<DayMetrics> {
  for (const date of listDates(window)) {
    const { data } = await client.get(`${USER_DATA}/metrics`, replies.metrics, { date });
    const listed = data.metric_data ?? data.metrics?.[date] ?? [];
    const byType = new Map(listed.map(({ type, object }) => [type, object]));
    yield {
      date,
      timeZone: data.latest_time_zone,
      read: (type, schema) => (byType.has(type) ? client.readRecord(byType.get(type), schema, type) : undefined),
    };
  }
}

async function* ring(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for await (const day of listDayMetrics(window, client)) yield { source_type: "ring", resources: toRingRecords(day) };
}

async function* glucose(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for await (const day of listDayMetrics(window, client)) yield { source_type: "automatic", resources: toGlucose(day) };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<PulledBatch>>> = {
  activity: ring,
  glucose,
};

const WINDOW_DAYS = 30;

/** Resources of the ring; one request per date returns all of them. */
const ringResources = [
  "activity",
  "sleep",
  "sleep_cycle",
  "heartrate",
  "hrv",
  "blood_oxygen",
  "body_temperature",
  "vo2_max",
] as const;

/** Ultrahuman partner API (ring, glucose sensor); docs/connectors.md lists what was tested and against which server. */
export const ultrahuman: Connector = {
  slug: "ultrahuman",
  oauth: {
    authorizationUrl: "https://auth.ultrahuman.com/authorise",
    tokenUrl: `${API}/oauth/token`,
    revocation: { kind: "standard", url: `${API}/oauth/revoke` },
    scopes: ["ring_data", "cgm_data", "profile"],
    identityScopes: ["profile"],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    fetchAccountId: async (_, client) =>
      String((await client.get(`${USER_DATA}/user_info`, replies.userInfo)).data.user_id),
  },
  historyDays: 90,
  // A request a day and resource: a longer reach would cost more.
  lateUploadDays: 7,
  resources: [
    { name: "activity", delivers: ringResources, windowDays: WINDOW_DAYS, scopes: ["ring_data"] },
    { name: "glucose", delivers: ["glucose"], windowDays: WINDOW_DAYS, scopes: ["cgm_data"] },
  ],
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
};
