import { createHmac } from "node:crypto";
import type { ClientCredentials, RevokedAccess } from "../connector.ts";
import type { ProviderClient } from "../provider-http.ts";
import * as replies from "./replies.ts";

const API = "https://wbsapi.withings.net";

/** Status codes in the body for an invalid token or code. */
const NOT_GOOD: readonly number[] = [100, 101, 102, 200, 401];
const INVALID_PARAMETERS = 503;
const NOT_ALLOWED: readonly number[] = [214, 277, 403];
const TIMED_OUT = 522;
const TOO_MANY = 601;

/** Converts the status code in the body to an HTTP status. */
export function statusOf(body: unknown): number {
  const { data } = replies.answer.safeParse(body);
  if (!data || data.status === TIMED_OUT) return 503;
  if (data.status === 0) return 200;
  if (NOT_GOOD.includes(data.status)) return 401;
  if (data.status === TOO_MANY) return 429;
  return NOT_ALLOWED.includes(data.status) ? 403 : 400;
}

/** Converts a token or error response to the form of RFC 6749. */
export function standardReply(reply: unknown): unknown {
  const { data } = replies.answer.safeParse(reply);
  if (data?.status === 0) return data.body;
  if (!data || !(NOT_GOOD.includes(data.status) || data.status === INVALID_PARAMETERS)) {
    return { error: "temporarily_unavailable" };
  }
  return { error: /client_(id|secret)/.test(data.error ?? "") ? "invalid_client" : "invalid_grant" };
}

/** Revokes access. Withings requires a signed request with a nonce. */
export async function revoke(client: ProviderClient, { app, accountId }: RevokedAccess): Promise<void> {
  // Revocation needs the user id. Without it, access ends when the access token expires.
  if (accountId === undefined) return;
  const timestamp = String(Math.floor(client.now() / 1000));
  const asked = { action: "getnonce", client_id: app.clientId, timestamp };
  const { body } = await client.post(`${API}/v2/signature`, replies.nonce, signed(asked, app));
  const revoked = signed({ action: "revoke", client_id: app.clientId, nonce: body.nonce }, app);
  await client.post(`${API}/v2/oauth2`, replies.done, { ...revoked, userid: accountId });
}

/** Signs a form: HMAC-SHA256 of its values, joined by commas in alphabetical order of their names. */
function signed(form: Readonly<Record<string, string>>, { clientSecret }: ClientCredentials) {
  const signature = createHmac("sha256", clientSecret).update(Object.values(form).join(",")).digest("hex");
  return { ...form, signature };
}
