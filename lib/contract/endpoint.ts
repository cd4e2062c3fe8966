import type * as z from "zod";
import type { Grant } from "./access.ts";
import { get, put, update } from "./access.ts";
import type { KeyScope } from "./key-scopes.ts";
import {
  auditLog,
  keys,
  keyUses,
  linkTokens,
  portalSessions,
  reviewLinks,
  sessions,
  teams,
  usage,
  users,
} from "./resources.ts";

/**
 * Who may call an endpoint: with a team API key or access token, a laboratory with its own, with a management key, from
 * the webhook portal or the review of a lab report, with a link token, from a phone where a user is signed in, or anybody.
 */
export type Auth = "team" | "lab" | "management" | "portal" | "review" | "link" | "session" | "none";

/** What a management key must reach: the whole organisation, or the team or teams that the request names. */
export type ManagementScope = "org" | "team";

/** An error class that an endpoint may answer with; see lib/runtime/errors.ts. */
export interface ErrorKind {
  readonly status: number;
  readonly code: string;
}

type Schema = z.ZodType;
type ObjectSchema = z.ZodObject;

/** Everything there is to know about one route. Plain data: stacks, OpenAPI, validation and tests derive from it. */
export interface EndpointContract<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Access extends readonly Grant[] = readonly Grant[],
  Caller extends Auth = Auth,
> {
  readonly kind: "endpoint";
  /** camelCase verb and noun; the file is its kebab-case form. */
  readonly operationId: string;
  /** `ANY` only for the answer to unknown routes. */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";
  readonly path: `/${string}`;
  /** Further paths that lead to the same operation. */
  readonly aliases: readonly `/${string}`[];
  /** Folder below functions/, OpenAPI tag, stack and log prefix in one word. */
  readonly tag: string;
  readonly summary: string;
  readonly auth: Caller;
  /** Of a management operation whose path names no team; see {@link scopeOf}. */
  readonly scope?: ManagementScope;
  /** What it takes of a team key that has scopes, where that is another than its tag and method say; see key-scopes.ts. */
  readonly keyScope?: KeyScope;
  /** Whether a call without a credential proves by itself who it is from, so that its address pays for refusals alone. */
  readonly provesItself?: boolean;
  readonly params: Params;
  readonly query: Query;
  /** Absent when the operation reads no body. */
  readonly body?: Body;
  /** The media types of a body that is read as text, whatever is in it; JSON without them. */
  readonly mediaTypes?: readonly string[];
  /** The fields of a `multipart/form-data` body, which the operation reads by itself from the event. */
  readonly form?: ObjectSchema;
  readonly response: Response;
  /** Status of the successful answer. */
  readonly status: number;
  /** Errors beyond those of every endpoint (credentials, validation, size). */
  readonly errors: readonly ErrorKind[];
  readonly access: Access;
  /** Team feature that must be on, if any. */
  readonly feature?: string;
  /** A path parameter that the OpenAPI document shows as one path per value, and what each of these answers. */
  readonly expand?: { readonly param: string; readonly response: (value: string) => Schema };
  readonly deprecated: boolean;
  /** Largest request body in bytes. */
  readonly maxBodyBytes: number;
  readonly memoryMb: number;
  readonly timeoutS: number;
}

type Defaulted = "kind" | "aliases" | "status" | "errors" | "deprecated" | "maxBodyBytes" | "memoryMb" | "timeoutS";

/** What a declaration must say; the rest has defaults. */
export type EndpointDeclaration<
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends Schema,
  R extends Schema,
  A extends readonly Grant[],
  C extends Auth,
> = Omit<EndpointContract<P, Q, B, R, A, C>, Defaulted> & Partial<Pick<EndpointContract<P, Q, B, R, A, C>, Defaulted>>;

const defaults = {
  kind: "endpoint",
  aliases: [],
  status: 200,
  errors: [],
  deprecated: false,
  maxBodyBytes: 1_048_576,
  memoryMb: 512,
  timeoutS: 29,
} as const;

/**
 * Declares one endpoint as frozen plain data.
 *
 * @example
 * export const contract = endpoint({
 *   operationId: "getUser", method: "GET", path: "/v2/user/{user_id}", tag: "users", auth: "team",
 *   summary: "Return a user", params: userParams, query: noQuery, response: wireUser,
 *   errors: [UserNotFound], access: [get(users)],
 * });
 */
export function endpoint<
  const P extends ObjectSchema,
  const Q extends ObjectSchema,
  const B extends Schema,
  const R extends Schema,
  const A extends readonly Grant[],
  const C extends Auth,
>(declaration: EndpointDeclaration<P, Q, B, R, A, C>): EndpointContract<P, Q, B, R, A, C> {
  return Object.freeze({ ...defaults, ...declaration });
}

/** What it takes to see whether all lives that a credential hangs on. */
export const parentAccess = [get(keys), get(teams), get(users)] as const;

/** What a call with a credential of each kind needs: to read the credential, to note who did what, and to count it. */
export const authAccess: Readonly<Record<Auth, readonly Grant[]>> = {
  team: [get(keys), get(teams), update(keyUses), update(usage)],
  lab: [get(keys), get(teams), update(keyUses), update(usage)],
  management: [get(keys), update(keyUses), put(auditLog), update(usage)],
  // A session of the webhook portal is about no user.
  portal: [get(portalSessions), get(keys), get(teams), update(usage)],
  review: [get(reviewLinks), ...parentAccess, update(usage)],
  link: [get(linkTokens), ...parentAccess, update(usage)],
  session: [get(sessions), ...parentAccess, update(usage)],
  none: [],
};

/** What a management operation takes: where its path names a team a key for that team, else one for the organisation. */
export function scopeOf({ scope, path }: Pick<EndpointContract, "scope" | "path">): ManagementScope {
  return scope ?? (path.includes("{team_id}") ? "team" : "org");
}
