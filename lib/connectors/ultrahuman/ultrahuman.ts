import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import { listDates } from "../window-dates.ts";
import { type DayMetrics, toGlucose, toRingRecords } from "./map.ts";
import * as replies from "./replies.ts";

const API = "https://partner.ultrahuman.com/api/partners";
const USER_DATA = `${API}/v1/user_data`;

/** Fetches the metrics of each date; one request returns all metrics of a date. */
async function* listDayMetrics(
  window: TimeWindow,
  client: ProviderClient,
): AsyncGenerator<[date: string, metrics: DayMetrics]> {
  for (const date of listDates(window)) {
    const { data } = await client.get(`${USER_DATA}/metrics`, replies.metrics, { date });
    yield [date, new Map(data.metric_data.map(({ type, object }) => [type, object]))];
  }
}

async function* ring(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for await (const [date, metrics] of listDayMetrics(window, client))
    yield { source_type: "ring", resources: toRingRecords(date, metrics) };
}

async function* glucose(window: TimeWindow, client: ProviderClient): AsyncGenerator<PulledBatch> {
  for await (const [, metrics] of listDayMetrics(window, client))
    yield { source_type: "automatic", resources: toGlucose(metrics) };
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
  resources: [
    { name: "activity", delivers: ringResources, windowDays: WINDOW_DAYS, scopes: ["ring_data"] },
    { name: "glucose", delivers: ["glucose"], windowDays: WINDOW_DAYS, scopes: ["cgm_data"] },
  ],
  async *pull(name, window, client) {
    yield* pulls[name]?.(window, client) ?? [];
  },
};
