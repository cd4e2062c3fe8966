import { createHmac, timingSafeEqual } from "node:crypto";
import type { ClientCredentials, PushRequest } from "./connector.ts";

/** What is in the address of pushes that nobody else can know, for providers that do not sign them. */
export function pushKey({ clientSecret }: ClientCredentials, provider: string): string {
  return createHmac("sha256", clientSecret).update(`address of pushes from ${provider}`).digest("base64url");
}

/** Whether a request came to the address with the key. */
export function hasPushKey({ query }: PushRequest, app: ClientCredentials, provider: string): boolean {
  return isSame(query.get("key") ?? "", pushKey(app, provider));
}

/** Compares what was given with what is right in constant time. */
export function isSame(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
