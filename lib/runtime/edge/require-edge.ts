import { createHash, timingSafeEqual } from "node:crypto";
import { EDGE_SECRET, edgeSecretHeader } from "../../contract/edge.ts";
import { Forbidden } from "../errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Refuses what did not come through CloudFront and its firewall, where a deployment has them; anywhere else lets all pass.
 * @throws Forbidden when the secret header is missing or wrong; compared in constant time.
 */
export function requireEdge(headers: Readonly<Record<string, string | undefined>>): void {
  const expected = process.env[EDGE_SECRET];
  if (expected === undefined) return;
  if (timingSafeEqual(digest(headers[edgeSecretHeader] ?? ""), digest(expected))) return;
  throw new Forbidden("This address is not for clients: use the address of the service.");
}
