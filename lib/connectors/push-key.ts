import { createHmac, timingSafeEqual } from "node:crypto";
import type { ClientCredentials } from "./client-credentials.ts";
import type { PushRequest } from "./connector.ts";

/** Derives the secret of the callback URL, for providers that do not sign pushes. */
export function derivePushKey({ clientSecret }: ClientCredentials, provider: string): string {
  return createHmac("sha256", clientSecret).update(`address of pushes from ${provider}`).digest("base64url");
}

/** Returns true if the request's `key` parameter is the secret of the callback URL. */
export function hasPushKey({ query }: PushRequest, app: ClientCredentials, provider: string): boolean {
  return timingSafeEquals(query.get("key") ?? "", derivePushKey(app, provider));
}

/** Compares two strings in constant time. */
export function timingSafeEquals(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
