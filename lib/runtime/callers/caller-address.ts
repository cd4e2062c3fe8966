import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { EDGE_SECRET } from "../../contract/edge-secret.ts";

type Request = Pick<APIGatewayProxyEventV2, "headers" | "requestContext">;

/**
 * Returns the address of the caller. Behind CloudFront, which {@link requireEdge} enforces, it is the last address that
 * CloudFront appended to `x-forwarded-for`. Earlier addresses come from the client and are not trusted.
 */
export function callerAddress({ headers, requestContext }: Request): string {
  const { sourceIp } = requestContext.http;
  if (process.env[EDGE_SECRET] === undefined) return sourceIp;
  const chain = (headers["x-forwarded-for"] ?? "").split(",").map((address) => address.trim());
  if (chain.at(-1) === sourceIp) chain.pop();
  return chain.at(-1) || sourceIp;
}

/** Returns the network of a subscriber: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177). */
function subscriberNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = "", tail] = address.toLowerCase().split("::");
  const [first, last] = [head, tail ?? ""].map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)).fill("0");
  return [...(first ?? []), ...zeros, ...(last ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .join(":");
}

/**
 * Returns the group of an address, one of 65,536. Each group has about 65,000 IPv4 addresses, so it identifies nobody,
 * and the number of budgets stays small.
 */
export function addressGroup(request: Request): string {
  const digest = createHash("sha256")
    .update(subscriberNetwork(callerAddress(request)))
    .digest();
  return digest.readUInt16BE(0).toString(16).padStart(4, "0");
}
