import { createHash, timingSafeEqual } from "node:crypto";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { isConsolePath } from "../../contract/console/console-path.ts";
import { EDGE_SECRET, edgeSecretHeader } from "../../contract/edge-secret.ts";
import type { EndpointContract } from "../../contract/endpoint.ts";
import { Forbidden } from "../errors.ts";

type EdgeRequest = Pick<APIGatewayProxyEventV2, "headers" | "rawPath">;

const digest = (text: string) => createHash("sha256").update(text).digest();

/**
 * Rejects requests that bypass CloudFront and its firewall. Does nothing in a deployment without them, and for requests
 * to the management API.
 * @throws Forbidden if the secret header is missing or wrong. Compares in constant time.
 */
export function requireEdge({ auth }: Pick<EndpointContract, "auth">, { headers, rawPath }: EdgeRequest): void {
  const expected = process.env[EDGE_SECRET];
  if (expected === undefined || (auth === "management" && !isConsolePath(rawPath))) return;
  if (timingSafeEqual(digest(headers[edgeSecretHeader] ?? ""), digest(expected))) return;
  throw new Forbidden("Requests to this address are not accepted. Use the public address of the service.");
}
