import { billingTypes, type LabAccount } from "../domain/lab-tests/lab-account.ts";
import { usStates } from "../domain/places/us-states.ts";
import { demoBatches } from "../simulators/demo/demo-batches.ts";
import { phoneParts } from "../simulators/demo/phone-parts.ts";
import { seedOf } from "../simulators/demo/seed.ts";
import type { LocalIdentity } from "./identity-file.ts";

/** URLs and keys for calls to the public API of the local service. */
export interface ServiceClient {
  readonly baseUrl: string;
  readonly managementUrl: string;
  readonly identity: LocalIdentity;
}

const DEMO_CLIENT_USER_ID = "demo-user";
/** A phone sends the last 30 days when it is connected, and the 60 days before them afterwards. */
const PHONE_DAYS = 30;
const EARLIER_DAYS = 60;
const DAY_MS = 86_400_000;
/** Maximum number of attempts of a call: a busy machine may answer 503 while it stores the demo data. */
const MOST_ATTEMPTS = 5;
const PAUSE_MS = 1_000;
/** Streams are slow to store, because each is an object. The demo data has only those of the last 30 days. */
const without = ["sleep_stream", "workout_stream"] as const;
/** The sensor's full history is pulled. The ring's is limited to 30 days: three months would double the first start. */
const pullPreferences = { freestyle_libre: { default: { historical_days_to_pull: PHONE_DAYS + EARLIER_DAYS } } };

const teamKey = ({ identity }: ServiceClient) => ({ "x-service-api-key": identity.api_key });
const managementKey = ({ identity }: ServiceClient) => ({ "x-management-key": identity.management_key });

/** Error codes for a resource that an earlier start has created. */
const there: ReadonlySet<string> = new Set(["client_user_id_taken", "conflict"]);

/** Options of a call. */
interface CallOptions {
  readonly method?: "POST" | "DELETE";
  /** Whether the call may be retried on 503. False for a call that creates a new resource each time. */
  readonly isRepeatable?: boolean;
}

async function call(
  url: string,
  auth: Readonly<Record<string, string>>,
  body?: unknown,
  { method = "POST", isRepeatable = true }: CallOptions = {},
): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", ...auth };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const isGone = method === "DELETE" && response.status === 404;
    if (response.ok || isGone || there.has(String(answer.code))) return answer;
    if (response.status !== 503 || !isRepeatable || attempt === MOST_ATTEMPTS) {
      throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Creates the webhook endpoint of the first team that points to the local inbox. @returns the endpoint's id. */
export async function createInboxEndpoint(client: ServiceClient): Promise<string> {
  const { baseUrl, managementUrl, identity } = client;
  const url = `${managementUrl}/v1/org/${identity.org_id}/team/${identity.team_id}/sandbox/webhook`;
  const endpoint = {
    url: `${baseUrl}/_local/inbox`,
    description: "Inbox of this machine",
    secret: identity.webhook_secret,
  };
  return String((await call(url, managementKey(client), endpoint, { isRepeatable: false })).id);
}

/** Lab accounts of the first organisation. One lab also has a pending account, for imports that refer to it. */
const accounts: readonly (readonly [lab: string, status: LabAccount["status"], provider_account_id: string])[] = [
  ["quest", "active", "1234567890"],
  ["labcorp", "active", "1234567890"],
  ["sonora_quest", "active", "1234567890"],
  ["sonora_quest", "pending", "1234567891"],
];

/** Creates the missing lab accounts of the first organisation. */
export async function createLabAccounts(client: ServiceClient): Promise<void> {
  const { org_id, team_id } = client.identity;
  const url = `${client.managementUrl}/v1/org/${org_id}/lab_account/sandbox/us`;
  const allowed_billing = Object.fromEntries(billingTypes.map((type) => [type, Object.keys(usStates)]));
  for (const [lab, status, provider_account_id] of accounts) {
    const account = { lab, status, provider_account_id, account_name: `Sandbox account (${status})` };
    await call(url, managementKey(client), { ...account, allowed_billing, team_id_allowlist: [team_id] });
  }
}

/** Creates the demo user or finds that of an earlier start. @returns the user's id. */
export async function createDemoUser(client: ServiceClient): Promise<string> {
  const user = await call(`${client.baseUrl}/v2/user`, teamKey(client), { client_user_id: DEMO_CLIENT_USER_ID });
  return String(user.user_id);
}

/**
 * Connects the demo user to a phone with a watch, a ring, and a glucose monitor. The service pulls the ring and the
 * monitor from their simulators. The phone sends its data.
 * @param progress called with the number of records sent.
 * @returns the number of records sent.
 */
export async function sendDemoData(
  client: ServiceClient,
  userId: string,
  nowMs: number,
  progress: (sent: number) => void,
): Promise<number> {
  const connect = (provider: string) =>
    call(`${client.baseUrl}/v2/link/connect/demo`, teamKey(client), { user_id: userId, provider });
  await withLongHistory(client, () => connect("freestyle_libre"));
  await connect("oura");
  await connect("apple_health_kit");
  return sendEarlier(client, userId, nowMs, progress);
}

/** Runs `work` while the team's pull preferences extend the pulled history to the length of the demo data. */
async function withLongHistory(client: ServiceClient, work: () => Promise<unknown>): Promise<void> {
  const { org_id, team_id } = client.identity;
  const url = `${client.managementUrl}/v1/org/${org_id}/team_data_pull_preferences/sandbox/us`;
  await call(url, managementKey(client), { team_ids: [team_id], providers: pullPreferences });
  await work();
  await call(`${url}?team_id=${team_id}`, managementKey(client), undefined, { method: "DELETE" });
}

/** Sends the phone's data from before it was connected, in a phone session. */
async function sendEarlier(
  client: ServiceClient,
  userId: string,
  nowMs: number,
  progress: (sent: number) => void,
): Promise<number> {
  const { baseUrl } = client;
  const { sign_in_token } = await call(`${baseUrl}/v2/user/${userId}/sign_in_token`, teamKey(client));
  const { access_token } = await call(`${baseUrl}/v2/sdk/session`, {}, { sign_in_token }, { isRepeatable: false });
  const session = { authorization: `Bearer ${access_token}` };
  const earlier = { days: EARLIER_DAYS, endMs: nowMs - PHONE_DAYS * DAY_MS, seed: seedOf(userId), without };
  let sent = 0;
  for (const part of phoneParts(`earlier ${nowMs}`, demoBatches(earlier))) {
    await call(`${baseUrl}/v2/sdk/sync`, session, part);
    sent += Object.values(part.resources).reduce((total, records) => total + records.length, 0);
    progress(sent);
  }
  return sent;
}
