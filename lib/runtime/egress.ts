import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Networks that are not global (IANA special-purpose registries). IPv6 outside 2000::/3 is not global either. */
const special = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  special.addSubnet(network, prefix, "ipv6");
}
const globalIpv6 = new BlockList();
globalIpv6.addSubnet("2000::", 3, "ipv6");

/** Webhooks use HTTPS ports only. Other ports belong to services that must not receive outside requests. */
const httpsPorts: readonly string[] = ["", "443", "8443"];

/** Whether an address is globally reachable, so not part of a private network. */
export function isGlobalAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  return family === 6 && globalIpv6.check(address, "ipv6") && !special.check(address, "ipv6");
}

/** Thrown for a URL that must not receive requests. `message` explains why to the team that configured it. */
export class EgressRefused extends Error {
  override readonly name = "EgressRefused";
}

/**
 * Resolves the host of a URL and checks every address, so that requests reach global addresses only. The caller must
 * connect to the returned address: a second lookup could return another one (DNS rebinding).
 * @throws EgressRefused for other schemes, userinfo, other ports, IP literals and names with an address that is not
 * global.
 */
export async function resolveForEgress(url: URL): Promise<{ address: string; family: number }> {
  if (url.username !== "" || url.password !== "") throw new EgressRefused("the URL must not contain credentials");
  if (isLocalReceiver(url)) return { address: "127.0.0.1", family: 4 };
  if (url.protocol !== "https:") throw new EgressRefused("the URL must begin with https://");
  if (!httpsPorts.includes(url.port)) throw new EgressRefused("the port must be 443 or 8443");
  const host = url.hostname;
  if (isIP(host.replace(/^\[|\]$/g, "")) !== 0) throw new EgressRefused("the URL must name a host, not an address");
  if (!host.includes(".") || host.endsWith(".")) throw new EgressRefused("the host must be a full domain name");
  const answers = await lookup(host, { all: true });
  // A Lambda function outside a VPC has no IPv6 egress.
  const first = answers.find(({ family }) => family === 4) ?? answers[0];
  if (!first || !answers.every(({ address }) => isGlobalAddress(address))) {
    throw new EgressRefused("the host has an address that is not on the public internet");
  }
  return first;
}

/** Whether a URL leads to a local receiver. Only the local cloud sets the variable, and Lambda ignores it. */
function isLocalReceiver(url: URL): boolean {
  const { ALLOW_LOOPBACK_WEBHOOKS, AWS_LAMBDA_RUNTIME_API } = process.env;
  const isAllowed = ALLOW_LOOPBACK_WEBHOOKS === "1" && AWS_LAMBDA_RUNTIME_API === undefined;
  // A local HTTPS receiver always has an explicit port.
  const isReceiver = url.protocol === "http:" || (url.protocol === "https:" && url.port !== "");
  return isAllowed && isReceiver && url.hostname === "127.0.0.1";
}
