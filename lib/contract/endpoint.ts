import type * as z from "zod";
import type { Grant } from "./access.ts";
import { getItem, putItem, updateItem } from "./access.ts";
import type { AgentTool } from "./agent-tool.ts";
import type { ConsoleRole } from "./console/console-roles.ts";
import type { KeyScope } from "./key-scopes.ts";
import {
  auditLog,
  consoleSessions,
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
 * The credential an endpoint requires: a team API key, access token or console session, a laboratory's API key, a
 * management key, a console session alone, a webhook portal session, a lab report review link, a link token, a phone
 * session, or none.
 */
export type Auth = "team" | "console" | "lab" | "management" | "portal" | "review" | "link" | "session" | "none";

/** Reach that a management key needs: the whole organisation, or the team or teams that the request names. */
export type ManagementScope = "org" | "team";

/** An error that an endpoint may return. See lib/runtime/errors.ts. */
interface ErrorKind {
  readonly status: number;
  readonly code: string;
}

type Schema = z.ZodType;
type ObjectSchema = z.ZodObject;

/** The full declaration of one route. Plain data: stacks, OpenAPI, validation and tests derive from it. */
export interface EndpointContract<
  Params extends ObjectSchema = ObjectSchema,
  Query extends ObjectSchema = ObjectSchema,
  Body extends Schema = Schema,
  Response extends Schema = Schema,
  Access extends readonly Grant[] = readonly Grant[],
  Caller extends Auth = Auth,
> {
  readonly kind: "endpoint";
  /** Verb and noun in camelCase. The file name is its kebab-case form. */
  readonly operationId: string;
  /** `ANY` is only for the answer to unknown routes. */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "ANY";
  readonly path: `/${string}`;
  /** More paths of the same operation. */
  readonly aliases: readonly `/${string}`[];
  /** One word for the folder below functions/, the OpenAPI tag, the stack and the log prefix. */
  readonly tag: string;
  readonly summary: string;
  /**
   * What a caller reads about the operation, one sentence or list of Markdown per entry: what it does, when to call it,
   * what happens then, its limits, and the events that follow. An empty entry starts a new paragraph.
   */
  readonly description: readonly string[];
  readonly auth: Caller;
  /** Scope of a management operation whose path names no team. See {@link managementScopeOf}. */
  readonly scope?: ManagementScope;
  /** Key scope of the operation, or `any` scope, where it differs from the scope of its tag and method. See required-key-scope.ts. */
  readonly keyScope?: KeyScope | "any";
  /** The only role that may call the operation. Only for `auth: "console"`. */
  readonly consoleRole?: ConsoleRole;
  /**
   * Roles whose sessions also call a management operation of one team, on the main API at `/console` and its path. Only
   * for `auth: "management"`.
   */
  readonly consoleRoles?: readonly ConsoleRole[];
  /**
   * Whether the response has counts of a whole team only, although the grants reach user data. The access log then
   * records no call, and a role without data of users may call the operation.
   */
  readonly answersCountsOnly?: boolean;
  /**
   * Whether the handler authenticates calls itself, such as signed pushes. Only refused calls then count against the
   * caller's address.
   */
  readonly authenticatesItself?: boolean;
  /** Whether a team's API key may also be the bearer token, as clients of agents send it. Only for `auth: "team"`. */
  readonly acceptsBearerKeys?: boolean;
  /** Whether a link token that was used or has expired also authenticates. Only for `auth: "link"`. */
  readonly acceptsEndedLinks?: boolean;
  readonly params: Params;
  readonly query: Query;
  /**
   * Parameters that name a user here, besides those that do in every route: with any value, or with a complete `user_id`
   * only. See user-parameters.ts.
   */
  readonly userParameters?: Readonly<Record<string, "any" | "user_id">>;
  /** Absent if the operation reads no body. */
  readonly body?: Body;
  /** Media types of a body that is read as raw text. Without them the body is JSON. */
  readonly mediaTypes?: readonly string[];
  /** Decodes a body of text in other encodings than UTF-8. @throws TypeError or RangeError for bytes that it cannot decode. */
  readonly decodeBody?: (raw: Uint8Array, contentType: string | undefined) => string;
  /** Fields of a `multipart/form-data` body. The operation parses it from the event. */
  readonly form?: ObjectSchema;
  readonly response: Response;
  /** Status of the successful response. */
  readonly status: number;
  /** Errors in addition to those of every endpoint (credentials, validation, size). */
  readonly errors: readonly ErrorKind[];
  readonly access: Access;
  /**
   * Whether the function calls read routes with the credential of its caller. The access log records its calls although
   * it has no grant on user data.
   */
  readonly callsRoutes?: boolean;
  /** Makes the route a tool of agents. Only for reads. */
  readonly agentTool?: AgentTool;
  /** Team feature that must be enabled, if any. */
  readonly feature?: string;
  /** A path parameter that the OpenAPI document expands to one path per value, with the response of each value. */
  readonly expand?: { readonly param: string; readonly response: (value: string) => Schema };
  readonly deprecated: boolean;
  /** Maximum request body in bytes. */
  readonly maxBodyBytes: number;
  readonly memoryMb: number;
  readonly timeoutS: number;
}

type Defaulted = "kind" | "aliases" | "status" | "errors" | "deprecated" | "maxBodyBytes" | "memoryMb" | "timeoutS";

/** Fields that a declaration must set. All others have defaults. */
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
 *   errors: [UserNotFound], access: [getItem(users)],
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

/** Grants to check that the key, team and user behind a credential still exist. */
export const credentialParentAccess = [getItem(keys), getItem(teams), getItem(users)] as const;

/** Grants that each kind of credential needs: to read the credential, to record the call, and to count it. */
export const authenticationAccess: Readonly<Record<Auth, readonly Grant[]>> = {
  team: [getItem(keys), getItem(teams), getItem(consoleSessions), updateItem(keyUses), updateItem(usage)],
  // A console session belongs to no user.
  console: [getItem(consoleSessions), getItem(keys), getItem(teams), updateItem(usage)],
  lab: [getItem(keys), getItem(teams), updateItem(keyUses), updateItem(usage)],
  management: [getItem(keys), updateItem(keyUses), putItem(auditLog), updateItem(usage)],
  // A webhook portal session belongs to no user.
  portal: [getItem(portalSessions), getItem(consoleSessions), getItem(keys), getItem(teams), updateItem(usage)],
  review: [getItem(reviewLinks), getItem(consoleSessions), ...credentialParentAccess, updateItem(usage)],
  link: [getItem(linkTokens), ...credentialParentAccess, updateItem(usage)],
  session: [getItem(sessions), ...credentialParentAccess, updateItem(usage)],
  none: [],
};

/** Returns the scope of a management operation: the team where its path names one, otherwise the organisation. */
export function managementScopeOf({ scope, path }: Pick<EndpointContract, "scope" | "path">): ManagementScope {
  return scope ?? (path.includes("{team_id}") ? "team" : "org");
}
