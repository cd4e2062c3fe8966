import type * as z from "zod";
import type { Connector, PulledBatch, TimeWindow } from "../connector.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import type { ProviderClient } from "../provider-client.ts";
import { toCarbohydrates, toDevice, toGlucose, toInsulin } from "./map-records.ts";
import * as replies from "./replies.ts";

const ORIGIN = "https://api.dexcom.com";
const API = `${ORIGIN}/v3/users/self`;
/** Resources without a history are pulled in one window that covers the whole past. */
const WINDOW_DAYS_FOR_CURRENT_DATA = 36_500;

type Batch = Omit<PulledBatch, "source_type">;

/** Formats UTC without `Z` and without fractions of a second. */
const formatTime = (ms: number) => new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19);

/** Fetches all records of a type in a window. Dexcom does not paginate. */
async function fetchRecords<S extends z.ZodType>(client: ProviderClient, name: string, item: S, window: TimeWindow) {
  const range = { startDate: formatTime(window.startMs), endDate: formatTime(window.endMs) };
  return (await client.get(`${API}/${name}`, replies.recordList(item), range)).records;
}

/** Readings name the transmitter. Apps and receivers show the readings of one transmitter, so they do not count. */
async function* glucose(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const readings = await fetchRecords(client, "egvs", replies.glucoseReading, window);
  const groups = groupByRecorder(readings, ({ transmitterId }) => ({ device_id: transmitterId }));
  for (const { recorder, records } of groups) yield { ...recorder, resources: { glucose: records.flatMap(toGlucose) } };
}

async function* events(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const found = await fetchRecords(client, "events", replies.event, window);
  const resources = { carbohydrates: found.flatMap(toCarbohydrates), insulin_injection: found.flatMap(toInsulin) };
  yield { resources };
}

async function* devices(_: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const { records: found } = await client.get(`${API}/devices`, replies.recordList(replies.device));
  yield { resources: { devices: found.flatMap(toDevice) } };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Batch>>> = {
  glucose,
  carbohydrates: events,
  device: devices,
};

const resource = (name: string, delivers: readonly string[] = [name], windowDays = 30) =>
  ({ name, delivers, windowDays, scopes: ["offline_access"] }) as const;

/** Dexcom API v3, United States region; docs/connectors.md lists what was tested and against which server. */
export const dexcom: Connector = {
  slug: "dexcom_v3",
  oauth: {
    authorizationUrl: `${ORIGIN}/v2/oauth2/login`,
    tokenUrl: `${ORIGIN}/v2/oauth2/token`,
    scopes: ["offline_access"],
    identityScopes: ["offline_access"],
    scopeSeparator: " ",
    clientAuthentication: "body",
    pkce: false,
    refreshRequiresRedirectUri: true,
    fetchAccountId: async (_, client) => (await client.get(`${API}/dataRange`, replies.dataRange)).userId,
  },
  historyDays: 30,
  resources: [
    resource("glucose"),
    resource("carbohydrates", ["carbohydrates", "insulin_injection"]),
    resource("device", ["device"], WINDOW_DAYS_FOR_CURRENT_DATA),
  ],
  async *pull(name, window, client) {
    for await (const batch of pulls[name]?.(window, client) ?? []) yield { source_type: "automatic", ...batch };
  },
};
