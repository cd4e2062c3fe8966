import { isJsonObject, parseJson } from "../../../domain/shared/json.ts";
import type { AccessGrant } from "./token-store.ts";

/** A request to a provider's host. */
export interface SimulatedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A handled request. */
export interface RecordedRequest extends SimulatedRequest {
  /** Provider of the host; null for an unknown host. */
  readonly slug: string | null;
  readonly atMs: number;
  readonly status: number;
}

/** A reply. A body that is neither a string nor bytes is serialized as JSON. */
export interface SimulatedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request with its path parameters. */
export interface RoutedRequest extends SimulatedRequest {
  /** Values of the `{name}` segments of the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** A request with a valid access token. */
export interface AuthorizedRequest extends RoutedRequest {
  readonly grant: AccessGrant;
}

export type MaybeAsyncReply = SimulatedReply | Promise<SimulatedReply>;

/** A route of a provider's host. */
export interface Route {
  readonly method: string;
  readonly host: string;
  /** Segments of the path; `{name}` matches any segment. */
  readonly parts: readonly string[];
  /** Scopes of which the token needs at least one; empty for any token; absent for a route without a token. */
  readonly scopes?: readonly string[];
  answer(call: RoutedRequest, grant: AccessGrant | undefined): MaybeAsyncReply;
}

/** Defines a route without an access token. @param address host and path; `{name}` matches any segment. */
export function publicRoute(method: string, address: string, answer: (call: RoutedRequest) => MaybeAsyncReply): Route {
  return { method, ...splitAddress(address), answer };
}

/**
 * Returns a function that defines routes below an address, which only some requests may call.
 * @param refuse the reply to other requests.
 */
export function guardedRoutes(
  address: string,
  isAllowed: (call: RoutedRequest) => boolean,
  refuse: (call: RoutedRequest) => SimulatedReply,
) {
  return (method: string, path: string, answer: (call: RoutedRequest) => MaybeAsyncReply): Route =>
    publicRoute(method, `${address}${path}`, (call) => (isAllowed(call) ? answer(call) : refuse(call)));
}

/** Defines a route that requires an access token with one of the given scopes. */
export function authorizedRoute(
  method: string,
  address: string,
  scopes: readonly string[],
  answer: (call: AuthorizedRequest) => MaybeAsyncReply,
): Route {
  return {
    method,
    ...splitAddress(address),
    scopes,
    answer: (call, grant) => answer({ ...call, grant: requireGrant(grant) }),
  };
}

/** Matches a request with a route. Returns its path parameters, or undefined. */
export function matchRoute(
  { method, host, parts }: Route,
  request: SimulatedRequest,
): RoutedRequest["params"] | undefined {
  const given = request.path.split("/");
  if (method !== request.method || host !== request.host || parts.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index] ?? "";
    if (/^\{\w+\}$/.test(part)) params[part.slice(1, -1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}

/** Reads the bearer token of a request (RFC 6750, section 2.1). */
export function readBearerToken({ headers }: SimulatedRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** Parses a form-encoded body. */
export function parseForm({ body, headers }: SimulatedRequest): URLSearchParams {
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? body : "");
}

/** Parses a JSON object; empty for any other body. */
export function parseJsonObject({ body }: SimulatedRequest): Readonly<Record<string, unknown>> {
  const value = parseJson(body);
  return isJsonObject(value) ? value : {};
}

/** Adds headers to a reply; the reply's own headers take precedence. */
export function withHeaders(reply: SimulatedReply, headers: Readonly<Record<string, string>>): SimulatedReply {
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

function splitAddress(address: string): Pick<Route, "host" | "parts"> {
  const at = address.indexOf("/");
  return { host: address.slice(0, at), parts: address.slice(at).split("/") };
}

function requireGrant(grant: AccessGrant | undefined): AccessGrant {
  if (grant === undefined) throw new Error("a route with scopes was called without a token");
  return grant;
}
