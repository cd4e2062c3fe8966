import { createHmac } from "node:crypto";
import type { ClientCredentials, RevokedAccess } from "../connector.ts";
import type { ProviderClient } from "../provider-http.ts";
import * as replies from "./replies.ts";

const API = "https://wbsapi.withings.net";

/** Statuses of the body that mean that a token or code is not good. */
const NOT_GOOD: readonly number[] = [100, 101, 102, 200, 401];
const INVALID_PARAMETERS = 503;
const NOT_ALLOWED: readonly number[] = [214, 277, 403];
const TIMED_OUT = 522;
const TOO_MANY = 601;

/** The HTTP status that a body means. */
export function statusOf(body: unknown): number {
  const { data } = replies.answer.safeParse(body);
  if (!data || data.status === TIMED_OUT) return 503;
  if (data.status === 0) return 200;
  if (NOT_GOOD.includes(data.status)) return 401;
  if (data.status === TOO_MANY) return 429;
  return NOT_ALLOWED.includes(data.status) ? 403 : 400;
}

/** A reply or refusal of tokens in the standard form. */
export function standardReply(reply: unknown): unknown {
  const { data } = replies.answer.safeParse(reply);
  if (data?.status === 0) return data.body;
  if (!data || !(NOT_GOOD.includes(data.status) || data.status === INVALID_PARAMETERS)) {
    return { error: "temporarily_unavailable" };
  }
  return { error: /client_(id|secret)/.test(data.error ?? "") ? "invalid_client" : "invalid_grant" };
}

/** Gives access back: the request is signed, with a number that is good once. */
export async function revoke(client: ProviderClient, { app, accountId }: RevokedAccess): Promise<void> {
  // Without the user's id there is nothing to be named; what was granted ends with its access token.
  if (accountId === undefined) return;
  const timestamp = String(Math.floor(client.now() / 1000));
  const asked = { action: "getnonce", client_id: app.clientId, timestamp };
  const { body } = await client.post(`${API}/v2/signature`, replies.nonce, signed(asked, app));
  const revoked = signed({ action: "revoke", client_id: app.clientId, nonce: body.nonce }, app);
  await client.post(`${API}/v2/oauth2`, replies.done, { ...revoked, userid: accountId });
}

/** A form with the signature of its values, which are joined in the order of their names. */
function signed(form: Readonly<Record<string, string>>, { clientSecret }: ClientCredentials) {
  const signature = createHmac("sha256", clientSecret).update(Object.values(form).join(",")).digest("hex");
  return { ...form, signature };
}
