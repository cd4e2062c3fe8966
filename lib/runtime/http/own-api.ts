import { EDGE_ORIGIN, EDGE_SECRET, edgeSecretHeader } from "../../contract/edge-secret.ts";
import { ports } from "../ports.ts";
import { currentTraceparent } from "../span.ts";
import { baseUrl } from "../wire-source.ts";

/** Time for one call, below the 29 s in which the caller's own function must answer. */
const TIMEOUT_MS = 25_000;

/** A request to a route of this service. */
export interface OwnRequest {
  readonly method: string;
  /** Path and query string. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Address of the original caller, to whom the firewall and the budgets of addresses belong. */
  readonly callerAddress: string;
}

/**
 * Calls a route of the main API. Behind CloudFront it calls the API directly, because the firewall limits requests by
 * address, and all calls of this function come from few addresses.
 * @throws TypeError or DOMException if the API does not answer in time.
 */
export function callOwnApi({ method, target, headers, body, callerAddress }: OwnRequest): Promise<Response> {
  const { [EDGE_ORIGIN]: origin, [EDGE_SECRET]: secret } = process.env;
  const isBehindEdge = origin !== undefined && secret !== undefined;
  const traceparent = currentTraceparent();
  const edge = isBehindEdge ? { [edgeSecretHeader]: secret, "x-forwarded-for": callerAddress } : {};
  const url = `${isBehindEdge ? origin : baseUrl()}${target}`;
  const request = {
    method,
    headers: {
      ...headers,
      ...edge,
      ...(traceparent && { traceparent }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: "error" as const,
    ...(body === undefined ? {} : { body }),
  };
  return ports().outbound(() => fetch(url, request), "a route of this service");
}
