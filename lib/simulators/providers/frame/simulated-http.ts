import type { AccessGrant } from "./token-book.ts";

/** A request as a provider's host sees it. */
export interface SimulatedRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer; a body that is no text and no bytes is sent as JSON. */
export interface SimulatedReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request that found its route. */
export interface Call extends SimulatedRequest {
  /** What stands in the place of `{names}` in the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** A request with a user's valid token. */
export interface GrantedCall extends Call {
  readonly grant: AccessGrant;
}

type Answered = SimulatedReply | Promise<SimulatedReply>;

/** A route of a provider's host. */
export interface Route {
  readonly method: string;
  readonly host: string;
  /** Parts of the path; `{name}` stands for any one part. */
  readonly parts: readonly string[];
  /** For routes that need a user's token: all scopes of which the token must have one; none for any token. */
  readonly scopes?: readonly string[];
  answer(call: Call, grant: AccessGrant | undefined): Answered;
}

/** A route that needs no user's token. @param address host and path, `{name}` for any one part. */
export function open(method: string, address: string, answer: (call: Call) => Answered): Route {
  return { method, ...splitAddress(address), answer };
}

/** A route that needs a user's token with one of some scopes. */
export function granted(
  method: string,
  address: string,
  scopes: readonly string[],
  answer: (call: GrantedCall) => Answered,
): Route {
  return {
    method,
    ...splitAddress(address),
    scopes,
    answer: (call, grant) => answer({ ...call, grant: present(grant) }),
  };
}

/** What stands in the place of a route's `{names}`; undefined when the request is not for it. */
export function matchRoute({ method, host, parts }: Route, request: SimulatedRequest): Call["params"] | undefined {
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

/** The fields of a form-encoded body. */
export function formOf({ body, headers }: SimulatedRequest): URLSearchParams {
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams(isForm ? body : "");
}

/** The fields of a JSON body; none for anything that is no object. */
export function jsonOf({ body }: SimulatedRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function splitAddress(address: string): Pick<Route, "host" | "parts"> {
  const at = address.indexOf("/");
  return { host: address.slice(0, at), parts: address.slice(at).split("/") };
}

function present(grant: AccessGrant | undefined): AccessGrant {
  if (grant === undefined) throw new Error("a route with scopes was called without a token");
  return grant;
}
