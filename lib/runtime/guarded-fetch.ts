import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { resolveForEgress } from "./egress.ts";

/** A request to an address that a team or a provider names. */
export interface GuardedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Bounds of a request: for everything from the lookup of the name to the last byte, and for the body of the response. */
export interface RequestBounds {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * Sends a request. Follows no redirect, uses no proxy, and connects only where egress rules allow.
 * @throws Error without a complete response within the bounds; EgressRefused for an address that must not be reached.
 */
export async function guardedFetch(
  url: URL,
  { method = "GET", headers = {}, body = "" }: GuardedRequest,
  { timeoutMs, maxBytes }: RequestBounds,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { address } = await Promise.race([resolveForEgress(url), rejectionOf(signal)]);
  const content = Buffer.from(body, "utf8");
  const length = method === "GET" && content.length === 0 ? {} : { "content-length": content.length };
  const options = {
    method,
    // Connect to the checked address, whatever the name resolves to now (DNS rebinding).
    hostname: address,
    servername: url.hostname,
    headers: { ...headers, host: url.host, ...length },
    signal,
    agent: false as const,
  };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = (url.protocol === "https:" ? https : http).request(url, options, resolve);
    sending.on("error", reject);
    sending.on("close", () => reject(new Error("the connection closed without a response")));
    sending.end(content);
  });
  return toResponse(answer, maxBytes);
}

async function toResponse(answer: IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    parts.push(part);
    size += part.length;
    if (size > maxBytes) throw new Error("the response is too large");
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
  const status = answer.statusCode ?? 502;
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(parts), { status, headers });
}

const rejectionOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
