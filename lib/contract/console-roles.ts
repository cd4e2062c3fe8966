import { accessLogMode } from "./access-log-mode.ts";
import type { EndpointContract } from "./endpoint.ts";
import { type KeyScope, keyScopeNames } from "./key-scopes.ts";
import { requiredKeyScope } from "./required-key-scope.ts";

/** What a role of console sessions may do. */
interface ConsoleRoleRights {
  readonly scopes: readonly KeyScope[];
  /** Whether the role only reads, and reads no data of users. */
  readonly isImpersonal?: boolean;
}

const rightsByRole = {
  /** Settings, catalogues and counts. */
  reader: { scopes: ["read", "labs"], isImpersonal: true },
  /** Data of users and events, and replays of webhooks. */
  support: { scopes: ["read", "webhooks"] },
  /** Data of users, orders, results and their reviews. */
  clinician: { scopes: ["read", "labs"] },
  /** Everything that the key of the session may do, and the sessions of others. */
  admin: { scopes: keyScopeNames },
} as const satisfies Readonly<Record<string, ConsoleRoleRights>>;
export type ConsoleRole = keyof typeof rightsByRole;

/** The roles of console sessions. docs/console.md describes them. */
const consoleRoles: Readonly<Record<ConsoleRole, ConsoleRoleRights>> = rightsByRole;
export const consoleRoleNames = Object.keys(rightsByRole) as [ConsoleRole, ...ConsoleRole[]];

/**
 * Returns the scopes of a session: those of its role that its key has.
 * @param keyScopes scopes of the key; undefined for full access.
 */
export const consoleScopes = (role: ConsoleRole, keyScopes: readonly string[] | undefined): readonly KeyScope[] =>
  consoleRoles[role].scopes.filter((scope) => keyScopes?.includes(scope) ?? true);

type Route = Pick<
  EndpointContract,
  "auth" | "tag" | "method" | "keyScope" | "access" | "consoleRole" | "answersCountsOnly"
>;

/** Whether a role may call a route. A session of the role needs the scope of the route as well. */
export function isOpenToRole(route: Route, role: ConsoleRole): boolean {
  if (route.auth === "console") return route.consoleRole === undefined || route.consoleRole === role;
  const { scopes, isImpersonal = false } = consoleRoles[role];
  const scope = requiredKeyScope(route);
  if (scope === undefined || !scopes.includes(scope)) return false;
  return !isImpersonal || (route.method === "GET" && accessLogMode(route) === undefined);
}
