import type { EmailConnector, PulledBatch, TimeWindow } from "../connector.ts";
import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { type ProviderClient, readStrictly } from "../provider-client.ts";
import { ProviderUnavailable } from "../provider-error.ts";
import * as replies from "./replies.ts";

/** The provider publishes no API. This is the protocol of this project's simulator. */
const API = "https://password.simulator/freestyle_libre";

type Records = PulledBatch["resources"];

async function* glucose({ startMs, endMs }: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  const range = { from: formatUtc(startMs), until: formatUtc(endMs) };
  const { readings } = await client.get(`${API}/readings`, replies.readings, range);
  yield { glucose: readings.map(({ at: timestamp, mg_dl }) => ({ timestamp, value: mg_dl / MG_DL_PER_MMOL_L })) };
}

async function* device(_: TimeWindow, client: ProviderClient): AsyncGenerator<Records> {
  const { serial_number, manufacturer, model } = await client.get(`${API}/sensor`, replies.sensor);
  yield { devices: [{ device_id: serial_number, device_manufacturer: manufacturer, device_model: model }] };
}

const pulls: Readonly<Record<string, (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Records>>> = {
  glucose,
  device,
};

const resource = (name: string) => ({ name, delivers: [name], windowDays: 30, scopes: [] }) as const;

/** FreeStyle Libre sensors, tested against the simulator only; see docs/connectors.md. */
export const freestyleLibre: EmailConnector = {
  slug: "freestyle_libre",
  historyDays: 90,
  resources: [resource("glucose"), resource("device")],
  async signIn(fetch, email) {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const response = await fetch(`${API}/email`, { method: "POST", headers, body: JSON.stringify({ email }) });
    if (!response.ok) throw new ProviderUnavailable(`the provider responded with ${response.status}`);
    const { user_id, session } = readStrictly(await response.json().catch(() => undefined), replies.signInResponse);
    return { accountId: user_id, session };
  },
  async *pull(name, window, client) {
    for await (const resources of pulls[name]?.(window, client) ?? []) yield { source_type: "automatic", resources };
  },
};
