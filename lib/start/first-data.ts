import { demoBatches } from "../simulators/demo/demo-batches.ts";
import { seedOf } from "../simulators/demo/seed.ts";
import type { LocalIdentity } from "./identity-file.ts";

/** Calls of the service's own interface, as any client makes them. */
export interface ServiceClient {
  readonly baseUrl: string;
  readonly managementUrl: string;
  readonly identity: LocalIdentity;
}

const DEMO_CLIENT_USER_ID = "demo-user";
/** A demo connection brings the last 30 days by itself; the 60 days before them are sent. */
const CONNECTED_DAYS = 30;
const EARLIER_DAYS = 60;
const DAY_MS = 86_400_000;
/** A phone and watch, a ring, and a glucose monitor. */
const demoConnections = ["apple_health_kit", "oura", "freestyle_libre"] as const;
/** Streams are slow to store, each being an object of its own; those of the last 30 days have to do. */
const without = ["sleep_stream", "workout_stream"] as const;
/** Of the ring the last 30 days have to do: three months of it would double the time of a first start. */
const longConnections: readonly string[] = ["apple_health_kit", "freestyle_libre"];

async function call(url: string, header: string, key: string, body: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", [header]: key },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok && answer.code !== "client_user_id_taken") {
    throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  }
  return answer;
}

/** Points a webhook endpoint of the first team at the inbox of this machine. @returns its id. */
export async function createInboxEndpoint({ baseUrl, managementUrl, identity }: ServiceClient): Promise<string> {
  const url = `${managementUrl}/v1/org/${identity.org_id}/team/${identity.team_id}/sandbox/webhook`;
  const endpoint = {
    url: `${baseUrl}/_local/inbox`,
    description: "Inbox of this machine",
    secret: identity.webhook_secret,
  };
  return String((await call(url, "x-management-key", identity.management_key, endpoint)).id);
}

/** Creates the demo user, or finds the one of an earlier start. @returns its id. */
export async function createDemoUser({ baseUrl, identity }: ServiceClient): Promise<string> {
  const user = await call(`${baseUrl}/v2/user`, "x-service-api-key", identity.api_key, {
    client_user_id: DEMO_CLIENT_USER_ID,
  });
  return String(user.user_id);
}

/**
 * Connects the demo user and sends its history through the ingestion route, like any data.
 * @param progress told of the records sent so far.
 * @returns how many records were sent.
 */
export async function sendDemoData(
  client: ServiceClient,
  userId: string,
  nowMs: number,
  progress: (sent: number) => void,
): Promise<number> {
  const { baseUrl, identity } = client;
  let sent = 0;
  for (const provider of demoConnections) {
    await call(`${baseUrl}/v2/link/connect/demo`, "x-service-api-key", identity.api_key, { user_id: userId, provider });
    if (!longConnections.includes(provider)) continue;
    const endMs = nowMs - CONNECTED_DAYS * DAY_MS;
    for (const batch of demoBatches({ provider, days: EARLIER_DAYS, endMs, seed: seedOf(userId), without })) {
      const { device_id, ...body } = batch;
      const device = device_id === null ? null : { id: device_id };
      await call(`${baseUrl}/v2/ingest/${userId}`, "x-service-api-key", identity.api_key, { ...body, device });
      sent += Object.values(batch.resources).reduce((total, records) => total + records.length, 0);
      progress(sent);
    }
  }
  return sent;
}
