import { createHash, timingSafeEqual } from "node:crypto";
import { EDGE_SECRET, edgeSecretHeader } from "../../contract/edge-secret.ts";
import { Forbidden } from "../errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Rejects requests that bypass CloudFront and its firewall. Does nothing in a deployment without them.
 * @throws Forbidden if the secret header is missing or wrong. Compares in constant time.
 */
export function requireEdge(headers: Readonly<Record<string, string | undefined>>): void {
  const expected = process.env[EDGE_SECRET];
  if (expected === undefined) return;
  if (timingSafeEqual(digest(headers[edgeSecretHeader] ?? ""), digest(expected))) return;
  throw new Forbidden("Requests to this address are not accepted. Use the public address of the service.");
}
