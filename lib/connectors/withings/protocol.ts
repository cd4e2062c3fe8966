import { createHmac } from "node:crypto";
import type { ClientCredentials } from "../client-credentials.ts";
import type { RevokedAccess } from "../connector.ts";
import type { ProviderClient } from "../provider-client.ts";
import * as replies from "./replies.ts";

const API = "https://wbsapi.withings.net";

/** Status codes in the body for an invalid token or code. */
const INVALID_CREDENTIAL_STATUSES: readonly number[] = [100, 101, 102, 200, 401];
const INVALID_PARAMETERS_STATUS = 503;
const FORBIDDEN_STATUSES: readonly number[] = [214, 277, 403];
const TIMEOUT_STATUS = 522;
const TOO_MANY_REQUESTS_STATUS = 601;

/** Converts the status code in the body to an HTTP status. */
export function toHttpStatus(body: unknown): number {
  const { data } = replies.envelope.safeParse(body);
  if (!data || data.status === TIMEOUT_STATUS) return 503;
  if (data.status === 0) return 200;
  if (INVALID_CREDENTIAL_STATUSES.includes(data.status)) return 401;
  if (data.status === TOO_MANY_REQUESTS_STATUS) return 429;
  return FORBIDDEN_STATUSES.includes(data.status) ? 403 : 400;
}

/** Converts a token or error response to the form of RFC 6749. */
export function toStandardResponse(reply: unknown): unknown {
  const { data } = replies.envelope.safeParse(reply);
  if (data?.status === 0) return data.body;
  if (!data || !(INVALID_CREDENTIAL_STATUSES.includes(data.status) || data.status === INVALID_PARAMETERS_STATUS)) {
    return { error: "temporarily_unavailable" };
  }
  return { error: /client_(id|secret)/.test(data.error ?? "") ? "invalid_client" : "invalid_grant" };
}

/** Revokes access. Withings requires a signed request with a nonce. */
export async function revokeAccess(client: ProviderClient, { app, accountId }: RevokedAccess): Promise<void> {
  // Revocation needs the user id. Without it, access ends when the access token expires.
  if (accountId === undefined) return;
  const timestamp = String(Math.floor(client.now() / 1000));
  const asked = { action: "getnonce", client_id: app.clientId, timestamp };
  const { body } = await client.post(`${API}/v2/signature`, replies.nonce, signForm(asked, app));
  const revoked = signForm({ action: "revoke", client_id: app.clientId, nonce: body.nonce }, app);
  await client.post(`${API}/v2/oauth2`, replies.successResponse, { ...revoked, userid: accountId });
}

/** Signs a form: HMAC-SHA256 of its values, joined by commas in alphabetical order of their names. */
function signForm(form: Readonly<Record<string, string>>, { clientSecret }: ClientCredentials) {
  const signature = createHmac("sha256", clientSecret).update(Object.values(form).join(",")).digest("hex");
  return { ...form, signature };
}
