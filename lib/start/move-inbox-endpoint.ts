import { LOOPBACK_HOSTS } from "../local/http-api/request-origin.ts";
import { INBOX_PATH } from "../local/inbox/inbox-routes.ts";
import { callService, managementKeyHeader, type ServiceClient } from "./seed-data.ts";

/** A management key that was revoked, or is not restored yet. */
const NOT_AUTHORIZED = 401;

/**
 * Points the webhook endpoint of the inbox to the port of this start. A deleted or redirected endpoint stays so, and
 * also one whose management key is not valid.
 */
export async function moveInboxEndpoint(client: ServiceClient, webhookId: string): Promise<void> {
  const { baseUrl, managementUrl, identity } = client;
  const { org_id, team_id } = identity;
  const path = `${managementUrl}/v1/org/${org_id}/team/${team_id}/sandbox/webhook/${webhookId}`;
  const headers = managementKeyHeader(client);
  const options = { method: "GET", accepted: [NOT_AUTHORIZED] } as const;
  const { url } = await callService(path, headers, undefined, options);
  if (typeof url !== "string" || !isInboxOfOtherPort(url, baseUrl)) return;
  await callService(path, headers, { url: `${baseUrl}${INBOX_PATH}` }, { method: "PATCH" });
}

/** Whether a URL is the inbox at another port of this machine than that of `baseUrl`. */
export function isInboxOfOtherPort(url: string, baseUrl: string): boolean {
  const { hostname, pathname, port, search } = new URL(url);
  const isInbox = LOOPBACK_HOSTS.has(hostname) && pathname === INBOX_PATH && search === "";
  return isInbox && port !== new URL(baseUrl).port;
}
