import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { sendError } from "./send-error.ts";

/** Host names of the loopback interface. */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Detects DNS rebinding: a `Host` header with a foreign name comes from a page that made its own name resolve to this
 * machine. Addresses and `localhost` are safe, because no page can own them.
 * @returns the reason to reject the request; undefined for an allowed request.
 */
export function hostRefusalReason({ headers: { host } }: IncomingMessage): string | undefined {
  if (host === undefined) return undefined;
  const { name } = parseHost(host);
  const isOwn = LOOPBACK_HOSTS.has(name) || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  return isOwn ? undefined : "the Host header does not name this machine";
}

/**
 * Detects cross-origin requests to /_local/, which requires no key. The host must be this machine with the port of the
 * server, and a request of a page must come from a page of this server. Programs other than browsers send neither
 * `Origin` nor `Sec-Fetch-Site` (Fetch standard, Fetch Metadata).
 */
export function controlRefusalReason(request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  if (host !== undefined) {
    const { name, port } = parseHost(host);
    const isHere = LOOPBACK_HOSTS.has(name) && port === request.socket.localPort;
    if (!isHere) return "the Host header does not name this server";
  }
  if (origin !== undefined && origin !== `http://${host?.toLowerCase()}`)
    return "the request comes from a page of another origin";
  return isCrossSite(request) ? "the request comes from a page of another site" : undefined;
}

/** Sends a 403 with the reason. */
export function sendForbidden(response: ServerResponse, detail: string): true {
  return sendError(response, { status: 403, code: "forbidden", detail });
}

/** Whether another site sent the request. Navigation to a page is allowed: the other site cannot read the page. */
function isCrossSite({ method, headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isFollowed = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return !(method === "GET" && isFollowed);
}

/** Lower-case name and port of a `Host` header. The port is 80 by default, and NaN when it is invalid. */
function parseHost(host: string): { name: string; port: number } {
  const [, name = "", port = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host.toLowerCase()) ?? [];
  return { name: name.replace(/\.$/, ""), port: Number(port) };
}
