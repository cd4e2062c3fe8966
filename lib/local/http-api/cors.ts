import type { IncomingMessage } from "node:http";
import type { GatewayResponse } from "./gateway-response.ts";

/** `CorsConfiguration` of `AWS::ApiGatewayV2::Api`. */
export interface CorsConfiguration {
  /** Origins, `*`, or a scheme with wildcard: `https://*`. */
  readonly AllowOrigins?: readonly string[];
  readonly AllowMethods?: readonly string[];
  readonly AllowHeaders?: readonly string[];
  readonly ExposeHeaders?: readonly string[];
  /** Seconds. */
  readonly MaxAge?: number;
  readonly AllowCredentials?: boolean;
}

/** The response to a preflight request; undefined for any other request. */
export function toPreflightResponse(cors: CorsConfiguration, request: IncomingMessage): GatewayResponse | undefined {
  const { origin, "access-control-request-method": method } = request.headers;
  if (request.method !== "OPTIONS" || !origin || !method) return undefined;
  const allowed = allowedOriginHeaders(cors, origin);
  if (!allowed) return { status: 204, headers: {}, body: "" };
  const headers = {
    ...allowed,
    ...(cors.AllowMethods ? { "access-control-allow-methods": cors.AllowMethods.join(",") } : {}),
    ...(cors.AllowHeaders ? { "access-control-allow-headers": cors.AllowHeaders.join(",") } : {}),
    ...(cors.MaxAge === undefined ? {} : { "access-control-max-age": String(cors.MaxAge) }),
  };
  return { status: 204, headers, body: "" };
}

/** Adds the configured CORS headers to an integration's response and removes the integration's own CORS headers. */
export function withCors(cors: CorsConfiguration, request: IncomingMessage, answer: GatewayResponse): GatewayResponse {
  const others = Object.entries(answer.headers).filter(([name]) => !name.startsWith("access-control-"));
  const allowed = allowedOriginHeaders(cors, request.headers.origin);
  const exposed = cors.ExposeHeaders ? { "access-control-expose-headers": cors.ExposeHeaders.join(",") } : {};
  return { ...answer, headers: { ...Object.fromEntries(others), ...(allowed ? { ...allowed, ...exposed } : {}) } };
}

function allowedOriginHeaders(cors: CorsConfiguration, origin: string | undefined): Record<string, string> | undefined {
  const origins = cors.AllowOrigins ?? [];
  if (!origin) return undefined;
  const matches = (allowed: string) =>
    allowed === origin || (allowed.endsWith("://*") && origin.startsWith(allowed.slice(0, -1)));
  if (!origins.includes("*") && !origins.some(matches)) return undefined;
  return {
    "access-control-allow-origin": origins.includes("*") ? "*" : origin,
    ...(cors.AllowCredentials ? { "access-control-allow-credentials": "true" } : {}),
  };
}
