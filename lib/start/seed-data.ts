import * as z from "zod";
import { billingTypes, type LabAccount } from "../domain/lab-tests/lab-account.ts";
import { usStates } from "../domain/places/us-states.ts";
import { DAY_MS } from "../domain/shared/durations.ts";
import { INBOX_PATH } from "../local/inbox/inbox-routes.ts";
import { generateDemoBatches } from "../simulators/demo/demo-batches.ts";
import { hashToSeed } from "../simulators/demo/seed.ts";
import { splitIntoSyncParts } from "../simulators/demo/split-into-sync-parts.ts";
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
/** Maximum number of attempts of a call: a busy machine may answer 503 while it stores the demo data. */
const MAX_ATTEMPTS = 5;
const RETRY_PAUSE_MS = 1_000;
/** Streams are slow to store, because each is an object. The streams of sleep are only those of the last 30 days. */
const SKIPPED_RESOURCES = ["sleep_stream"] as const;
/** The sensor's full history is pulled. The ring's is limited to 30 days: three months would double the first start. */
const pullPreferences = { freestyle_libre: { default: { historical_days_to_pull: PHONE_DAYS + EARLIER_DAYS } } };

const teamKeyHeader = ({ identity }: ServiceClient) => ({ "x-service-api-key": identity.api_key });
/** The header with the management key of the first organisation. */
export const managementKeyHeader = ({ identity }: ServiceClient) => ({ "x-management-key": identity.management_key });

/** Error codes for a resource that an earlier start has created. */
const existingCodes: ReadonlySet<string> = new Set(["client_user_id_taken", "conflict"]);

/** Options of a call. */
interface CallOptions {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Whether the call may be retried on 503. False for a call that creates a new resource each time. */
  readonly isRepeatable?: boolean;
  /** Failures that are an answer for the caller. */
  readonly accepted?: readonly number[];
}

/**
 * Calls the service until it is available. @returns the answer, also of an object that exists already or no longer.
 * @throws Error for any other failure.
 */
export async function callService(
  url: string,
  auth: Readonly<Record<string, string>>,
  body?: unknown,
  { method = "POST", isRepeatable = true, accepted = [] }: CallOptions = {},
): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json", ...auth };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    const isGone = method !== "POST" && response.status === 404;
    const isAnswer = response.ok || isGone || accepted.includes(response.status);
    if (isAnswer || existingCodes.has(String(answer.code))) return answer;
    if (response.status !== 503 || !isRepeatable || attempt === MAX_ATTEMPTS) {
      throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
  }
}

const webhookList = z.object({ data: z.array(z.object({ id: z.string(), url: z.string() })) });

/**
 * Creates the webhook endpoint of the first team that points to the local inbox, or finds that of an interrupted start.
 * @returns the endpoint's id.
 */
export async function createInboxEndpoint(client: ServiceClient): Promise<string> {
  const { baseUrl, managementUrl, identity } = client;
  const url = `${managementUrl}/v1/org/${identity.org_id}/team/${identity.team_id}/sandbox/webhook`;
  const listed = await callService(url, managementKeyHeader(client), undefined, { method: "GET" });
  const existing = webhookList.parse(listed).data.find((one) => new URL(one.url).pathname === INBOX_PATH);
  if (existing) return existing.id;
  const endpoint = {
    url: `${baseUrl}${INBOX_PATH}`,
    description: "Inbox of this machine",
    secret: identity.webhook_secret,
  };
  return String((await callService(url, managementKeyHeader(client), endpoint, { isRepeatable: false })).id);
}

/** Lab accounts of the first organisation. One lab also has a pending account, for imports that refer to it. */
const labAccounts: readonly (readonly [lab: string, status: LabAccount["status"], provider_account_id: string])[] = [
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
  for (const [lab, status, provider_account_id] of labAccounts) {
    const account = { lab, status, provider_account_id, account_name: `Sandbox account (${status})` };
    await callService(url, managementKeyHeader(client), { ...account, allowed_billing, team_id_allowlist: [team_id] });
  }
}

/** Creates the demo user or finds that of an earlier start. @returns the user's id. */
export async function createDemoUser(client: ServiceClient): Promise<string> {
  const user = await callService(`${client.baseUrl}/v2/user`, teamKeyHeader(client), {
    client_user_id: DEMO_CLIENT_USER_ID,
  });
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
    callService(`${client.baseUrl}/v2/link/connect/demo`, teamKeyHeader(client), { user_id: userId, provider });
  await withLongHistory(client, () => connect("freestyle_libre"));
  await connect("oura");
  await connect("apple_health_kit");
  return sendEarlierSamples(client, userId, nowMs, progress);
}

/** Runs `work` while the team's pull preferences extend the pulled history to the length of the demo data. */
async function withLongHistory(client: ServiceClient, work: () => Promise<unknown>): Promise<void> {
  const { org_id, team_id } = client.identity;
  const url = `${client.managementUrl}/v1/org/${org_id}/team_data_pull_preferences/sandbox/us`;
  await callService(url, managementKeyHeader(client), { team_ids: [team_id], providers: pullPreferences });
  await work();
  await callService(`${url}?team_id=${team_id}`, managementKeyHeader(client), undefined, { method: "DELETE" });
}

/** Sends the phone's data from before it was connected, in a phone session. */
async function sendEarlierSamples(
  client: ServiceClient,
  userId: string,
  nowMs: number,
  progress: (sent: number) => void,
): Promise<number> {
  const { baseUrl } = client;
  const { sign_in_token } = await callService(`${baseUrl}/v2/user/${userId}/sign_in_token`, teamKeyHeader(client));
  const { access_token } = await callService(
    `${baseUrl}/v2/sdk/session`,
    {},
    { sign_in_token },
    { isRepeatable: false },
  );
  const session = { authorization: `Bearer ${access_token}` };
  const earlier = {
    days: EARLIER_DAYS,
    endMs: nowMs - PHONE_DAYS * DAY_MS,
    seed: hashToSeed(userId),
    without: SKIPPED_RESOURCES,
  };
  let sent = 0;
  for (const part of splitIntoSyncParts(`earlier ${nowMs}`, generateDemoBatches(earlier))) {
    await callService(`${baseUrl}/v2/sdk/sync`, session, part);
    sent += Object.values(part.resources).reduce((total, records) => total + records.length, 0);
    progress(sent);
  }
  return sent;
}
