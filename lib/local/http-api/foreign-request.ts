import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";

/** The names of this machine under which only programs on it, and pages that it serves itself, ask. */
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Refuses requests that pages of others have a browser send here. One whose `Host` is a name of somebody else's comes
 * from a page that had its own name lead here (DNS rebinding); an address or `localhost` no page can take for itself.
 * @returns why the request is refused; undefined for one that is answered.
 */
export function foreignHost({ headers: { host } }: IncomingMessage): string | undefined {
  if (host === undefined) return undefined;
  const { name } = parseHost(host);
  const isOwn = LOOPBACK.has(name) || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  return isOwn ? undefined : "the Host header names another machine than this one";
}

/**
 * The same for what is below /_local/, which asks for no key: the host is this machine under the port that it listens
 * on, and a page that asks is one that it serves. A program sends neither `Origin` nor `Sec-Fetch-Site` (Fetch standard,
 * Fetch Metadata).
 */
export function foreignControl(request: IncomingMessage): string | undefined {
  const { host, origin } = request.headers;
  if (host !== undefined) {
    const { name, port } = parseHost(host);
    const isHere = LOOPBACK.has(name) && port === request.socket.localPort;
    if (!isHere) return "the Host header names another place than this one";
  }
  if (origin !== undefined && origin !== `http://${host?.toLowerCase()}`) return "a page of another origin asks";
  return isFromOtherSite(request) ? "a page of another site asks" : undefined;
}

/** Answers 403 with the reason, in the shape of every error of the API. */
export function refuseForeign(response: ServerResponse, detail: string): true {
  const body = JSON.stringify({ detail, code: "forbidden", request_id: randomUUID() });
  response.writeHead(403, { "content-type": "application/json; charset=utf-8" }).end(body);
  return true;
}

/** A link that somebody follows to a page here comes from another site too, whose pages learn nothing by it. */
function isFromOtherSite({ method, headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isFollowed = headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
  return !(method === "GET" && isFollowed);
}

/** Name in lower case and port of a `Host` header; 80 where it tells none, NaN where it is no port. */
function parseHost(host: string): { name: string; port: number } {
  const [, name = "", port = "80"] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(host.toLowerCase()) ?? [];
  return { name: name.replace(/\.$/, ""), port: Number(port) };
}
